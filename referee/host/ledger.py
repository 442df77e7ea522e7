"""What is written down of a fault: what the bot was asked for, and what came.

The same fault of the same bot reads the same in every run: no times, ids or attempts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from referee.host.faults import Fault
from referee.host.ports import FaultEntry
from referee.host.seat import OPENING
from referee.rules.cards import Hand, card_name, cards_of
from referee.table.machine import DecisionKind

if TYPE_CHECKING:
    from referee.host.seat import Seat

MOST_ENTRIES: Final = 100
"""Of one match: what comes after that is only counted."""

_CAME: Final = {
    Fault.TIMEOUT: "nothing in time",
    Fault.DISCONNECT: "nothing: the bot was not connected",
    Fault.STALL: "nothing: the bot did not read its stream",
    Fault.FLOOD: "more messages than are allowed",
}


def entry_of(seat: Seat, kind: Fault, came: str) -> FaultEntry:
    """Return what is written down of a fault at *seat* now; *came* is what the bot sent, if it did."""
    table = seat.match.table
    decision, play, expected = "", 0, ""
    if seat.state == OPENING:
        decision, expected = "ready", "ready"
    elif table.kind is not None and seat.position in table.to_act:
        decision = table.kind.name.lower()
        expected = _expected(seat, table.kind)
        if table.kind is DecisionKind.PLAY:
            play = 1 + sum(isinstance(entry, int) for entry in table.log[table.play_start :])
    return FaultEntry(seat.position, table.number, kind.value, decision, play, expected, came or _CAME.get(kind, ""))


def _expected(seat: Seat, kind: DecisionKind) -> str:
    table = seat.match.table
    match kind:
        case DecisionKind.PASS:
            return f"{table.variant.pass_count} of {_names(table.hands[seat.position])}"
        case DecisionKind.RETURN:
            return " or ".join(card_name(card) for card in table.received(seat.position))
        case DecisionKind.PLAY:
            return _names(Hand(table.legal))
        case DecisionKind.MOON:
            return "others_plus or self_minus"


def _names(hand: Hand) -> str:
    return " ".join(card_name(card) for card in cards_of(hand))


def came_cards(numbers: Sequence[int]) -> str:
    """Return cards that a bot sent, numbered from 0, as text; what is no card is shown by its number on the wire."""
    return " ".join(card_name(card) if 0 <= card < 52 else f"card {card + 1}" for card in numbers) or "no card"  # type: ignore[arg-type]
