"""Wakeups, heard once for a whole process and handed to all who wait in it.

Anybody may cause any number of them, an owner by entering and withdrawing a bot again and again. So whoever works when
one comes rests after it, for a multiple of what the work took: wakeups make work sooner, but never more than its share.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from arena.service import topics
from arena.storage.ports import Wakeups

SHORTEST: Final = 0.02
"""Seconds to rest at least."""

REST: Final = 4.0
"""Work is followed by a rest of so many times its own length, so that it costs a fifth of a core at most."""


def rest_after(spent: float, most: float) -> float:
    """Return how many seconds to rest after work that took *spent* seconds, at most about *most*."""
    return max(SHORTEST, min(REST * spent, most))


class News:
    """What tasks of this process wait on for something to change anywhere. `run` must run for it to work."""

    def __init__(self, wakeups: Wakeups, about: Sequence[str] = topics.ALL) -> None:
        self._wakeups = wakeups
        self._about = about
        self._changed = asyncio.Event()
        self.heard: Counter[str] = Counter()

    async def run(self) -> None:
        """Listen until cancelled."""
        async for topic in self._wakeups.listen(*self._about):
            if topic:
                self.tell(topic)

    def tell(self, topic: str) -> None:
        """Wake all who wait, and count *topic* in `heard`."""
        self.heard[topic] += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def watch(self) -> Callable[[float], Awaitable[None]]:
        """Return a function that waits until something changes after this call, at most so many seconds.

        Take it before looking at what may change, so that no change between the look and the wait is missed.
        """
        changed = self._changed

        async def wait(seconds: float) -> None:
            try:
                async with asyncio.timeout(seconds):
                    await changed.wait()
            except TimeoutError:
                pass

        return wait
