"""What of a record is shown, read out of its JSON values: all in its proper shape, whether it is right or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.cli.streams import harmless
from referee.rules.cards import Card
from referee.table.reading import Flaw, card_of, cards_of_list, integer_of, list_of, mapping_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.rules.variant import Variant

Cards = tuple[Card, ...]
_FAULTS: Final = ("timeout", "illegal", "disconnect", "autopilot")


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """One deal. A list is None where the record has null, an entry where a seat has not decided."""

    number: int
    dealer: int
    direction: str
    hands: list[Cards]
    kitty: Cards
    passes: list[Cards | None] | None
    returns: list[Cards | None] | None
    pool_dealt: list[Cards | None] | None
    moon: str
    points: list[int] | None
    totals: list[int] | None
    faults: dict[str, frozenset[int]]
    """Under `passes`, `returns`, `plays` and `moon` the places of what was decided for a bot, by its fault."""


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game: the names of its seats, all different, and its deals."""

    seats: list[str]
    deals: list[ShownDeal]
    places: list[int] | None
    termination: str


def shown_game(record: Mapping[str, object], variant: Variant) -> ShownGame:
    """Return what is shown of *record*; raise `Flaw` if something has another shape."""
    names = [_text(name) for name in list_of(record.get("seats"), "seats", variant.players)]
    if len(set(names)) < len(names):
        names = [f"{name} ({seat})" for seat, name in enumerate(names)]
    result = mapping_of(record.get("result") or {}, "result")
    return ShownGame(
        seats=names,
        deals=[_deal(mapping_of(deal, "a deal"), variant) for deal in list_of(record.get("deals"), "deals")],
        places=_numbers(result, "places", variant),
        termination=_text(result.get("termination")),
    )


def _deal(deal: Mapping[str, object], variant: Variant) -> ShownDeal:
    def each(key: str, read: Callable[[object, str, int], Cards]) -> list[Cards | None] | None:
        if deal.get(key) is None:
            return None
        values = enumerate(list_of(deal[key], key, variant.players))
        return [None if value is None else read(value, key, seat) for seat, value in values]

    dealer = integer_of(deal.get("dealer"), "dealer")
    if not 0 <= dealer < variant.players:
        raise Flaw("DEALER", f"dealer must be a seat from 0 to {variant.players - 1}, not {dealer}")
    return ShownDeal(
        number=integer_of(deal.get("number"), "number"),
        dealer=dealer,
        direction=_text(deal.get("direction")),
        hands=[cards_of_list(hand, "hands") for hand in list_of(deal.get("hands"), "hands", variant.players)],
        kitty=cards_of_list(deal.get("kitty"), "kitty"),
        passes=each("passes", cards_of_list),
        returns=each("returns", lambda value, key, seat: (card_of(value, key, seat),)),
        pool_dealt=each("pool_dealt", cards_of_list),
        moon=_text(deal.get("moon")),
        points=_numbers(deal, "points", variant),
        totals=_numbers(deal, "totals", variant),
        faults=_faults(deal.get("sources")),
    )


def _faults(sources: object) -> dict[str, frozenset[int]]:
    words = mapping_of({} if sources is None else sources, "sources")
    told = {key: list_of(words.get(key) or [], key) for key in ("passes", "returns", "plays")}
    told["moon"] = [words.get("moon")]
    return {key: frozenset(at for at, word in enumerate(told[key]) if word in _FAULTS) for key in told}


def _numbers(mapping: Mapping[str, object], key: str, variant: Variant) -> list[int] | None:
    if mapping.get(key) is None:
        return None
    return [integer_of(value, key) for value in list_of(mapping[key], key, variant.players)]


def _text(value: object) -> str:
    """Return *value* as it may go to a terminal."""
    return harmless(("" if value is None else str(value))[:80])
