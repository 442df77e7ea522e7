"""What the host counts, and how it is shown to Prometheus.

`prometheus-client` calls cost more than a decision does. So the hot path adds to plain numbers, and they are made into
metrics when somebody scrapes. Label values come from enums, never from what a bot sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.host.faults import Fault
from referee.host.ports import Source

KINDS: Final = ("play", "pass", "return", "moon")  # by `Seat.kind`
TOOK_BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
DELAY_BOUNDS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Tally:
    """Plain numbers, added to by the hot path."""

    __slots__ = (
        "decisions",
        "delay",
        "delay_sum",
        "faults",
        "frames_in",
        "frames_out",
        "loop_lag",
        "loop_lag_max",
        "matches",
        "sessions",
        "strays",
        "tables",
        "took",
        "took_sums",
    )

    def __init__(self) -> None:
        self.decisions = dict.fromkeys(Source, 0)
        self.took = [[0] * (len(TOOK_BOUNDS) + 1) for _ in KINDS]
        self.took_sums = [0.0] * len(KINDS)
        self.delay = [0] * (len(DELAY_BOUNDS) + 1)
        self.delay_sum = 0.0
        self.faults = dict.fromkeys(Fault, 0)
        self.matches: dict[str, int] = {}
        self.strays = 0
        self.frames_in = 0
        self.frames_out = 0
        self.sessions = 0
        self.tables = 0
        self.loop_lag = 0.0
        self.loop_lag_max = 0.0


class HostMetrics(Collector):
    """Shows a `Tally` to Prometheus."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.tally = Tally()
        if registry is not None:
            registry.register(self)

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics as they stand."""
        tally = self.tally
        decisions = CounterMetricFamily("referee_decisions", "Decisions, by who made them.", labels=["source"])
        for source, count in tally.decisions.items():
            decisions.add_metric([source.value], count)
        yield decisions
        took = HistogramMetricFamily(
            "referee_decision_seconds", "From sending a decision to its answer, by kind.", labels=["phase", "source"]
        )
        for kind, counts, total in zip(KINDS, tally.took, tally.took_sums, strict=True):
            took.add_metric([kind, Source.BOT.value], _cumulated(TOOK_BOUNDS, counts), total)
        yield took
        delay = HistogramMetricFamily(
            "referee_delay_seconds",
            "The referee's own delay, by decision: from what its frame waited for longest to that frame.",
        )
        delay.add_metric([], _cumulated(DELAY_BOUNDS, tally.delay), tally.delay_sum)
        yield delay
        faults = CounterMetricFamily("referee_faults", "Bots' faults, by kind.", labels=["fault"])
        for fault, count in tally.faults.items():
            faults.add_metric([fault.value], count)
        yield faults
        matches = CounterMetricFamily("referee_matches", "Matches ended here, by termination.", labels=["termination"])
        for termination, count in tally.matches.items():
            matches.add_metric([termination], count)
        yield matches
        yield CounterMetricFamily("referee_stray_answers", "Answers to no open decision.", value=tally.strays)
        yield CounterMetricFamily("referee_frames_in", "Frames received.", value=tally.frames_in)
        yield CounterMetricFamily("referee_frames_out", "Frames sent.", value=tally.frames_out)
        yield GaugeMetricFamily("referee_tables", "Tables running.", value=tally.tables)
        yield GaugeMetricFamily("referee_sessions", "Bot sessions connected.", value=tally.sessions)
        yield GaugeMetricFamily("referee_loop_lag_seconds", "How late the event loop was, last time.", tally.loop_lag)
        yield GaugeMetricFamily("referee_loop_lag_max_seconds", "How late it ever was.", tally.loop_lag_max)


def _cumulated(bounds: tuple[float, ...], counts: list[int]) -> list[tuple[str, float]]:
    total = 0
    buckets: list[tuple[str, float]] = []
    for bound, count in zip((*map(str, bounds), "+Inf"), counts, strict=True):
        total += count
        buckets.append((bound, total))
    return buckets
