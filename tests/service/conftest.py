"""Fixtures for the tests of the use cases."""

from __future__ import annotations

import pytest

from arena.storage.connect import Storage
from tests.service.builders import World, world_on


@pytest.fixture
def world(storage: Storage) -> World:
    """Return an arena on the empty shared Valkey."""
    return world_on(storage)
