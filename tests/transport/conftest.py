"""Fixtures for the tests of the edges."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from arena.storage.connect import Storage
from tests.service.builders import world_on
from tests.transport.arena_client import Arena, arena_on


@pytest.fixture
async def arena(storage: Storage) -> AsyncIterator[Arena]:
    """Run an API on the empty shared Valkey."""
    async with arena_on(world_on(storage)) as running:
        yield running
