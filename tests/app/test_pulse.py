"""The pulse: a process without work of its own knows whether storage answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from arena.app.lifecycle import cancelled
from arena.app.pulse import STALE_SECONDS, Pulse
from arena.storage.connect import Storage, open_storage
from arena.storage.embedded import EmbeddedValkey
from tests.support.waiting import until


@pytest.fixture
async def own_storage(own_valkey: EmbeddedValkey) -> AsyncIterator[Storage]:
    """Give the ports on a Valkey of this test's own."""
    storage = await open_storage(own_valkey.url)
    yield storage
    await storage.aclose()


async def test_it_stops_when_storage_is_away_and_comes_back(own_valkey: EmbeddedValkey, own_storage: Storage) -> None:
    """Without an answer for some seconds storage counts as away, until it answers again; the log says both, once."""
    now = 0.0
    pulse = Pulse(own_storage.fleet.referees, lambda: now)
    with capture_logs() as lines:
        running = asyncio.create_task(pulse.run())
        assert pulse.heard
        await asyncio.to_thread(own_valkey.stop)

        async def told(event: str) -> bool:
            return [line["event"] for line in lines][-1:] == [event]

        await until(lambda: told("storage_away"))
        now += STALE_SECONDS
        assert not pulse.heard
        await asyncio.to_thread(own_valkey.start)
        await until(lambda: told("storage_back"))
        assert pulse.heard
        await cancelled([running])
    assert [line["event"] for line in lines] == ["storage_away", "storage_back"]
