"""Standings of a tournament, computed when asked for and kept until there is another result.

Results are read by the service and rated by `arena.ratings`, which alone knows how. The numerics are imported when the
first standings are asked for, so that a process that never rates never loads them.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from arena.service.planning import Plan, Plans
from arena.service.results import Result, decode_result
from arena.storage.ports import Damaged, TournamentId, TournamentRow, Tournaments

if TYPE_CHECKING:
    from arena.ratings.results import MatchResult

KEPT: Final = 256
"""The most rankings that are kept, the latest asked for: a reader may ask for any there has ever been."""

REST: Final = 10.0
"""A ranking that may be a little old is not computed again before this many times what the last computing took."""


@dataclass(frozen=True, slots=True)
class Rank:
    """One row of a ranking. `interval` and `score_clean` are None where the results do not tell yet.

    `deals`, `matches`, `faults` (decisions that were not the bot's own, by its fault) and `faulty_deals` (deals with a
    fault) count what the ranking is made from.
    """

    rank: int
    entrant: int
    name: str
    score: float
    interval: float | None
    score_clean: float | None
    deals: int
    matches: int
    faults: int
    faulty_deals: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking, the best first, and the canonical bytes of it: equal tournaments give equal bytes."""

    rows: tuple[Rank, ...] = ()
    blocks_used: int = 0
    blocks_total: int = 0
    canonical: bytes = b"{}"


@dataclass(slots=True)
class _Kept:
    results: int
    ranking: Ranking
    not_before: float


class Rankings:
    """Makes and keeps rankings. *monotonic* returns seconds."""

    def __init__(self, store: Tournaments, plans: Plans, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._plans = plans
        self._monotonic = monotonic
        self._kept: OrderedDict[TournamentId, _Kept] = OrderedDict()
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()

    async def of(self, row: TournamentRow, *, recent: bool = False) -> Ranking:
        """Return the ranking of *row*. With *recent* it may lack the last results, if computing it takes long.

        Before the start there is none: it has no rows.
        """
        if row.started is None:
            return Ranking()
        lock = self._locks.setdefault(row.id, asyncio.Lock())
        async with lock:
            kept, done = self._kept.get(row.id), (await self._store.progress(row.id)).done
            if kept is not None and (kept.results == done or (recent and self._monotonic() < kept.not_before)):
                self._kept.move_to_end(row.id)
                return kept.ranking
            begun = self._monotonic()
            plan, rows = await self._plans.of(row), await self._store.results(row.id)
            names = [entrant.name for entrant in row.entrants]
            ranking = await asyncio.to_thread(rank, plan, names, rows)
            spent = self._monotonic() - begun
            self._kept[row.id] = _Kept(len(rows), ranking, begun + spent * (1 + REST))
            self._kept.move_to_end(row.id)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return ranking

    @property
    def kept(self) -> tuple[TournamentId, ...]:
        """Return the tournaments whose rankings are kept, the one asked for longest ago first."""
        return tuple(self._kept)


def rank(plan: Plan, names: Sequence[str], rows: Mapping[int, bytes]) -> Ranking:
    """Return the ranking of the entrants *names* from stored result rows by match number."""
    from arena.ratings.standings import standings, to_json  # noqa: PLC0415 - loads numpy

    results = {number: decode_result(rows[number], number) for number in sorted(rows)}
    if odd := [number for number in results if not 0 <= number < len(plan.schedule)]:
        raise Damaged(f"the results of tournament {plan.spec.name}", f"there is no match {odd[0]}")
    made = standings(names, [_rated(plan, number, result) for number, result in results.items()], plan.schedule)
    faults = _faults(plan, results, made.blocks_used)
    return Ranking(
        rows=tuple(
            Rank(
                rank=row.rank,
                entrant=row.entrant,
                name=row.name,
                score=row.score,
                interval=row.interval,
                score_clean=row.score_clean,
                deals=row.deals,
                matches=row.matches,
                faults=faults[row.entrant],
                faulty_deals=row.faulty_deals,
            )
            for row in made.rows
        ),
        blocks_used=made.blocks_used,
        blocks_total=made.blocks_total,
        canonical=json.dumps(to_json(made), sort_keys=True, separators=(",", ":")).encode("ascii"),
    )


def _faults(plan: Plan, results: Mapping[int, Result], blocks: int) -> Counter[int]:
    """Return by entrant how many decisions were not the bot's own, by its fault, in the first *blocks* blocks."""
    faults: Counter[int] = Counter()
    for block in range(blocks):
        for number in plan.schedule.matches_of_block(block):
            for entrant, kinds in zip(plan.schedule.match(number).seating, results[number].faults, strict=True):
                faults[entrant] += sum(kinds.values())
    return faults


def _rated(plan: Plan, number: int, result: Result) -> MatchResult:
    from arena.ratings.results import DealResult, MatchResult  # noqa: PLC0415 - as above

    match = plan.schedule.match(number)
    return MatchResult(
        number=number,
        round=match.round,
        block=match.block,
        seating=match.seating,
        board=match.board,
        deals=tuple(
            DealResult(deal, points, faulted)
            for deal, (points, faulted) in enumerate(zip(result.points, result.faulted, strict=True), start=1)
        ),
        places=result.places if plan.variant.target is not None else None,
    )
