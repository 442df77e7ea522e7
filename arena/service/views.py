"""Tournaments and matches as those who read them see them: stored rows beside what follows from the plan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from arena.errors import Invalid
from arena.service.commitment import Chain
from arena.service.fitness import unfit
from arena.service.ledger import Ledger
from arena.service.ledgers import Ledgers
from arena.service.planning import Plan
from arena.service.records import OVER, Records, released
from arena.service.results import Result, decode_result
from arena.service.spec import TournamentSpec, from_stored, stored_rounds, stored_rules
from arena.service.standings import Ranking, Rankings
from arena.storage.ports import (
    BotId,
    Damaged,
    Fleet,
    MatchState,
    NotFound,
    Presence,
    TournamentId,
    TournamentRow,
    Tournaments,
)
from referee.rules.variant import Variant

CHAINS: Final = 64


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament as it stands. `revealed` is the secret of round `revealed_round` (counted from 1; 0: none)."""

    row: TournamentRow
    spec: TournamentSpec
    rules: Variant
    present: frozenset[BotId] = frozenset()
    unfit: Mapping[BotId, str] = field(default_factory=dict)
    """Entrants that are connected, but will not be seated, with why."""

    done: int = 0
    running: int = 0
    parked: int = 0
    deals: int = 0
    revealed: bytes = b""
    revealed_round: int = 0


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as it stands. `round` counts from 1; `result` is there once it is done."""

    number: int
    round: int
    block: int
    seating: tuple[int, ...]
    state: MatchState = MatchState.PLANNED
    attempt: int = 0
    result: Result | None = None
    released: bool = False


class Views:
    """Reads tournaments for those who may see them; who may is asked elsewhere."""

    def __init__(self, store: Tournaments, fleet: Fleet, ledgers: Ledgers, rankings: Rankings) -> None:
        self._store = store
        self._fleet = fleet
        self._ledgers = ledgers
        self._rankings = rankings
        self._records = Records(store)
        self._chains: dict[TournamentId, Chain] = {}

    async def presences(self) -> Sequence[Presence]:
        """Return the sessions of all bots that are connected."""
        return await self._fleet.presences()

    async def present(self) -> dict[BotId, int]:
        """Return of every bot that is connected how many of its processes are; one may be at several referees."""
        instances: dict[BotId, set[str]] = {}
        for presence in await self.presences():
            instances.setdefault(presence.bot, set()).add(presence.instance)
        return {bot: len(known) for bot, known in instances.items()}

    async def addresses(self) -> list[str]:
        """Return where bots connect: the addresses of live referees that take new tables."""
        return sorted(referee.address for referee in await self._fleet.referees() if not referee.draining)

    async def tournament(self, row: TournamentRow, presences: Sequence[Presence] | None = None) -> TournamentView:
        """Return a tournament as it stands; *presences* spares asking who is connected."""
        spec, rules = from_stored(row.spec), stored_rules(row.spec)
        sessions = await self.presences() if presences is None else presences
        here = frozenset(presence.bot for presence in sessions)
        unable = unfit(sessions, {entrant.bot for entrant in row.entrants if not entrant.withdrawn}, rules)
        if row.started is None:
            return TournamentView(row, spec, rules, here, unable)
        if row.state in OVER:
            progress, root = await self._store.progress(row.id), await self._store.secret(row.id)
            rounds = stored_rounds(row.spec)
            return TournamentView(
                row, spec, rules, here, done=progress.done, deals=progress.deals, revealed=root, revealed_round=rounds
            )
        plan, ledger = await self._ledgers.of(row)
        revealed, rounds = await self._revealed(row, plan, ledger)
        return TournamentView(
            row=row,
            spec=spec,
            rules=rules,
            present=here,
            unfit=unable,
            done=len(ledger.done),
            running=ledger.count(MatchState.HOSTED),
            parked=ledger.count(MatchState.PARKED),
            deals=ledger.deals,
            revealed=revealed,
            revealed_round=rounds,
        )

    async def tournaments(self, rows: Sequence[TournamentRow]) -> list[TournamentView]:
        """Return tournaments as they stand. Those that are damaged are left out: they say so when asked for."""
        presences, views = await self.presences(), []
        for row in rows:
            with suppress(Damaged, NotFound):  # deleted just now, or without its secret
                views.append(await self.tournament(row, presences))
        return views

    async def ranking(self, row: TournamentRow, *, recent: bool = False) -> Ranking:
        """Return the ranking; *recent* as in `Rankings.of`."""
        return await self._rankings.of(row, recent=recent)

    async def matches(self, row: TournamentRow, start: int, count: int) -> tuple[list[MatchView], int]:
        """Return *count* matches from number *start* on, in schedule order, and how many there are in all."""
        if row.started is None:
            return [], 0
        plan, ledger = await self._ledgers.of(row)
        numbers = range(start, min(start + count, len(plan.schedule)))
        rows = await self._store.match_rows(row.id, numbers)
        results = await self._results(row, [number for number in numbers if number in ledger.done])
        free = frozenset(released(plan, row.state, ledger.done, numbers))
        views = []
        for number in numbers:
            match = plan.schedule.match(number)
            state, attempt = rows.get(number, (MatchState.PLANNED, 0))
            views.append(
                MatchView(
                    number=number,
                    round=match.round + 1,
                    block=match.block,
                    seating=match.seating,
                    state=state,
                    attempt=attempt,
                    result=results.get(number),
                    released=number in free,
                )
            )
        return views, len(plan.schedule)

    async def records(self, row: TournamentRow, wanted: Sequence[int]) -> AsyncIterator[tuple[int, bytes]]:
        """Yield number and canonical record of the released matches among *wanted*, or of all if that is empty."""
        if row.started is None:
            return
        plan, ledger = await self._ledgers.of(row)
        for number in wanted:
            if number >= len(plan.schedule):
                raise Invalid("matches", number, f"0 to {len(plan.schedule) - 1}, the matches of the tournament")
        async for item in self._records.of(row, plan, frozenset(ledger.done), wanted):
            yield item

    async def _results(self, row: TournamentRow, numbers: Sequence[int]) -> dict[int, Result]:
        if not numbers:
            return {}
        stored = await self._store.results(row.id)
        return {number: decode_result(stored[number], number) for number in numbers if number in stored}

    async def _revealed(self, row: TournamentRow, plan: Plan, ledger: Ledger) -> tuple[bytes, int]:
        """Return the secret of the last round that is over, as all before it are, and the number of such rounds."""
        rounds = plan.revealed_rounds(ledger.prefix())
        if not rounds:
            return b"", 0
        chain = self._chains.get(row.id)
        if chain is None:
            if len(self._chains) >= CHAINS:
                self._chains.clear()
            chain = self._chains[row.id] = Chain(await self._store.secret(row.id), plan.schedule.rounds)
        return chain.secret(rounds - 1), rounds
