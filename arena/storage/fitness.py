"""Whether a Redis will do: version, eviction, cluster mode, durability. Asked once, at the start.

Only INFO is used, which hosted Redis allows where CONFIG is forbidden. Every refusal says what is wrong and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping

from redis.asyncio import Redis

from arena.storage.ports import StorageUnfit
from arena.storage.redis_store.db import translated

OLDEST_REDIS = (7, 0)
OLDEST_VALKEY = (8, 0)


async def check_fitness(client: Redis, *, require_aof: bool) -> None:
    """Raise `StorageUnfit` unless this Redis can carry an arena."""
    info: dict[str, object] = {}
    with translated():
        # `INFO` in one go leaves out nothing that is looked at here, on Redis 7 and on Valkey.
        for section in ("server", "memory", "persistence", "cluster"):
            info.update(await client.info(section))
    judge(info, require_aof=require_aof)


def judge(info: Mapping[str, object], *, require_aof: bool) -> None:
    """Raise `StorageUnfit` for the first thing in *info*, the fields of INFO, that will not do."""
    name, version, oldest = _server(info)
    if version < oldest:
        raise StorageUnfit(
            f"{name} {_dotted(version)} is too old: the arena needs Redis >= {_dotted(OLDEST_REDIS)} or "
            f"Valkey >= {_dotted(OLDEST_VALKEY)}. Upgrade it, or leave ARENA_REDIS_URL unset to use the embedded one."
        )
    if str(info.get("cluster_enabled", "0")) != "0":
        raise StorageUnfit(
            f"This {name} is a node of a cluster, where a script cannot change several keys at once. Give the arena a "
            "server of its own without cluster-enabled; replicas are fine."
        )
    policy = str(info.get("maxmemory_policy", "noeviction"))
    if policy != "noeviction":
        raise StorageUnfit(
            f"This {name} throws data away when memory is short (maxmemory-policy {policy}), results included. Set it "
            "to noeviction: CONFIG SET maxmemory-policy noeviction, and the same in its configuration file."
        )
    if require_aof and str(info.get("aof_enabled", "0")) == "0":
        raise StorageUnfit(
            f"This {name} keeps no append-only file, so a crash would lose results. Turn it on: CONFIG SET appendonly "
            "yes, and the same in its configuration file; appendfsync always loses nothing, everysec one second."
        )


def _server(info: Mapping[str, object]) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """Return the server's name, its version and the oldest that will do."""
    # Valkey calls itself Redis 7.2.4 in redis_version, for the sake of old clients.
    if "valkey_version" in info:
        return "Valkey", _version(info["valkey_version"]), OLDEST_VALKEY
    return "Redis", _version(info.get("redis_version", "0")), OLDEST_REDIS


def _version(text: object) -> tuple[int, ...]:
    return tuple(int(part) for part in str(text).split(".") if part.isdigit())


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
