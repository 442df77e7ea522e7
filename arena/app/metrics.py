"""What the roles show to Prometheus beside storage and host: plain numbers, made into metrics when they are read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.service.scheduler import SchedulerState
from arena.service.writer import Writer
from arena.transport.interceptor import EdgeTally

LAG_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG_EVERY: Final = 0.1


def new_registry() -> CollectorRegistry:
    """Return a registry with the metrics that every process has."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    return registry


class LoopLag:
    """`arena_event_loop_lag_seconds`: how late the event loop wakes a task that asked for a certain time."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._lag = Histogram(
            "arena_event_loop_lag_seconds",
            "How late the event loop wakes a sleeping task.",
            buckets=LAG_BUCKETS,
            registry=registry,
        )

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            due = time.monotonic() + LAG_EVERY
            await asyncio.sleep(LAG_EVERY)
            self._lag.observe(max(0.0, time.monotonic() - due))


class WriterMetrics(Collector):
    """What a referee has written."""

    def __init__(self, writer: Writer, registry: CollectorRegistry) -> None:
        self._writer = writer
        registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics as they stand."""
        tally = self._writer.tally
        matches = CounterMetricFamily("arena_matches", "Results stored, by termination.", labels=["termination"])
        for termination, count in list(tally.committed.items()):
            matches.add_metric([termination], count)
        yield matches
        yield CounterMetricFamily("arena_deals", "Deals in the results stored.", value=tally.deals)
        yield CounterMetricFamily("arena_checkpoints", "Checkpoints stored.", value=tally.checkpoints)
        yield CounterMetricFamily("arena_released", "Matches handed back without a result.", value=tally.released)
        yield CounterMetricFamily("arena_lease_lost", "Writes refused: the match is not ours.", value=tally.lost)
        yield CounterMetricFamily("arena_write_retries", "Writes that storage did not take.", value=tally.retries)
        yield GaugeMetricFamily("arena_writes_waiting", "Matches with something to be written.", self._writer.waiting)


class SchedulerMetrics(Collector):
    """What the scheduler sees. *standings* returns scores by tournament and bot."""

    def __init__(
        self,
        state: SchedulerState,
        standings: Callable[[], Mapping[tuple[str, str], float]],
        registry: CollectorRegistry,
    ) -> None:
        self._state = state
        self._standings = standings
        registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics as they stand."""
        state = self._state
        yield GaugeMetricFamily("arena_queue_depth", "Matches on the work queue.", state.queued)
        yield GaugeMetricFamily("arena_queue_oldest_seconds", "How long the oldest of them has waited.", state.oldest)
        matches = GaugeMetricFamily(
            "arena_queue_matches", "Matches of tournaments in play, by state.", labels=["state"]
        )
        for where, count in list(state.matches.items()):
            matches.add_metric([where.value], count)
        yield matches
        yield GaugeMetricFamily("arena_referees", "Live referees.", state.referees)
        yield GaugeMetricFamily("arena_tournaments_in_play", "Tournaments running or paused.", len(state.running))
        scores = GaugeMetricFamily("arena_standing", "Scores in running tournaments.", labels=["tournament", "bot"])
        for labels, score in self._standings().items():
            scores.add_metric(labels, score)
        yield scores


class ApiMetrics(Collector):
    """What the API is asked."""

    def __init__(self, edge: EdgeTally, registry: CollectorRegistry) -> None:
        self._edge = edge
        registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics as they stand."""
        calls = CounterMetricFamily("arena_api_calls", "Calls of the API.", labels=["method", "code"])
        for (method, code), count in list(self._edge.calls.items()):
            calls.add_metric([method, code], count)
        yield calls
