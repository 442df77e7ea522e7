"""Tournament rows: read, and changed one at a time.

Storage refuses a change when the state has changed meanwhile, but knows nothing of the rest of a row. Two changes of
one row must therefore not overlap: all of them go through `Rows.edit`, which lets one at a time through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

from arena.service import topics
from arena.storage.ports import StorageUnavailable, TournamentId, TournamentRow, Tournaments, Wakeups


class Rows:
    """The tournaments' rows in storage."""

    def __init__(self, store: Tournaments, wakeups: Wakeups) -> None:
        self.store = store
        self._wakeups = wakeups
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()

    async def edit(self, ident: TournamentId, change: Callable[[TournamentRow], TournamentRow]) -> TournamentRow:
        """Store what *change* makes of the row, and return that; nothing is stored if it stays equal.

        *change* may raise to refuse. Raises `StaleState` if another process changed the state in between.
        """
        lock = self._locks.setdefault(ident, asyncio.Lock())
        async with lock:
            row = await self.store.tournament(ident)
            changed = change(row)
            if changed == row:
                return row
            await self.store.change(changed, expect=row.state)
        await self.publish(topics.TOURNAMENTS)
        return changed

    async def publish(self, topic: str) -> None:
        """Wake who waits for *topic*; a hint that cannot be given is not missed."""
        with suppress(StorageUnavailable):
            await self._wakeups.publish(topic)
