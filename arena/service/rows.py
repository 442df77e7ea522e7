"""Tournament rows: read, and changed one at a time.

A row is read, changed and written, and storage refuses to write one that somebody else has changed since it was read:
then the change is made anew on what is there now. Within a process changes wait for each other, so that this is rare.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from weakref import WeakValueDictionary

from arena.service import topics
from arena.storage.ports import StaleState, StorageUnavailable, TournamentId, TournamentRow, Tournaments, Wakeups

ATTEMPTS: Final = 10


class Rows:
    """The tournaments' rows in storage."""

    def __init__(self, store: Tournaments, wakeups: Wakeups) -> None:
        self.store = store
        self._wakeups = wakeups
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()

    async def edit(self, ident: TournamentId, change: Callable[[TournamentRow], TournamentRow]) -> TournamentRow:
        """Store what *change* makes of the row, and return that; nothing is stored if it stays equal.

        *change* may be called several times, and may raise to refuse. Raises `StaleState` if other processes were
        faster again and again.
        """
        lock = self._locks.setdefault(ident, asyncio.Lock())
        async with lock:
            for _ in range(ATTEMPTS - 1):
                with suppress(StaleState):
                    return await self._try(ident, change)
            return await self._try(ident, change)

    async def _try(self, ident: TournamentId, change: Callable[[TournamentRow], TournamentRow]) -> TournamentRow:
        row = await self.store.tournament(ident)
        changed = change(row)
        if changed != row:
            await self.store.change(changed, expect=row.state)
            await self.publish(topics.TOURNAMENTS)
        return changed

    async def publish(self, topic: str) -> None:
        """Wake who waits for *topic*; a hint that cannot be given is not missed."""
        with suppress(StorageUnavailable):
            await self._wakeups.publish(topic)
