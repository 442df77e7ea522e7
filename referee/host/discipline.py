"""What follows from a fault: it is counted, the bot is told, and after so many the seat is on autopilot.

A fault costs the bot that made it, and nobody else: a substitute is played, and the match goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.host.faults import TEXTS, Fault
from referee.host.session import Note

if TYPE_CHECKING:
    from referee.host.seat import Seat

AUTOPILOT: Final = "AUTOPILOT"


def fault(seat: Seat, kind: Fault, text: str = "", *, came: str = "") -> None:
    """Note a fault of the bot at *seat*, which sent *came*, and tell it. After so many it is put on autopilot."""
    match = seat.match
    match.note_fault(seat, kind, came)
    seat.faults[kind.value] = seat.faults.get(kind.value, 0) + 1
    match.hall.tally.faults[kind] += 1
    note(seat, kind.name, text or f"{TEXTS[kind]}: a substitute is played")
    if seat.fault_count >= match.order.fault_limit:
        put_on_autopilot(seat, f"{seat.fault_count} faults")


def put_on_autopilot(seat: Seat, why: str) -> None:
    """Play substitutes for *seat* from now to the end of the match."""
    if not seat.autopilot:
        seat.autopilot = True
        seat.plain = False
        seat.match.faults_now[seat.position] = True
        note(seat, AUTOPILOT, f"{why}: substitutes are played to the end of the match")


def note(seat: Seat, code: str, text: str) -> None:
    """Tell the person behind the bot at *seat*, if it is connected."""
    if seat.session is not None:
        seat.session.notes.append(Note(code, text, seat.handle))
        seat.match.hall.flusher.touch(seat.session)
