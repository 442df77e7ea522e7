"""A stream that lasts no longer than the token that opened it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, TypeVar

Item = TypeVar("Item")

LOOK_SECONDS: Final = 1.0


async def while_good(
    items: AsyncGenerator[Item, None], check: Callable[[], Awaitable[object]], every: float = LOOK_SECONDS
) -> AsyncGenerator[Item, None]:
    """Yield *items*, asking *check* every so many seconds, also while nothing comes; what it raises ends the stream."""
    now = asyncio.get_running_loop().time
    due = now() + every
    following: asyncio.Task[Item] | None = None
    try:
        while True:
            following = following or asyncio.ensure_future(anext(items))
            await asyncio.wait((following,), timeout=due - now())
            if now() >= due:
                await check()
                due = now() + every
            elif following.done():
                try:
                    item = following.result()
                except StopAsyncIteration:
                    return
                following = None
                yield item
    finally:
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        await items.aclose()
