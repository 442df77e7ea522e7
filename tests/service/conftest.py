"""Fixtures for the tests of the use cases."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from arena.app.lifecycle import cancelled
from arena.storage.connect import Storage
from tests.service.builders import World, world_on
from tests.service.side import Side


@pytest.fixture
def world(storage: Storage) -> World:
    """Return an arena on the empty shared Valkey."""
    return world_on(storage)


@pytest.fixture
async def side(world: World) -> AsyncIterator[Side]:
    """Return a referee's side on the world's storage."""
    side = Side(world)
    yield side
    await cancelled(side.tasks)
