"""The measurements measure: each of them, short, on the real thing."""

from __future__ import annotations

import pytest

from bench import __main__ as everything
from bench import rules, steady, tls, variants
from bench.redis_load import usage
from bench.world import world


def test_every_way_to_play_deals_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, and OpenSpiel's two."""
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    monkeypatch.setattr(rules, "SLICE", 0.01)
    figures = rules.measure(0.01)
    assert set(figures) == {
        "rules.deals_per_s",
        "rules.openspiel_deals_per_s",
        "rules.openspiel_predealt_deals_per_s",
    }
    assert min(figures.values()) > 0


def test_every_variant_is_timed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The slowest is told by name; a game without an end can be asked for."""
    monkeypatch.setattr(variants, "TURN", 0.001)
    figures = variants.measure(turns=1)
    assert 0 < figures["rules.slowest_variant_share"] <= 1.5
    assert capsys.readouterr().err.startswith("the slowest variant: ")


@pytest.mark.full
def test_an_arena_is_measured_from_outside() -> None:
    """Decisions, CPU, commands to Redis, and one table beside a ping-pong."""
    with world() as arena:
        arena.register(4)
        cycles, floor = everything.latency(arena, 1)
        with arena.playing():
            before, after = everything.saturate(arena, 4, 1.0)
        commands = usage(arena.folder / "data").commands
    assert everything.rate(before, after) > 0
    assert everything.per_decision(before, after) > 0
    assert everything.percentile(cycles, 0.5) > 0
    assert everything.percentile(floor, 0.99) >= everything.percentile(floor, 0.5) > 0
    assert commands > 0


@pytest.mark.full
def test_a_full_hall_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty tables for two seconds hurt nobody."""
    monkeypatch.setattr(steady, "EVERY", 0.5)
    figures = steady.run(minutes=2 / 60, tables=20)
    assert figures["hurt"] == 0
    assert figures["decisions"] > 0
    assert figures["delay_p99_below_ms"] >= figures["delay_p50_below_ms"] > 0
    assert figures["memory_end_mb"] > figures["memory_empty_mb"] > 0


@pytest.mark.full
def test_an_encrypted_arena_is_measured_beside_a_plain_one() -> None:
    """Both play."""
    figures = tls.measure(tables=4, seconds=0.5)
    assert set(figures) == {
        f"{arena}.{figure}" for arena in ("plain", "tls") for figure in ("referee_us_per_decision", "decisions_per_s")
    }
    assert min(figures.values()) > 0
