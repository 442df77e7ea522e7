"""Storage measured: seconds by operation, and what Redis was asked to do.

`measured` wraps a port's adapter: every coroutine method is timed under `PORT.METHOD`, failures too.
`usage` reads Redis' own counters; the difference of two readings says what something cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, TypeVar, cast

from prometheus_client import CollectorRegistry, Counter, Histogram
from redis.asyncio import Redis

from arena.storage.redis_store.db import translated

Port = TypeVar("Port")

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class StorageMetrics:
    """`arena_storage_seconds{operation}` and `arena_storage_errors_total{operation}` on *registry*.

    Operations are the methods of the ports: `tournaments.commit`, `fleet.beat`, ...
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self.seconds = Histogram(
            "arena_storage_seconds",
            "Seconds that an operation on storage took, waiting for a connection included.",
            ["operation"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.errors = Counter(
            "arena_storage_errors", "Operations on storage that raised, by operation.", ["operation"], registry=registry
        )


class _Measured:
    """Stands in for an adapter; its wrapped methods are made on first use and kept."""

    def __init__(self, adapter: object, name: str, metrics: StorageMetrics) -> None:
        self._adapter, self._name, self._metrics = adapter, name, metrics

    def __getattr__(self, attribute: str) -> Any:  # noqa: ANN401
        value = getattr(self._adapter, attribute)
        if not iscoroutinefunction(value):
            return value
        timed = self._timed(value, f"{self._name}.{attribute}")
        self.__dict__[attribute] = timed
        return timed

    def _timed(self, method: Callable[..., Any], operation: str) -> Callable[..., Any]:
        seconds = self._metrics.seconds.labels(operation)
        errors = self._metrics.errors.labels(operation)

        @wraps(method)
        async def timed(*args: object, **kwargs: object) -> object:
            begun = time.perf_counter()
            try:
                return await method(*args, **kwargs)
            except Exception:
                errors.inc()
                raise
            finally:
                seconds.observe(time.perf_counter() - begun)

        return timed


def measured(adapter: Port, name: str, metrics: StorageMetrics | None) -> Port:
    """Return *adapter* with its coroutine methods timed as `NAME.METHOD`; itself without *metrics*."""
    return adapter if metrics is None else cast("Port", _Measured(adapter, name, metrics))


@dataclass(frozen=True, slots=True)
class Usage:
    """What Redis has done since it started, or between two readings.

    `commands` counts what scripts call, too; `reads` are reads from clients' sockets, so about one a round trip. Bytes
    are those of the network, of all clients.
    """

    commands: int
    reads: int
    bytes_in: int
    bytes_out: int

    def __sub__(self, earlier: Usage) -> Usage:
        """Return what happened since *earlier*."""
        return Usage(
            self.commands - earlier.commands,
            self.reads - earlier.reads,
            self.bytes_in - earlier.bytes_in,
            self.bytes_out - earlier.bytes_out,
        )


async def usage(client: Redis) -> Usage:
    """Read Redis' counters. The reading itself is one command."""
    with translated():
        stats: dict[str, Any] = await client.info("stats")
    return Usage(
        commands=int(stats["total_commands_processed"]),
        reads=int(stats["total_reads_processed"]),
        bytes_in=int(stats["total_net_input_bytes"]),
        bytes_out=int(stats["total_net_output_bytes"]),
    )
