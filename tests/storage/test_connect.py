"""A Redis that will not do is refused with the reason and what to do."""

import asyncio
import socket

import pytest
from redis import Redis

from arena.errors import ConfigError
from arena.storage.connect import open_storage, shown
from arena.storage.embedded import EmbeddedValkey
from arena.storage.fitness import judge
from arena.storage.ports import StorageUnavailable, StorageUnfit

FIT = {"redis_version": "7.0.15", "cluster_enabled": 0, "maxmemory_policy": "noeviction", "aof_enabled": 1}


@pytest.mark.parametrize(
    ("info", "said"),
    [
        ({"redis_version": "6.2.14"}, r"Redis 6\.2\.14 is too old: .* Redis >= 7\.0 or Valkey >= 8\.0\. Upgrade"),
        ({"redis_version": "7.2.4", "valkey_version": "7.2.5"}, r"Valkey 7\.2\.5 is too old"),
        ({"cluster_enabled": 1}, "node of a cluster"),
        ({"maxmemory_policy": "allkeys-lru"}, "maxmemory-policy allkeys-lru.*CONFIG SET maxmemory-policy noeviction"),
        ({"aof_enabled": 0}, "no append-only file.*CONFIG SET appendonly yes"),
    ],
)
def test_an_unfit_server_is_refused(info: dict[str, object], said: str) -> None:
    """Each thing that will not do has its own sentence with the way out."""
    judge(FIT, require_aof=True)
    with pytest.raises(StorageUnfit, match=said):
        judge({**FIT, **info}, require_aof=True)


def test_an_append_only_file_may_be_done_without() -> None:
    """Where nothing needs to survive, a server without append-only file will do."""
    judge({**FIT, "aof_enabled": 0}, require_aof=False)


def test_valkey_is_judged_by_its_own_version() -> None:
    """Valkey says that it is Redis 7.2.4; what counts is its own version."""
    judge({**FIT, "redis_version": "7.2.4", "valkey_version": "8.0.1"}, require_aof=True)


async def test_eviction_and_a_missing_file_are_found_on_a_real_server(own_valkey: EmbeddedValkey) -> None:
    """What INFO says of a real server is enough to refuse it."""
    with Redis.from_url(own_valkey.url) as client:
        client.config_set("maxmemory-policy", "volatile-ttl")
        with pytest.raises(StorageUnfit, match="volatile-ttl"):
            await open_storage(own_valkey.url)
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("appendonly", "no")
        with pytest.raises(StorageUnfit, match="append-only"):
            await open_storage(own_valkey.url)
    await (await open_storage(own_valkey.url, require_aof=False)).aclose()


async def test_a_server_that_is_not_there_is_told_with_its_address() -> None:
    """Nothing listening is `StorageUnavailable`, naming the place and the variable."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(StorageUnavailable, match=rf"redis://127\.0\.0\.1:{port}/0 cannot be .*ARENA_REDIS_URL"):
            await open_storage(f"redis://127.0.0.1:{port}/0")
    with pytest.raises(StorageUnavailable, match="unix:///nonexistent/socket"):
        await open_storage("unix:///nonexistent/socket")


async def test_a_refused_login_is_told_without_the_password(own_valkey: EmbeddedValkey) -> None:
    """A wrong or missing password is our configuration's fault, not an outage."""
    with Redis.from_url(own_valkey.url) as client:
        client.config_set("requirepass", "right")
        for url in (own_valkey.url, own_valkey.url.replace("unix://", "unix://user:wrong@")):
            with pytest.raises(StorageUnfit, match="refuses the login") as refused:
                await open_storage(url)
            assert "wrong" not in str(refused.value)
        client.config_set("requirepass", "")


@pytest.mark.parametrize(
    "url",
    [
        *("", "localhost:6379", "http://localhost", "redis://[::1", "redis://h:99999/0", "redis://h/x", "redis://h/-1"),
        *("redis://h/0/1", "redis://h/0?x=1", "redis://h/0?socket_timeout=soon", "unix://", "redis://h/٣"),
    ],
)
async def test_what_is_no_url_is_refused(url: str) -> None:
    """A mistyped URL is refused with how to write one."""
    with pytest.raises(ConfigError, match=r"^ARENA_REDIS_URL: .*Write redis://HOST:PORT/0"):
        await open_storage(url)


async def test_what_answers_but_is_no_redis_is_told(own_valkey: EmbeddedValkey) -> None:
    """Another kind of server, or a database that there is not, is told as such, and not as a bug."""
    with pytest.raises((StorageUnfit, StorageUnavailable), match=r"out of range.*orrect ARENA_REDIS_URL"):
        await open_storage(f"{own_valkey.url}?db=77")

    async def page(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"<html>")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(page, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(StorageUnfit, match=r"no Redis that the arena can use"):
            await open_storage(f"redis://127.0.0.1:{port}/0")


def test_passwords_are_not_shown() -> None:
    """Messages carry the URL without its password."""
    assert shown("redis://ann:secret@host:6379/0") == "redis://ann:***@host:6379/0"
    assert shown("redis://host/0") == "redis://host/0"
