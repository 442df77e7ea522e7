"""The ledgers of tournaments, for one process.

The scheduler says which tournaments it is done with. Readers may ask for any of all there have ever been, so theirs are
bounded: the latest few are kept, and what is asked for again is read again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from arena.service.ledger import Ledger, refresh
from arena.service.planning import Plan, Plans
from arena.storage.ports import TournamentId, TournamentRow, Tournaments

READ: Final = 64
READ_MATCHES: Final = 1_000_000
"""Of what readers ask for: the most tournaments that are kept, and the most results in all, some 60 bytes each."""


@dataclass(slots=True)
class _Entry:
    plan: Plan
    ledger: Ledger
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Ledgers:
    """Keeps a ledger for every tournament asked for, up to date as of the asking; only the latest if *bounded*."""

    def __init__(self, store: Tournaments, plans: Plans, *, bounded: bool = False) -> None:
        self._store = store
        self._plans = plans
        self._bounded = bounded
        self._entries: OrderedDict[TournamentId, _Entry] = OrderedDict()

    async def of(self, row: TournamentRow) -> tuple[Plan, Ledger]:
        """Return plan and ledger of a tournament that has been started."""
        entry = self._entries.get(row.id)
        if entry is None:
            plan = await self._plans.of(row)
            entry = self._entries.setdefault(row.id, _Entry(plan, Ledger(plan.schedule)))
        async with entry.lock:  # two refreshes at once could take an older answer for a newer one
            await refresh(entry.ledger, self._store, row.id)
        if self._bounded and row.id in self._entries:
            self._entries.move_to_end(row.id)
            self._shrink()
        return entry.plan, entry.ledger

    def forget(self, keep: set[TournamentId]) -> None:
        """Drop the ledgers of all tournaments but those in *keep*."""
        for ident in self._entries.keys() - keep:
            del self._entries[ident]

    @property
    def kept(self) -> tuple[TournamentId, ...]:
        """Return the tournaments whose ledgers are kept, the one asked for longest ago first."""
        return tuple(self._entries)

    def _shrink(self) -> None:
        results = sum(len(entry.ledger.done) for entry in self._entries.values())
        while len(self._entries) > 1 and (len(self._entries) > READ or results > READ_MATCHES):
            _, entry = self._entries.popitem(last=False)
            results -= len(entry.ledger.done)
