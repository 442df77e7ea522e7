"""What is known of a running tournament's matches, kept up to date by differences.

Storage tells how many matches have a result, and which are in flight. A match that was in flight and is no more has
got its result, so one small read tells all; when the count does not agree (another scheduler was at work, or this one
is new), the numbers are read in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.schedule.plan import MatchPlan, Schedule
from arena.storage.ports import MatchState, Progress, TournamentId, Tournaments, reading


class Ledger:
    """The matches of one tournament that are done or in flight."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.done: set[int] = set()
        self.deals = 0
        self.in_flight: dict[int, tuple[MatchPlan, MatchState]] = {}
        self._prefix = 0
        self._open_from = 0  # blocks before this are complete

    def observe(self, progress: Progress) -> bool:
        """Take in what storage tells; return False if the numbers of the done matches must be read in full."""
        gone = self.in_flight.keys() - progress.in_flight.keys()
        self.done |= gone
        schedule, known = self.schedule, self.in_flight
        self.in_flight = {
            number: (known[number][0] if number in known else schedule.match(number), state)
            for number, state in progress.in_flight.items()
        }
        self.deals = progress.deals
        return len(self.done) == progress.done

    def line_up(self, numbers: Iterable[int]) -> None:
        """Note matches that were put in line just now, so that one that ends before the next look is not missed."""
        for number in numbers:
            self.in_flight.setdefault(number, (self.schedule.match(number), MatchState.READY))

    def load(self, done: frozenset[int]) -> None:
        """Take the numbers of the done matches as they stand in storage."""
        self.done = set(done)
        self._prefix = self._open_from = 0

    @property
    def complete(self) -> bool:
        """Whether every match has its result."""
        return len(self.done) >= len(self.schedule)

    def prefix(self) -> int:
        """Return how many matches from the first on have their results, without a gap."""
        while self._prefix in self.done:
            self._prefix += 1
        return self._prefix

    def count(self, state: MatchState) -> int:
        """Return how many matches in flight are in *state*."""
        return sum(1 for _, other in self.in_flight.values() if other is state)

    def open_blocks(self, window: int) -> Iterator[range]:
        """Yield the matches of the first *window* blocks that are not complete, in schedule order."""
        schedule = self.schedule
        leading = True
        for block in range(self._open_from, schedule.blocks):
            matches = schedule.matches_of_block(block)
            if all(number in self.done for number in matches):
                if leading:
                    self._open_from = block + 1
                continue
            leading = False
            yield matches
            window -= 1
            if window <= 0:
                return


async def refresh(ledger: Ledger, store: Tournaments, ident: TournamentId) -> None:
    """Bring *ledger* up to date."""
    progress = await store.progress(ident)
    with reading(f"the matches of tournament {ident!r}"):
        known = ledger.observe(progress)
    if not known:
        ledger.load(await store.result_numbers(ident))
