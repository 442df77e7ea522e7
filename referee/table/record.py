"""The game record as written: one JSON object per game, in canonical bytes.

Equal games give equal bytes: keys are sorted, there is no white space outside strings, hands stand in the order dealt,
and nothing of a run (times, attempts, ids) is in it.
A record is kept as the JSON values it consists of, so that keys unknown here survive reading and writing.
Whether it tells a legal game is for `check` to say, never for the reader.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NoReturn, TypeVar

from referee.rules.cards import CARD_NAMES, Card
from referee.rules.presets import to_json
from referee.rules.variant import MoonEffect, Termination, Variant
from referee.table.events import (
    CardReturned,
    Cards,
    CardsPassed,
    DealEnded,
    DealStarted,
    Entry,
    GameEnded,
    MoonChosen,
    PoolDealt,
)

FORMAT: Final = "hearts-record"
VERSION: Final = 1
SOURCES: Final = ("bot", "forced", "timeout", "illegal", "disconnect", "autopilot")
"""Who made a decision, in the words of `sources`."""

_GZIP: Final = b"\x1f\x8b"
_MOST_DIGITS: Final = 1000

JsonObject = dict[str, object]
_T = TypeVar("_T")


class NotARecord(ValueError):
    """Bytes that are no JSON object."""


def names(cards: Iterable[Card]) -> list[str]:
    """Return the names of *cards*, in their order."""
    return [CARD_NAMES[card] for card in cards]


def deals_of(log: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries of each deal in *log*."""
    deal: list[Entry] = []
    for entry in log:
        if isinstance(entry, DealStarted) and deal:
            yield deal
            deal = []
        deal.append(entry)
    if deal:
        yield deal


def deal_json(entries: Sequence[Entry], sources: Mapping[str, object] | None = None) -> JsonObject:
    """Return the record of the one deal that *entries* tell, from its `DealStarted` as far as it went.

    *sources* says who decided: keys `passes`, `returns`, `plays`, `moon`; words of `SOURCES`, null where there is none.
    """
    started = entries[0]
    if not isinstance(started, DealStarted):
        raise TypeError(f"the entries of a deal begin with DealStarted, not with {started!r}")
    passes: list[Cards | None] = [None] * len(started.hands)
    returns: list[Card | None] = [None] * len(started.hands)
    pool: tuple[Cards, ...] | None = None
    plays: list[str] = []
    moon: MoonEffect | None = None
    ended: DealEnded | None = None
    for entry in entries:
        match entry:
            case int():
                plays.append(CARD_NAMES[entry])
            case CardsPassed(seat, cards):
                passes[seat] = cards
            case CardReturned(seat, card):
                returns[seat] = card
            case PoolDealt(_, dealt):
                pool = dealt
            case MoonChosen(_, effect):
                moon = effect
            case DealEnded():
                ended = entry
                moon = entry.moon
    deal: JsonObject = {
        "number": started.number,
        "dealer": started.dealer,
        "hands": [names(hand) for hand in started.hands],
        "kitty": names(started.kitty),
        "direction": started.direction.value,
        "passes": _if_any([None if cards is None else names(cards) for cards in passes]),
        "returns": _if_any([None if card is None else CARD_NAMES[card] for card in returns]),
        "pool_dealt": None if pool is None else [names(cards) for cards in pool],
        "plays": plays,
        "moon": None if moon is None else moon.value,
        "points": None if ended is None else list(ended.points),
        "totals": None if ended is None else list(ended.totals),
    }
    if sources is not None:
        deal["sources"] = dict(sources)
    return deal


def _if_any(items: list[_T | None]) -> list[_T | None] | None:
    return None if all(item is None for item in items) else items


def result_json(termination: Termination, places: Sequence[int] | None) -> JsonObject:
    """Return the `result` of a game that is over; a cancelled one has no places."""
    if termination is Termination.CANCELLED or places is None:
        return {"places": None, "winners": None, "termination": termination.value}
    winners = [seat for seat, place in enumerate(places) if place == 1]
    return {"places": list(places), "winners": winners, "termination": termination.value}


def record_json(
    variant: Variant,
    seats: Sequence[str],
    deals: Iterable[Mapping[str, object]],
    *,
    result: Mapping[str, object] | None = None,
    versions: Sequence[str] | None = None,
    origin: Mapping[str, object] | None = None,
) -> JsonObject:
    """Return the record of a game: *deals* by `deal_json`, *result* by `result_json` if the game is over."""
    record: JsonObject = {
        "format": FORMAT,
        "version": VERSION,
        "rules": to_json(variant),
        "seats": list(seats),
        "deals": list(deals),
    }
    optional = {"result": result, "versions": versions, "origin": origin}
    return record | {key: value for key, value in optional.items() if value is not None}


def record_of_log(
    variant: Variant, seats: Sequence[str], log: Sequence[Entry], *, cancelled: bool = False
) -> JsonObject:
    """Return the record of the whole game that *log* tells, without sources, versions and origin."""
    last = log[-1] if log else None
    result = None
    if isinstance(last, GameEnded):
        result = result_json(last.termination, last.places)
    elif cancelled:
        result = result_json(Termination.CANCELLED, None)
    return record_json(variant, seats, map(deal_json, deals_of(log)), result=result)


def encode(record: Mapping[str, object]) -> bytes:
    """Return *record* in canonical bytes: ASCII, keys sorted, no white space outside strings."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def decode(data: bytes | str) -> JsonObject:
    """Return the record in *data*, keys in any order, any spacing; raise `NotARecord` for what is no JSON object.

    Bytes are UTF-8, with a byte order mark or without.
    """
    if isinstance(data, bytes):
        data = _text(data)
    try:
        value = json.loads(data, parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except RecursionError:
        raise NotARecord("this is no record: its JSON is nested too deeply") from None
    except ValueError as error:
        raise NotARecord(f"this is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise NotARecord(f"a record is one JSON object, not {type(value).__name__}")
    return value


def _text(data: bytes) -> str:
    if data.startswith(_GZIP):
        raise NotARecord("this is not JSON: it is packed by gzip; unpack it first")
    if not (encoding := json.detect_encoding(data)).startswith("utf-8"):
        raise NotARecord(f"this is not JSON in UTF-8: it begins like {encoding.upper()}; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")  # `json.loads` would let surrogates pass
    except UnicodeDecodeError as error:
        raise NotARecord(f"this is not JSON in UTF-8: {error.reason} at byte {error.start}") from None


def _integer(digits: str) -> int:
    """Return the number of *digits*: so many that Python would not read them are no number of a game."""
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits; at most {_MOST_DIGITS} are read")
    return int(digits)


def _object(pairs: list[tuple[str, object]]) -> JsonObject:
    """Return the object of *pairs*: where a key stands twice, readers would differ on what it says."""
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
