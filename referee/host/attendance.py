"""Who is there: how a seat is opened, warms up, loses its bot and gets it back, and what happens when its time is up.

A bot that goes keeps its seats. An open decision waits for it as long as its grace lasts; one that comes back is told
the whole deal again, with the decision. Only after that are substitutes played for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.host import discipline
from referee.host.faults import Fault
from referee.host.ports import Source
from referee.host.seat import AWAY, IDLE, NEVER, OPENING, QUEUED, SENT, Seat
from referee.host.update import SNAPSHOT, observed

if TYPE_CHECKING:
    from referee.host.session import Session


def open_seat(seat: Seat, session: Session | None) -> None:
    """Give *seat* to *session* to warm up, or to nobody yet."""
    match = seat.match
    now = match.hall.clock.now()
    seat.state = OPENING
    seat.deadline = now + match.order.clock.ready
    match.hall.deadlines.watch(seat)
    if session is None:
        seat.plain = False
        seat.away_since = now
    else:
        serve(seat, session, again=False)


def serve(seat: Seat, session: Session, *, again: bool) -> None:
    """Let *session* play *seat*; *again*: a session has played there before."""
    match = seat.match
    if seat.state == AWAY:
        seat.grace = max(0.0, seat.grace - (match.hall.clock.now() - seat.away_since))
        if seat.grace == 0.0:
            late(seat)  # the clock has just not looked yet
            if match.over:
                return
    seat.session = session
    seat.version = session.version
    seat.plain = not seat.autopilot and seat.limit == seat.full_limit
    session.seats[seat.handle] = seat
    session.opened.append((seat, again))
    seat.away_since = NEVER
    if seat.state != OPENING and match.table.log:
        table = match.table
        plays, rarer = observed(table.log[table.deal_start :], seat.position, table.variant)
        seat.sent = len(table.log)
        number = seat.number if seat.state == AWAY else 0
        if number:
            seat.state = QUEUED
            seat.deadline = NEVER
        session.outbox.append((seat, number, seat.legal, plays, [SNAPSHOT, *rarer]))
    match.hall.flusher.touch(session)


def ready(seat: Seat) -> bool:
    """Note that the bot at *seat* is warmed up; the match begins when all are. Return whether that was waited for."""
    if seat.state != OPENING:
        return False
    seat.state = IDLE
    seat.deadline = NEVER
    seat.match.begin_if_ready()
    return True


def leave(seat: Seat) -> bool:
    """Put *seat* on autopilot because its bot gives it up. Return whether it was not already."""
    given_up = not seat.autopilot
    if given_up:
        discipline.fault(seat, Fault.DISCONNECT, "the bot gave the seat up")
        discipline.put_on_autopilot(seat, "given up")
        seat.match.settle(seat, Source.AUTOPILOT)
    return given_up


def lost(seat: Seat) -> None:
    """Note that the session at *seat* is gone."""
    now = seat.match.hall.clock.now()
    if seat.state in (QUEUED, SENT):
        seat.match.await_return(seat, now)
    seat.session = None
    seat.plain = False
    seat.away_since = now


def late(seat: Seat) -> None:
    """Note that the time of *seat* is up."""
    if seat.state == OPENING:
        kind = Fault.DISCONNECT if seat.session is None else Fault.TIMEOUT
        discipline.fault(seat, kind, "not ready in time")
        discipline.put_on_autopilot(seat, "not ready in time")
        seat.match.settle(seat, Source.AUTOPILOT)
    elif seat.state == SENT:
        seat.charge(seat.bank)
        discipline.fault(seat, Fault.TIMEOUT)
        seat.match.settle(seat, Source.TIMEOUT)
    elif seat.state == AWAY:
        seat.grace = 0.0
        discipline.fault(seat, Fault.DISCONNECT)
        seat.match.settle(seat, Source.DISCONNECT)
