"""Which matches to play next: a pure choice.

Matches go in schedule order, as far as the window of blocks, the bots' rooms, the referees' rooms and the boards allow:

* of a tournament, only matches of the first `window` incomplete blocks are in flight, so that blocks complete early;
* a tournament that replays boards begins with few matches at once, so that its first blocks complete early too, and
  has soon all that fits;
* a bot gets no more tables than its sessions have room for, over all tournaments;
* two seatings of one board never run at the same time for the same bot, which could compare them;
* tournaments take turns, so that a long one does not starve a short one.

A match whose bot is absent is passed over, unless the bot is excused: then it is played by substitutes.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.schedule.plan import Boards, MatchPlan
from arena.service.fitness import lacks
from arena.service.ledger import Ledger
from arena.storage.ports import BotId, MatchKey, MatchState, Presence, Referee, TournamentId
from referee.rules.variant import Variant

PLAYING = (MatchState.READY, MatchState.HOSTED)
REPLAYED: Final = (Boards.ROTATIONS, Boards.BALANCED)
FIRST: Final = 4
"""So many matches at once a tournament that replays boards begins with; then it has twice as many as it has played."""


@dataclass(frozen=True, slots=True)
class Rooms:
    """What the fleet has room for: tables by bot, and tables in all. A bot that is not there has no entry."""

    tables: Mapping[BotId, int]
    capacity: int
    presences: Sequence[Presence] = ()
    """What `tables` is the sum of, an instance once."""

    def under(self, rules: Variant | None, bots: Collection[BotId]) -> Mapping[BotId, int]:
        """Return the tables of those of *bots* that can play these *rules*, without rooms of sessions that cannot."""
        if rules is None:
            return self.tables
        kinds = {presence.abilities for presence in self.presences}  # few, however many bots there are
        short = {abilities for abilities in kinds if lacks(abilities, rules)}
        unable: Counter[BotId] = Counter()
        for presence in self.presences if short else ():
            if presence.abilities in short:
                unable[presence.bot] += presence.tables
        return {bot: room for bot in bots if (room := self.tables.get(bot, 0) - unable[bot]) > 0}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tournament in play. `bots` by entrant number; nobody waits for the `excused`; no new matches if `paused`.

    Without `rules` every bot can play it.
    """

    tournament: TournamentId
    ledger: Ledger
    bots: Sequence[BotId]
    excused: Collection[BotId] = ()
    window: int = 32
    concurrency: int = 0
    paused: bool = False
    rules: Variant | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Matches to put in line, in order; and by tournament the absent bots that matches were passed over for.

    A bot that is there but cannot play the rules is absent.
    """

    ready: tuple[MatchKey, ...] = ()
    absent: Mapping[TournamentId, frozenset[BotId]] = field(default_factory=dict)


def rooms_of(referees: Sequence[Referee], presences: Sequence[Presence]) -> Rooms:
    """Return what live referees that take new tables have room for."""
    taking = {referee.id: referee.capacity for referee in referees if not referee.draining}
    instances: dict[tuple[BotId, str], Presence] = {}
    for presence in presences:
        if presence.referee in taking:
            # An instance that visits several referees has room for its tables only once.
            key = (presence.bot, presence.instance)
            if key not in instances or instances[key].tables < presence.tables:
                instances[key] = presence
    tables: Counter[BotId] = Counter()
    for presence in instances.values():
        tables[presence.bot] += presence.tables
    return Rooms(dict(tables), sum(taking.values()), tuple(instances.values()))


def choose(candidates: Sequence[Candidate], rooms: Rooms) -> Choice:
    """Return the matches that can be put in line now."""
    state = _State(rooms)
    for candidate in candidates:
        for match, where in candidate.ledger.in_flight.values():
            if where in PLAYING:
                state.occupy(candidate, match)
    turns = [state.eligible(candidate) for candidate in candidates if not candidate.paused]
    ready: list[MatchKey] = []
    while turns and state.free > 0:
        still = []
        for turn in turns:
            key = next(turn, None) if state.free > 0 else None
            if key is not None:
                ready.append(key)
                still.append(turn)
        turns = still
    return Choice(tuple(ready), {ident: frozenset(bots) for ident, bots in state.absent.items()})


class _State:
    """What is taken so far."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.free = rooms.capacity
        self.absent: defaultdict[TournamentId, set[BotId]] = defaultdict(set)
        self._seated: Counter[BotId] = Counter()
        self._boards: defaultdict[tuple[TournamentId, str], set[int]] = defaultdict(set)
        self._running: Counter[TournamentId] = Counter()

    def occupy(self, candidate: Candidate, match: MatchPlan) -> None:
        """Count *match* as being played."""
        self.free -= 1
        self._running[candidate.tournament] += 1
        self._boards[candidate.tournament, match.board].update(match.seating)
        for entrant in match.seating:
            self._seated[candidate.bots[entrant]] += 1

    def eligible(self, candidate: Candidate) -> Iterator[MatchKey]:
        """Yield the matches of *candidate* that fit in, each counted as being played once it is yielded."""
        ledger, ident, most = candidate.ledger, candidate.tournament, _most(candidate)
        tables = self.rooms.under(candidate.rules, candidate.bots)
        for numbers in ledger.open_blocks(candidate.window):
            for number in numbers:
                if self._running[ident] >= most:
                    return
                if number in ledger.done or number in ledger.in_flight:
                    continue
                match = ledger.schedule.match(number)
                if self._fits(candidate, match, tables):
                    self.occupy(candidate, match)
                    yield MatchKey(ident, number)

    def _fits(self, candidate: Candidate, match: MatchPlan, tables: Mapping[BotId, int]) -> bool:
        bots = [candidate.bots[entrant] for entrant in match.seating]
        needed = [bot for bot in bots if bot not in candidate.excused]
        absent = [bot for bot in needed if bot not in tables]
        if absent:
            self.absent[candidate.tournament].update(absent)
            return False
        if any(self._seated[bot] >= tables[bot] for bot in needed):
            return False
        return self._boards[candidate.tournament, match.board].isdisjoint(match.seating)


def _most(candidate: Candidate) -> float:
    """Return how many matches of *candidate* may be in flight now; without a limit, infinity.

    Seatings of a replayed board follow one another, so blocks that are begun together end together, and standings read
    whole blocks only: who began with all that fits would see no ranking for a long time, in a short tournament until
    its end. So those begin with few matches at once, which are slower together than many, and double them as they end.
    """
    most = candidate.concurrency or math.inf
    if candidate.ledger.schedule.format.boards in REPLAYED:
        most = min(most, max(FIRST, 2 * len(candidate.ledger.done)))
    return most
