"""The scores of running tournaments, looked up now and then for the metrics; a bounded number of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from arena.service.harm import Harm
from arena.service.scheduler import SchedulerState
from arena.service.standings import Rankings
from arena.storage.ports import NotFound, StorageUnavailable

EVERY: Final = 5.0


class StandingWatch:
    """Keeps at most *most* scores by tournament and bot."""

    def __init__(self, rankings: Rankings, state: SchedulerState, most: int) -> None:
        self._rankings = rankings
        self._state = state
        self._most = most
        self._scores: dict[tuple[str, str], float] = {}
        self._harm = Harm("standing")

    def scores(self) -> Mapping[tuple[str, str], float]:
        """Return the scores as of the last look."""
        return self._scores

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            with suppress(StorageUnavailable, NotFound):  # they stay as they are
                self._scores = await self._look()
            await asyncio.sleep(EVERY)

    async def _look(self) -> dict[tuple[str, str], float]:
        scores: dict[tuple[str, str], float] = {}
        self._harm.begin()
        for row in self._state.running:
            if len(scores) + len(row.entrants) > self._most:
                continue  # all bots of a tournament, or none
            with self._harm.of(row):
                ranking = await self._rankings.of(row, recent=True)
                if ranking.blocks_used:
                    scores.update({(row.name, rank.name): rank.score for rank in ranking.rows})
        return scores
