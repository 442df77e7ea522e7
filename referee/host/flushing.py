"""When what waits for a bot is sent.

Flushing decides the throughput, because a frame costs far more than the decisions in it. A session that owes us no
answer is sent its updates at once: one idle table has the lowest latency. One that has decisions to answer is busy; its
updates are held back until as many are waiting as it has open, at most until the next tick of the clock. So frames grow
with the load, and no timer is needed. A decision's clock starts when its frame is sent: the wait costs no bot anything.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from time import monotonic
from typing import TYPE_CHECKING, Final

from referee.host.metrics import DELAY_BOUNDS, Tally

if TYPE_CHECKING:
    from referee.host.session import Session

FULL: Final = 192  # an outbox of so many updates is flushed at once
QUIET: Final = 8  # tables up to which the latency of each counts for more than full frames


class Flusher:
    """Wakes the writers of the sessions that have something to send. `tables` is how many tables run."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tally: Tally) -> None:
        self.tables = 0
        self._loop = loop
        self._tally = tally
        self._dirty: list[Session] = []
        self._scheduled = False  # a flush will come
        self._hearing = False  # a frame is being applied

    def touch(self, session: Session) -> None:
        """Note that *session* has something to be sent."""
        if session.dirty_since == 0.0:
            session.dirty_since = monotonic()
            self._dirty.append(session)
        self.nudge()

    def nudge(self) -> None:
        """See soon whose updates need be held back no longer: after the frame in hand, or in the loop's next turn."""
        if not self._scheduled:
            self._scheduled = True
            if not self._hearing:
                self._loop.call_soon(self._flush)

    def hear(self) -> None:
        """Note that a frame is about to be applied. `heard` must follow."""
        self._hearing = True

    def heard(self) -> Session | None:
        """Note that a frame has been applied. Return the session that the caller shall send to at once, if any.

        That is for quiet halls, where a turn of the loop costs more than all the rest. It is given only a session that
        owes us nothing: its bot has read all that it was sent, so the write cannot get stuck.
        """
        self._hearing = False
        self._tally.frames_in += 1
        if not self._scheduled:
            return None
        if self.tables > QUIET:
            self._loop.call_soon(self._flush)
            return None
        dirty = self._dirty
        if len(dirty) == 1 and dirty[0].open == 0 and dirty[0].writing_since == 0.0:
            self._scheduled = False
            return dirty.pop()
        self._flush()
        return None

    def _flush(self) -> None:
        self._scheduled = False
        held = []
        for session in self._dirty:
            waiting = len(session.outbox) + len(session.opened)
            if waiting >= session.open or waiting >= FULL:
                session.wake()
            else:
                held.append(session)
        self._dirty = held

    def flush_held(self) -> None:
        """Hold nothing back any longer."""
        dirty, self._dirty = self._dirty, []
        for session in dirty:
            session.wake()

    def sent(self, session: Session, now: float) -> None:
        """Note that a frame for *session* is handed over at monotonic time *now*, with all or part of its outbox."""
        since = session.dirty_since
        if since:
            delay = now - since
            self._tally.delay[bisect_left(DELAY_BOUNDS, delay)] += session.sending
            self._tally.delay_sum += delay * session.sending
        session.sending = 0
        session.dirty_since = 0.0
        if session.has_something:
            self.touch(session)  # more than one frame holds
        self._tally.frames_out += 1
        session.writing_since = now
