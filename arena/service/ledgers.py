"""The ledgers of all tournaments in play, for one process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from arena.service.ledger import Ledger, refresh
from arena.service.planning import Plan, Plans
from arena.storage.ports import TournamentId, TournamentRow, Tournaments


@dataclass(slots=True)
class _Entry:
    ledger: Ledger
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Ledgers:
    """Keeps a ledger for every tournament asked for, up to date as of the asking."""

    def __init__(self, store: Tournaments, plans: Plans) -> None:
        self._store = store
        self._plans = plans
        self._entries: dict[TournamentId, _Entry] = {}

    async def of(self, row: TournamentRow) -> tuple[Plan, Ledger]:
        """Return plan and ledger of a tournament that has been started."""
        plan = await self._plans.of(row)
        entry = self._entries.setdefault(row.id, _Entry(Ledger(plan.schedule)))
        async with entry.lock:  # two refreshes at once could take an older answer for a newer one
            await refresh(entry.ledger, self._store, row.id)
        return plan, entry.ledger

    def forget(self, keep: set[TournamentId]) -> None:
        """Drop the ledgers of all tournaments but those in *keep*."""
        for ident in self._entries.keys() - keep:
            del self._entries[ident]
