"""Storage is measured by operation, and Redis' work by difference."""

import pytest
from prometheus_client import CollectorRegistry

from arena.storage.connect import open_storage
from arena.storage.instrumented import StorageMetrics, usage
from arena.storage.ports import NotFound
from tests.storage.builders import owner


async def test_operations_are_timed_by_name(redis_url: str) -> None:
    """Every call counts under PORT.METHOD, and those that raise under errors too."""
    registry = CollectorRegistry()
    storage = await open_storage(redis_url, StorageMetrics(registry))
    await storage.registry.add_owner(owner())
    await storage.registry.owners()
    await storage.registry.owners()
    with pytest.raises(NotFound):
        await storage.tournaments.tournament("none")
    await storage.aclose()

    def value(name: str, operation: str) -> float | None:
        return registry.get_sample_value(name, {"operation": operation})

    assert value("arena_storage_seconds_count", "registry.owners") == 2
    assert value("arena_storage_seconds_count", "tournaments.tournament") == 1
    assert value("arena_storage_errors_total", "tournaments.tournament") == 1
    assert value("arena_storage_errors_total", "registry.owners") == 0


async def test_usage_counts_what_lies_between_two_readings(redis_url: str) -> None:
    """The difference of two readings is what was asked of Redis between them."""
    storage = await open_storage(redis_url)
    before = await usage(storage.client)
    for _ in range(50):
        await storage.client.set("arena:x", b"y" * 1000)
    spent = await usage(storage.client) - before
    await storage.aclose()
    assert 50 <= spent.commands < 80
    assert spent.bytes_in > 50_000
    assert spent.bytes_out > 0
