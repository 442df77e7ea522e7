"""What Prometheus is shown of a match."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from referee.host.metrics import HostMetrics
from tests.host.world import World, at_random, order_of


async def test_every_number_is_shown_and_adds_up() -> None:
    """Decisions by source, their times by kind, matches and faults stand in the text as they were counted."""
    world, order = World(), order_of(fault_limit=1, auto_play_forced=True)
    bots = await world.table(order)
    wrong = bots[1]
    wrong.strategy = lambda decision: None if decision.kind == "play" else at_random(decision)
    await world.settle()
    world.pass_time(30.0)
    await world.settle()
    registry = CollectorRegistry()
    registry.register(world.metrics)
    text = generate_latest(registry).decode()
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    by_source = {source: samples["referee_decisions_total", source] for source in ("bot", "timeout", "autopilot")}
    assert by_source["timeout"] == samples["referee_faults_total", "timeout"] == 1
    answered = sum(
        samples["referee_decision_seconds_count", kind, "bot"] for kind in ("play", "pass", "return", "moon")
    )
    assert by_source["bot"] == answered > 50
    assert samples["referee_decisions_total", "forced"] > 0
    passes = 4 * sum(deal["passes"] is not None for deal in world.sink.outcomes[order.match].deals)
    total = sum(value for (name, *_), value in samples.items() if name == "referee_decisions_total")
    assert total == passes + 104
    assert samples["referee_matches_total", "deals"] == 1
    assert samples["referee_tables",] == 0
    assert samples["referee_sessions",] == 4


def test_metrics_of_an_idle_hall() -> None:
    """All metrics exist before anything has happened."""
    registry = CollectorRegistry()
    HostMetrics(registry)
    assert b'referee_decisions_total{source="bot"} 0.0' in generate_latest(registry)
