"""What was stored by another version is refused or migrated, once."""

import asyncio

import pytest

from arena.storage import keys
from arena.storage.connect import Storage, open_storage
from arena.storage.ports import StorageUnfit
from arena.storage.redis_store.db import Db
from arena.storage.schema import SCHEMA, ensure_schema


async def test_the_schema_is_written_from_the_first_day(storage: Storage) -> None:
    """Opening an empty Redis writes the version of what will be stored."""
    assert await storage.client.get(keys.SCHEMA) == str(SCHEMA).encode()


async def test_a_newer_schema_is_refused_and_left_alone(storage: Storage, redis_url: str) -> None:
    """A newer version is refused with both numbers and what to do; nothing is changed."""
    await storage.client.set(keys.SCHEMA, SCHEMA + 1)
    with pytest.raises(StorageUnfit, match=r"schema 2, written by a newer .* Upgrade"):
        await open_storage(redis_url)
    assert await storage.client.get(keys.SCHEMA) == b"2"


async def test_an_older_schema_is_migrated_by_one_process(storage: Storage) -> None:
    """However many processes come at once, each step is taken once and in order, and all wait for it."""
    db = Db(storage.client)
    steps: list[int] = []

    async def first(_: Db) -> None:
        steps.append(1)

    async def second(_: Db) -> None:
        steps.append(2)

    migrations = {1: first, 2: second}
    await asyncio.gather(*(ensure_schema(db, version=3, migrations=migrations) for _ in range(5)))
    assert steps == [1, 2]
    assert await storage.client.get(keys.SCHEMA) == b"3"
    assert await storage.client.get(keys.SCHEMA_LOCK) is None


async def test_a_schema_without_a_way_from_it_is_refused(storage: Storage) -> None:
    """When a step is missing the refusal says so, and the lock is free again."""
    with pytest.raises(StorageUnfit, match="no way from there"):
        await ensure_schema(Db(storage.client), version=2, migrations={})
    assert await storage.client.get(keys.SCHEMA_LOCK) is None


async def test_waiting_for_another_migration_has_an_end(storage: Storage) -> None:
    """A lock that is held for too long is told of, with what to do."""
    await storage.client.set(keys.SCHEMA_LOCK, b"somebody")
    with pytest.raises(StorageUnfit, match="another process has been migrating"):
        await ensure_schema(Db(storage.client), version=2, migrations={}, patience=0.05)
