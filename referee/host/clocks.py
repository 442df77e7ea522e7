"""Fair time, and the deadlines of open decisions.

Two things would make a bot pay for our own slowness, and neither may.
Time that our event loop lost, because it was stopped or busy, is taken off the clock: `FairClock` stands still from
`GAP` seconds after a look was due until that look is taken.
An answer may already lie in a socket when its deadline passes: a deadline that passed makes a seat a *suspect*, and
only a later look, with the socket read in between, makes it late.

A seat has one entry in the heap for all its decisions. Its deadlines only grow, so the entry is left where it is and
moved when its time comes: no heap operation happens per decision.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from referee.host.seat import Seat

TICK: Final = 0.02  # seconds between two looks at the deadlines
GAP: Final = 0.02  # a look that comes later than this was held up by us
PATIENCE: Final = 25  # looks after which a suspect is late, however busy its stream is: half a second


class FairClock:
    """Monotonic seconds, without those that our own event loop lost. Never goes backwards."""

    __slots__ = ("_monotonic", "due", "lost")

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self.lost = 0.0
        self.due = float("inf")  # when the next look is due; no look is due before the first

    def now(self) -> float:
        """Return the fair time in seconds."""
        return min(self._monotonic() - self.lost, self.due + GAP)

    def look(self) -> float:
        """Note that the event loop is alive, and take what it lost off the clock.

        Returns the delay in seconds: how much later than due this look came. It is to be called every `TICK` seconds.
        """
        now = self._monotonic() - self.lost
        behind = now - self.due
        if behind > GAP:
            self.lost += behind - GAP
            now = self.due + GAP
        self.due = now + TICK
        return max(behind, 0.0)


class Deadlines:
    """The open decisions that have a time limit. `tick` is to be called every `TICK` seconds."""

    def __init__(self, clock: FairClock, expire: Callable[[Seat], None]) -> None:
        self._clock = clock
        self._expire = expire
        self._heap: list[tuple[float, int, Seat]] = []
        self._suspects: list[tuple[Seat, int, int, int]] = []
        self._order = 0

    def now(self) -> float:
        """Return the fair time in seconds."""
        return self._clock.now()

    def watch(self, seat: Seat) -> None:
        """See to it that *seat* is looked at by its deadline. Cheap to leave out when `seat.entry` is earlier."""
        if seat.deadline < seat.entry:
            seat.entry = seat.deadline
            self._order += 1
            heapq.heappush(self._heap, (seat.deadline, self._order, seat))

    def tick(self) -> float:
        """Take our own delay off the clock, and call `expire` for the seats that are late.

        Returns the delay in seconds, as `FairClock.look` does.
        """
        behind = self._clock.look()
        now = self._clock.now()
        suspects, self._suspects = self._suspects, []
        for seat, number, frames, looks in suspects:
            if seat.number != number or seat.deadline > now or not seat.waits:
                self.watch(seat)
                continue
            session = seat.session
            # A frame that came since may have been the one before the answer: look again.
            if session is not None and session.frames != frames and looks < PATIENCE:
                self._suspects.append((seat, number, session.frames, looks + 1))
            else:
                self._expire(seat)
        heap = self._heap
        while heap and heap[0][0] <= now:
            at, _, seat = heapq.heappop(heap)
            if at != seat.entry:
                continue  # an earlier entry has taken its place
            seat.entry = float("inf")
            if not seat.waits:
                continue
            if seat.deadline > now:
                self.watch(seat)
            else:
                frames = seat.session.frames if seat.session is not None else 0
                self._suspects.append((seat, seat.number, frames, 0))
        return behind
