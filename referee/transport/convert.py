"""Between the host's values and the wire's messages. With `status`, the only code of the referee that knows both.

Updates are built on the frame, because one is made for every decision. Cards, kind and time are merged into it from
parts that the library has written once, for each card or set of cards: messages in bytes, one after the other, are one
message (protobuf.dev/programming-guides/encoding, "Last One Wins" and "Packed Repeated Fields"). That takes two thirds
of what setting each field takes; messages made by keyword, or a message for each play, would cost still more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hearts.v1 import referee_service_pb2 as pb
from hearts.v1 import rules_pb2

from referee.host.capabilities import Capabilities
from referee.host.ports import Clock
from referee.host.seat import Seat
from referee.host.session import Closing, Greeting
from referee.host.update import Snapshot, Update
from referee.rules.cards import Card
from referee.rules.presets import to_json
from referee.rules.variant import MoonEffect, PassDirection, Variant
from referee.table.events import DealEnded, GameEnded, KittyTaken, PlayBegan
from referee.table.observe import PassReceived, PoolReceived, ReturnReceived, SeatDealStarted, Seen

PLAY, PASS, RETURN, MOON = pb.DECISION_KIND_PLAY, pb.DECISION_KIND_PASS, pb.DECISION_KIND_RETURN, pb.DECISION_KIND_MOON
KINDS: Final = (PLAY, PASS, RETURN, MOON)  # by `Seat.kind`
KIND_NAMES: Final = {PLAY: "play", PASS: "pass", RETURN: "return", MOON: "moon"}
MOONS: Final = {
    MoonEffect.OTHERS_PLUS: pb.MOON_EFFECT_OTHERS_PLUS,
    MoonEffect.SELF_MINUS: pb.MOON_EFFECT_SELF_MINUS,
}
DIRECTIONS: Final = {
    direction: pb.PassDirection.Value(f"PASS_DIRECTION_{direction.name}") for direction in PassDirection
}
CLOSE_REASONS: Final = {
    "finished": pb.CLOSE_REASON_FINISHED,
    "cancelled": pb.CLOSE_REASON_CANCELLED,
    "voided": pb.CLOSE_REASON_VOIDED,
}
MAX_LABEL: Final = 64


class MalformedFrame(ValueError):
    """A request that is not of the form that the contract asks for. `reason` is UPPER_SNAKE."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def _suit_table(suit: int) -> list[bytes]:
    """Return the part of an update that names the legal cards, for every mask of the thirteen cards of *suit*."""
    table: list[tuple[int, ...]] = [()]
    for rank in range(13):
        card = (suit * 13 + rank + 1,)
        table += [cards + card for cards in table]
    return [pb.SeatUpdate(legal=cards).SerializeToString() for cards in table]  # type: ignore[arg-type]


_SUITS: Final = tuple(_suit_table(suit) for suit in range(4))
_CLUBS, _DIAMONDS, _SPADES, _HEARTS = _SUITS
# Most decisions follow suit: one look instead of four and their sum.
_ONE_SUIT: Final[dict[int, bytes]] = {}
for _suit, _table in enumerate(_SUITS):
    _ONE_SUIT.update(zip(range(0, 1 << 13 * (_suit + 1), 1 << 13 * _suit), _table, strict=True))
_PLAYS: Final = tuple(pb.SeatUpdate(plays=[card + 1]).SerializeToString() for card in range(52))  # type: ignore[list-item]


def legal_part(faces: int) -> bytes:
    """Return the part of an update that names the legal cards, ascending, from a mask of faces."""
    return _ONE_SUIT.get(faces) or (
        _CLUBS[faces & 0x1FFF]
        + _DIAMONDS[faces >> 13 & 0x1FFF]
        + _SPADES[faces >> 26 & 0x1FFF]
        + _HEARTS[faces >> 39 & 0x1FFF]
    )


@lru_cache(maxsize=1024)
def _kind_part(kind: int, time_millis: int) -> bytes:
    """Return the part of an update that says what is to be decided, and in what time: a few for each tournament."""
    return pb.SeatUpdate(kind=KINDS[kind], time_millis=time_millis).SerializeToString()


def add_updates(frame: pb.PlayResponse, updates: Sequence[Update]) -> None:
    """Append *updates* to *frame*."""
    add = frame.updates.add
    part_of = _PLAYS.__getitem__
    for seat, number, legal, plays, rarer in updates:
        message = add()
        if number:
            parts = _kind_part(seat.kind, seat.time_millis) + legal_part(legal)
            message.MergeFromString(parts + b"".join(map(part_of, plays)))  # type: ignore[arg-type]
            message.decision = number
            if seat.bank_millis:
                message.bank_millis = seat.bank_millis
        elif plays:
            message.MergeFromString(b"".join(map(part_of, plays)))  # type: ignore[arg-type]
        message.seat = seat.handle
        took = int(seat.took * 1000)
        if took:
            message.took_millis = took
        if seat.substituted:
            message.substituted = True
            seat.substituted = False
        if seat.forced:
            message.forced = seat.forced
            seat.forced = 0
        if rarer:
            for seen in rarer:
                _add_rarer(message, seen)


def _add_rarer(message: pb.SeatUpdate, seen: Seen | Snapshot) -> None:
    match seen:
        case Snapshot():
            message.snapshot = True
        case SeatDealStarted(number, dealer, direction, hand, totals):
            deal = message.deal
            deal.number, deal.dealer, deal.direction = number, dealer, DIRECTIONS[direction]
            deal.hand.extend(_wire(hand))
            deal.totals.extend(totals)
        case PassReceived(sent, received):
            message.passed.gave.extend(_wire(sent))
            message.passed.received.extend(_wire(received))
        case ReturnReceived(gave, got):
            message.returned.gave, message.returned.received = _wire((gave, got))
        case PoolReceived(sent, received):
            message.passed.gave.extend(_wire(sent))
            message.pool.received.extend(_wire(received))
        case PlayBegan(leader, shown):
            message.play.leader = leader
            if shown is not None:
                message.play.shown = _wire((shown,))[0]
            else:
                message.play.SetInParent()
        case KittyTaken(taker, cards):
            message.kitty.position = taker
            message.kitty.cards.extend(_wire(cards))
            message.kitty.SetInParent()
        case DealEnded(points, totals, shooter, moon):
            score = message.score
            score.points.extend(points)
            score.totals.extend(totals)
            if moon is not None and shooter is not None:
                score.moon, score.shooter = MOONS[moon], shooter
        case GameEnded() | int():
            pass  # told by `SeatClosed`; a play is never among the rarer things


def _wire(cards: Sequence[Card]) -> list[pb.cards__pb2.Card.ValueType]:  # type: ignore[name-defined]
    return [card + 1 for card in cards]


def add_opened(frame: pb.PlayResponse, seat: Seat, *, again: bool) -> None:
    """Append the opening of *seat* to *frame*."""
    order = seat.match.order
    message = frame.opened.add(
        seat=seat.handle,
        position=seat.position,
        bot_seed=seat.order.bot_seed,
        snapshot=again,
        auto_play_forced=order.auto_play_forced,
        ready_millis=_millis(order.clock.ready),
    )
    message.rules.CopyFrom(rules_to_wire(order.variant))
    message.clock.CopyFrom(clock_to_wire(order.clock))
    if order.reveal_opponents:
        message.opponents.extend(each.name for each in order.seats)


def add_closing(frame: pb.PlayResponse, closing: Closing) -> None:
    """Append the close of a seat to *frame*."""
    frame.closed.add(
        seat=closing.handle,
        reason=CLOSE_REASONS[closing.reason],
        totals=closing.totals,
        places=closing.places,
        faults=closing.faults,
    )


def rules_to_wire(variant: Variant) -> rules_pb2.RuleSet:
    """Return the whole rule set as the contract writes it."""
    options = to_json(variant)
    message = rules_pb2.RuleSet()
    for name, value in options.items():
        if name == "stripped":
            message.stripped.extend(_wire(variant.stripped))
        elif isinstance(value, list):
            getattr(message, name).extend(value)
        elif name == "first_dealer":
            message.first_dealer = str(value)
        elif value is not None:
            setattr(message, name, value)
    return message


def clock_to_wire(clock: Clock) -> pb.Clock:
    """Return a time control as the contract writes it."""
    return pb.Clock(
        decision_millis=_millis(clock.decision),
        bank_millis=_millis(clock.bank),
        network_millis=_millis(clock.network),
        watchdog_millis=_millis(clock.watchdog),
    )


def greeting_from_wire(request: pb.PlayRequest, protocol_version: int) -> Greeting:
    """Return what the first request says, or raise `MalformedFrame`."""
    if not request.HasField("hello"):
        raise MalformedFrame("HELLO_EXPECTED", "the first request must hold `hello`")
    if request.actions or request.ready or request.leaves:
        raise MalformedFrame("HELLO_ALONE", "the request with `hello` must hold nothing else")
    hello = request.hello
    if hello.protocol_version != protocol_version:
        text = f"this referee speaks version {protocol_version} of the protocol, the bot {hello.protocol_version}"
        raise MalformedFrame("PROTOCOL_VERSION", text)
    for name, value in (("bot_version", hello.bot_version), ("instance", hello.instance)):
        if len(value) > MAX_LABEL or not value.isprintable():
            raise MalformedFrame("BAD_LABEL", f"hello.{name} must be at most {MAX_LABEL} printable characters")
    able = hello.capabilities
    return Greeting(
        token=hello.token,
        version=hello.bot_version,
        instance=hello.instance,
        capabilities=Capabilities(
            max_packs=able.max_packs or 1,
            min_players=able.min_players or 3,
            max_players=able.max_players or 7,
            kinds=frozenset(KIND_NAMES.get(kind, "unknown") for kind in able.decision_kinds),
        ),
        max_tables=hello.max_tables,
        max_open=hello.max_open_decisions,
    )


def _millis(seconds: float) -> int:
    return round(seconds * 1000)
