"""Wakeups over Redis' publish and subscribe. Nothing is stored: a hint that is lost costs a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

from redis.exceptions import RedisError

from arena.storage.keys import WAKE
from arena.storage.redis_store.db import Db, means_unavailable

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0


class RedisWakeups:
    """A `Wakeups`."""

    def __init__(self, db: Db) -> None:
        self._db = db

    async def publish(self, topic: str) -> None:
        """Wake who listens to *topic*."""
        await self._db.command("PUBLISH", f"{WAKE}{topic}", b"")

    async def listen(self, *topics: str) -> AsyncIterator[str]:
        """Yield topics as they are published, the empty text once a second otherwise, also while Redis is away."""
        channels = [f"{WAKE}{topic}" for topic in topics]
        while True:
            try:
                async with self._db.client.pubsub() as pubsub:
                    await pubsub.subscribe(*channels)
                    while True:
                        message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=LOOK_SECONDS)
                        yield "" if message is None else message["channel"].decode().removeprefix(WAKE)
            except (RedisError, OSError) as error:
                if not means_unavailable(error):
                    raise
                logger.debug("cannot listen for wakeups: %s", error)
            await asyncio.sleep(LOOK_SECONDS)
            yield ""
