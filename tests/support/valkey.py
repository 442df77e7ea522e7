"""A real Valkey for the tests: one for the whole run, emptied before each test that asks for it.

`valkey` is the server, `redis_url` its URL on an empty database, `storage` the ports opened on it.
A test that kills or reconfigures a server takes `own_valkey`, which is its alone.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis import Redis

from arena.storage.connect import Storage, open_storage
from arena.storage.embedded import EmbeddedValkey


def _scratch() -> Path:
    """Return a new directory with a short path, for sockets."""
    return Path(tempfile.mkdtemp(prefix="hearts-"))


def _serve() -> Iterator[EmbeddedValkey]:
    scratch = _scratch()
    server = EmbeddedValkey(scratch / "data", runtime_dir=scratch / "run")
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(scratch)


@pytest.fixture(scope="session")
def valkey() -> Iterator[EmbeddedValkey]:
    """Run one Valkey for all tests. It need not survive anything, so it does not wait for the disk."""
    for server in _serve():
        with Redis.from_url(server.url) as client:
            client.config_set("appendfsync", "no")
        yield server


@pytest.fixture
def own_valkey() -> Iterator[EmbeddedValkey]:
    """Run a Valkey for this test alone."""
    yield from _serve()


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Give a new directory with a short path, for servers that the test starts itself."""
    path = _scratch()
    yield path
    shutil.rmtree(path)


@pytest.fixture
def redis_url(valkey: EmbeddedValkey) -> str:
    """Empty the shared Valkey and return its URL."""
    with Redis.from_url(valkey.url) as client:
        client.flushall()
    return valkey.url


@pytest.fixture
async def storage(redis_url: str) -> AsyncIterator[Storage]:
    """Open storage on the empty shared Valkey."""
    opened = await open_storage(redis_url)
    yield opened
    await opened.aclose()
