"""What a session may do beside playing, and what follows when it does too much of it.

A bot may send as much as it is asked for: an answer to an open decision and the `Ready` of a seat cost nothing. All
else is waste: messages with nothing in them, answers to what is not open, of which a bucket holds a few hundred. So no
honest bot is ever limited, however fast it plays, and one that floods is told apart by its first seconds.
Answers that come too late are no waste, as many as were waited for in vain: a bot that was frozen for a minute sends
thousands of them.

A bot that reads answers. One that has been sent a lot since it last did, and does not for long, does not read: what
gRPC buffers for it would tell so only after megabytes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from referee.host import discipline
from referee.host.buckets import Bucket
from referee.host.faults import SOURCE_OF, Fault
from referee.host.seat import OPENING
from referee.host.session import End, Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.host.hall import Hall
    from referee.host.seat import Seat

BAN: Final = 5.0
"""Seconds after which a bot that has flooded may come back."""

STALLED: Final = End("STREAM_STALLED", "the bot does not read its stream: read it all the time")


def end_at_fault(hall: Hall, session: Session, end: End, kind: Fault, came: str = "") -> None:
    """End *session* for what its bot did: each of its seats counts a fault, and open decisions get substitutes."""
    for seat in list(session.seats.values()):
        if not seat.autopilot and not seat.match.over:
            seat.match.guarded(partial(_charge, seat, kind, end.text, came))
    hall.end(session, end)


def _charge(seat: Seat, kind: Fault, text: str, came: str) -> None:
    discipline.fault(seat, kind, text, came=came)
    if seat.autopilot or seat.state != OPENING:  # else it may come back to warm up
        seat.match.settle(seat, SOURCE_OF[kind])


def check_waste(hall: Hall, session: Session, now: float) -> None:
    """Count what *session* has sent in vain, and end it if that is too much."""
    wasted, session.wasted = session.wasted, 0
    forgiven = min(wasted, session.lapsed)
    session.lapsed -= forgiven
    if session.spare is None:
        session.spare = Bucket(hall.config.waste_rate, hall.config.waste_burst, now)
    if not session.spare.spend(wasted - forgiven, now):
        hall.arrivals.bar(session.bot, BAN, now)
        text = (
            f"too many messages and answers that nobody waits for: "
            f"{hall.config.waste_rate} a second are allowed, {hall.config.waste_burst} at once"
        )
        end_at_fault(hall, session, End("TOO_MANY_MESSAGES", text), Fault.FLOOD)


def end_stalled(hall: Hall, sessions: Iterable[Session], monotonic: float) -> None:
    """End those of *sessions* that do not read. *monotonic* is the time by which frames are written."""
    config = hall.config
    now = hall.clock.now()
    for session in sessions:
        stuck = 0.0 < session.writing_since < monotonic - config.stall
        full = session.unread > config.unread_bytes and session.answered_at < now - config.stall
        if stuck or full:
            end_at_fault(hall, session, STALLED, Fault.STALL)
