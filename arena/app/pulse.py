"""Whether storage answers this process: asked once a second, so that `/ready` need not ask, and the log tells it.

The scheduler and the referee know it from their own work; the API has no work of its own, only callers, and whoever
spreads them over several must hear that one of them can do nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from arena.service.outage import Outage
from arena.storage.ports import Damaged, StorageUnavailable

EVERY: Final = 1.0
STALE_SECONDS: Final = 5.0
"""Without an answer for so long storage counts as away."""


class Pulse:
    """Asks storage by *ask*, until `run` is cancelled. *monotonic* returns seconds."""

    def __init__(self, ask: Callable[[], Awaitable[object]], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._ask = ask
        self._monotonic = monotonic
        self._answered = monotonic()

    @property
    def heard(self) -> bool:
        """Whether storage has answered lately."""
        return self._monotonic() - self._answered < STALE_SECONDS

    async def run(self) -> None:
        """Ask until cancelled; storage's absence is waited out."""
        outage = Outage("pulse")
        while True:
            try:
                await self._ask()
            except (StorageUnavailable, Damaged) as error:
                outage.begins(error)
            else:
                self._answered = self._monotonic()
                outage.ends()
            await asyncio.sleep(EVERY)
