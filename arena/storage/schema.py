"""The version of what is stored, and the way from older versions to this one.

The key `arena:schema` is written when an empty Redis is first used. A newer version than ours is refused: what it
wrote may mean something else. An older one is migrated, step by step, by the first process that comes, under a lock;
the others wait for it. To change what is stored: raise `SCHEMA` and add the step from the version before to
`MIGRATIONS`; a step must bear being repeated, for it may be cut off.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from arena.storage import keys
from arena.storage.ports import StorageUnfit
from arena.storage.redis_store.db import Db

SCHEMA = 1

Migration = Callable[[Db], Awaitable[None]]
MIGRATIONS: Mapping[int, Migration] = MappingProxyType({})
"""By the version that a step starts from; it ends at the next."""

LOCK_SECONDS = 300
WAIT_SECONDS = 0.2


async def ensure_schema(
    db: Db, *, version: int = SCHEMA, migrations: Mapping[int, Migration] = MIGRATIONS, patience: float = 120.0
) -> None:
    """Make what is stored be of *version*: written if new, migrated if older, refused with `StorageUnfit` if newer."""
    await db.command("SET", keys.SCHEMA, version, "NX")
    deadline = asyncio.get_running_loop().time() + patience
    while True:
        stored = int(await db.command("GET", keys.SCHEMA) or version)
        if stored == version:
            return
        if stored > version:
            raise StorageUnfit(
                f"The data in this Redis is of schema {stored}, written by a newer Hearts Arena; this program reads up "
                f"to schema {version}. Upgrade this program, or give it another Redis (ARENA_REDIS_URL) or data "
                "directory. Nothing was changed."
            )
        token = secrets.token_hex(8)
        if await db.command("SET", keys.SCHEMA_LOCK, token, "NX", "EX", LOCK_SECONDS):
            try:
                await _migrate(db, version, migrations)
            finally:
                if await db.command("GET", keys.SCHEMA_LOCK) == token.encode():
                    await db.command("DEL", keys.SCHEMA_LOCK)
        elif asyncio.get_running_loop().time() > deadline:
            raise StorageUnfit(
                f"The data in this Redis is of schema {stored} and another process has been migrating it for over "
                f"{patience:.0f} s. Look at that process; if it is gone, its lock ({keys.SCHEMA_LOCK}) expires within "
                f"{LOCK_SECONDS} s: start again then."
            )
        else:
            await asyncio.sleep(WAIT_SECONDS)


async def _migrate(db: Db, version: int, migrations: Mapping[int, Migration]) -> None:
    """Take the steps one by one. The version is read again: another process may have been here since."""
    for step in range(int(await db.command("GET", keys.SCHEMA)), version):
        if step not in migrations:
            raise StorageUnfit(
                f"The data in this Redis is of schema {step}, and this program (schema {version}) has no way from "
                "there. Use an older release in between, as its notes say."
            )
        await migrations[step](db)
        await db.command("SET", keys.SCHEMA, step + 1)
