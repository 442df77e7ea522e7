"""Storage opened from one URL: checked, wired, ready. The only place that knows which adapter answers which port.

URLs: `redis://[user:password@]host:port/db`, `rediss://...`, `unix:///path/to/socket?db=0`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import AuthenticationError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from arena.errors import ConfigError
from arena.storage.fitness import check_fitness
from arena.storage.instrumented import StorageMetrics, measured
from arena.storage.ports import (
    Fleet,
    Registry,
    StorageUnavailable,
    StorageUnfit,
    Tournaments,
    Visits,
    Wakeups,
    WorkQueue,
)
from arena.storage.redis_store import RedisFleet, RedisRegistry, RedisTournaments, RedisVisits, RedisWakeups
from arena.storage.redis_store.db import Db, translated
from arena.storage.schema import ensure_schema

if TYPE_CHECKING:
    from arena.storage.queue import DocketQueue

CONNECTIONS = 32
"""A burst waits for one of these instead of failing."""

ANSWER_SECONDS = 10.0
CONNECT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Storage:
    """All ports of storage on one Redis. `client` is for measurements and for tests."""

    registry: Registry
    tournaments: Tournaments
    fleet: Fleet
    visits: Visits
    wakeups: Wakeups
    queue: WorkQueue
    client: Redis
    closing: DocketQueue

    async def aclose(self) -> None:
        """Close all connections."""
        await self.closing.aclose()
        await self.client.aclose()


async def open_storage(url: str, metrics: StorageMetrics | None = None, *, require_aof: bool = True) -> Storage:
    """Connect, check that this Redis will do, and return the ports.

    Raise `ConfigError` for a URL that cannot be one, `StorageUnavailable` when it cannot be reached, `StorageUnfit`
    when it cannot be used; all say what to do.
    """
    from arena.storage.queue import DocketQueue  # noqa: PLC0415 - half a second, which `open_registry` need not spend

    client = await connect(url, require_aof=require_aof)
    db = Db(client)
    queue = DocketQueue(url, db)
    try:
        await ensure_schema(db)
        await queue.open()
    except BaseException:
        await queue.aclose()
        await client.aclose()
        raise
    return Storage(
        registry=measured(RedisRegistry(db), "registry", metrics),
        tournaments=measured(RedisTournaments(db, queue.put), "tournaments", metrics),
        fleet=measured(RedisFleet(db, queue.requeue_ready), "fleet", metrics),
        visits=measured(RedisVisits(db), "visits", metrics),
        wakeups=measured(RedisWakeups(db), "wakeups", metrics),
        queue=queue,
        client=client,
        closing=queue,
    )


@asynccontextmanager
async def open_registry(url: str, *, require_aof: bool = True) -> AsyncIterator[Registry]:
    """Give the registry alone, for as long as the block lasts. Raises what `open_storage` raises."""
    client = await connect(url, require_aof=require_aof)
    try:
        db = Db(client)
        await ensure_schema(db)
        yield RedisRegistry(db)
    finally:
        await client.aclose()


async def connect(url: str, *, require_aof: bool = True) -> Redis:
    """Return a client of a Redis that can be reached and will do."""
    client = client_of(url)
    try:
        with translated():
            await client.ping()
        await check_fitness(client, require_aof=require_aof)
    except StorageUnavailable as error:
        await client.aclose()
        why = str(error.__cause__).rstrip(".")
        if _is_refused_login(error):
            raise StorageUnfit(
                f"Redis at {shown(url)} refuses the login: {why}. Put user and password into the URL: "
                "redis://USER:PASSWORD@HOST:PORT/0."
            ) from error
        raise StorageUnavailable(
            f"Redis at {shown(url)} cannot be reached: {why}. Start it, or correct ARENA_REDIS_URL; "
            "without that variable `arena serve` brings its own."
        ) from error
    except RedisError as error:
        await client.aclose()
        raise StorageUnfit(
            f"What answers at {shown(url)} is no Redis that the arena can use: {error}. Correct ARENA_REDIS_URL, "
            "its address and the number of the database."
        ) from error
    except BaseException:
        await client.aclose()
        raise
    return client


def _is_refused_login(error: BaseException | None) -> bool:
    """Tell whether the server wants another user or password; redis-py wraps that into a broken connection."""
    while error is not None:
        # The text is that of a greeting refused for want of any password.
        if isinstance(error, AuthenticationError) or "must be called with the client already authenticated" in str(
            error
        ):
            return True
        error = error.__cause__
    return False


def client_of(url: str) -> Redis:
    """Return a client that is not connected yet; `ConfigError` for a URL that cannot be one."""
    try:
        _check_url(url)
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=CONNECT_SECONDS,
            # Rides out a dropped connection, not an outage: callers of the ports know how to wait.
            retry=Retry(
                ExponentialBackoff(cap=0.2, base=0.05), 2, supported_errors=(RedisConnectionError, RedisTimeoutError)
            ),
        )
        pool.connection_class(**pool.connection_kwargs)  # it raises TypeError for an option that there is not
    except (ValueError, TypeError) as error:
        text = f"{shown(url)!r} is no URL of a Redis: {str(error).rstrip('.')}"
        raise ConfigError("ARENA_REDIS_URL", f"{text}. Write redis://HOST:PORT/0 or unix:///PATH/TO/SOCKET.") from error
    return Redis.from_pool(pool)


def _check_url(url: str) -> None:
    """Raise `ValueError` where redis-py would take another place than *url* seems to name."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        if not parts.path:
            raise ValueError("the path of the socket is missing")
    elif not re.fullmatch(r"/?|/[0-9]{1,9}", parts.path):
        raise ValueError(f"{parts.path[1:]!r} is no number of a database")


def shown(url: str) -> str:
    """Return *url* without its password."""
    try:
        parts = urlsplit(url)
    except ValueError:  # who knows what is what in it
        return "***"
    if parts.password is None:
        return url
    return urlunsplit(parts._replace(netloc=f"{parts.username or ''}:***@{parts.netloc.rpartition('@')[2]}"))
