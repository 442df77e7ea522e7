"""Whether a role's user in Redis may do that role's work, asked once, at the start.

Each probe needs a right that the role cannot do without and that the users of other roles lack, and changes nothing:
it reads or removes what is never there. Without this a role with the login of another would start, say that it is
ready, and fail at its first caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from redis.asyncio import Redis

from arena.storage import keys
from arena.storage.redis_store.db import Db

Task: TypeAlias = Literal["api", "scheduler", "referee"]

_NOBODY: Final = "-"
"""No id and no digest."""

PROBES: Final[Mapping[Task, Sequence[tuple[str, ...]]]] = MappingProxyType(
    {
        "api": (
            ("HDEL", keys.TOKENS, _NOBODY),
            ("DEL", keys.secret(_NOBODY)),
            ("HDEL", keys.OWNERS, _NOBODY),
            ("HDEL", keys.TOURNAMENT_NAMES, _NOBODY),
        ),
        "scheduler": (
            ("HDEL", keys.tournament(_NOBODY), _NOBODY),
            ("HDEL", keys.TOURNAMENT_NAMES, _NOBODY),
            ("HGET", keys.OWNERS, _NOBODY),
        ),
        "referee": (
            ("HGET", keys.TOKENS, _NOBODY),
            ("GET", keys.secret(_NOBODY)),
            ("DEL", keys.ticket(_NOBODY)),
            ("HDEL", keys.results(_NOBODY), _NOBODY),
        ),
    }
)
"""By task: commands without effect."""


async def check_rights(client: Redis, *tasks: Task) -> None:
    """Raise `StorageUnfit` unless the user of *client* may do *tasks*."""
    db = Db(client)
    for task in tasks:
        for probe in PROBES[task]:
            await db.command(*probe)
