"""The one way to Redis for the adapters: commands, pipelines and named scripts, with Redis' failures translated.

Every failure that says "not now" (no connection, no answer in time, loading, not writable) becomes
`StorageUnavailable`; a key of another type than the arena gives it is `Damaged`; any other error of Redis is a bug of
ours and passes.
redis-py repeats a call whose connection broke, so a script may run twice for one call: all of them are written to be
repeated, which their headers state.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from redis.asyncio import Redis
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    NoPermissionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

from arena.storage.ports import Damaged, StorageUnavailable, StorageUnfit
from arena.storage.redis_store.damage import Damage

Argument: TypeAlias = str | bytes | float

NOT_NOW = ("BUSY", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM", "READONLY", "UNBLOCKED")
"""First words of the answers by which Redis says that it cannot do it for now."""


def means_unavailable(error: BaseException) -> bool:
    """Tell whether *error* says that Redis cannot do it for now."""
    if isinstance(error, (RedisConnectionError, RedisTimeoutError, ReadOnlyError, OutOfMemoryError, OSError)):
        return True
    return isinstance(error, ResponseError) and str(error).startswith(NOT_NOW)


@contextmanager
def translated() -> Iterator[None]:
    """Turn Redis' ways to say "not now" into `StorageUnavailable`, and a right that is missing into `StorageUnfit`."""
    try:
        yield
    except NoPermissionError as error:
        raise StorageUnfit(
            f"Redis does not let this role's user do its work: {error}. deploy/redis/users.acl has the users and their "
            "rights; give it the one of its role in ARENA_REDIS_URL."
        ) from error
    except (RedisError, OSError) as error:
        if means_unavailable(error):
            raise StorageUnavailable(f"Redis cannot be used for now: {error}") from error
        if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
            raise Damaged("a key", "it has another type than the arena gave it") from error
        raise


@cache
def script_text(name: str) -> str:
    """Return the text of `scripts/NAME.lua`."""
    return files("arena.storage").joinpath("scripts", f"{name}.lua").read_text(encoding="utf-8")


@cache
def _digest(name: str) -> str:
    return hashlib.sha1(script_text(name).encode(), usedforsecurity=False).hexdigest()


class Db:
    """A client of Redis, and its scripts."""

    def __init__(self, client: Redis) -> None:
        self.client = client
        self.damage = Damage()
        self._execute: Callable[..., Awaitable[Any]] = client.execute_command

    async def command(self, *args: Argument) -> Any:  # noqa: ANN401
        """Run one command."""
        with translated():
            return await self._execute(*args)

    async def commands(self, *commands: Sequence[Argument]) -> list[Any]:
        """Run several commands as one transaction and return their answers."""
        with translated():
            async with self.client.pipeline(transaction=True) as pipe:
                execute: Callable[..., object] = pipe.execute_command
                for command in commands:
                    execute(*command)
                return list(await pipe.execute())

    async def answers(self, *commands: Sequence[Argument]) -> list[Any]:
        """Run several commands at once and return their answers; the answer of one that was refused is the error."""
        with translated():
            async with self.client.pipeline(transaction=False) as pipe:
                execute: Callable[..., object] = pipe.execute_command
                for command in commands:
                    execute(*command)
                return list(await pipe.execute(raise_on_error=False))

    async def script(self, name: str, keys: Sequence[str], args: Sequence[Argument]) -> Any:  # noqa: ANN401
        """Run `scripts/NAME.lua`. Who may not write all of *keys* is refused, whatever the script does with them."""
        return await self._run("", name, keys, args)

    async def reading_script(self, name: str, keys: Sequence[str], args: Sequence[Argument]) -> Any:  # noqa: ANN401
        """Run `scripts/NAME.lua`, which writes nothing: who may read *keys* may run it."""
        return await self._run("_RO", name, keys, args)

    async def _run(self, kind: str, name: str, keys: Sequence[str], args: Sequence[Argument]) -> Any:  # noqa: ANN401
        with translated():
            try:
                return await self._execute(f"EVALSHA{kind}", _digest(name), len(keys), *keys, *args)
            except NoScriptError:
                return await self._execute(f"EVAL{kind}", script_text(name), len(keys), *keys, *args)
