"""`python -m bench`: measure, print, and write build/bench.json.

Timings on a shared machine drift by half; compare ratios within one run, never two runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from bench import pingpong, rules
from bench.redis_load import usage
from bench.world import Sample, World, world

ROOT = Path(__file__).resolve().parent.parent
# A thousand tables that began together end together: a window holds about one match of each.
SECONDS = float(os.environ.get("BENCH_SECONDS", "16"))


def percentile(values: list[float], share: float) -> float:
    """Return the value below which *share* of *values* lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def latency(arena: World) -> dict[str, float]:
    """Time one table beside the raw ping-pong, in turns, so that both see the same machine."""
    cycles: list[float] = []
    floor: list[float] = []
    for turn in range(8):
        floor += pingpong.measure(1500)
        arena.start(f"latency-{turn}", tables=1, matches=1, deals=40)
        environment = os.environ | {"ARENA_ADDRESS": arena.address, "BENCH_TOKENS": " ".join(arena.tokens)}
        command = [sys.executable, "-m", "bench.onetable"]
        out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        cycles += [float(line) for line in out.split()][500:]  # the first are the interpreter warming up
        arena.wait(lambda: arena.value("referee_tables") == 0, 30)
    return {
        "latency.p50_us": percentile(cycles, 0.5) * 1e6,
        "latency.p99_us": percentile(cycles, 0.99) * 1e6,
        "latency.floor_p50_us": percentile(floor, 0.5) * 1e6,
    }


def saturate(arena: World, tables: int, seconds: float) -> tuple[Sample, Sample]:
    """Keep *tables* tables busy; return what the referee had done before and after *seconds* of it."""
    ident = arena.start(f"saturation-{tables}", tables=tables, matches=100_000)
    try:
        arena.wait(lambda: arena.value("referee_tables") >= tables, 60)
        warm = arena.value("referee_matches_total") + min(tables // 2, 100)
        if tables >= 100:
            # Let the tables drift apart, so that matches begin and end all the time.
            arena.wait(lambda: arena.value("referee_matches_total") >= warm, 120)
        before = arena.sample()
        time.sleep(seconds)
        return before, arena.sample()
    finally:
        arena.cancel(ident)


def per_decision(before: Sample, after: Sample) -> float:
    """Return the referee's CPU microseconds per decision between two samples."""
    return (after.cpu - before.cpu) / (after.decisions - before.decisions) * 1e6


def rate(before: Sample, after: Sample) -> float:
    """Return decisions a second between two samples."""
    return (after.decisions - before.decisions) / (after.at - before.at)


def measure() -> dict[str, float]:
    """Run everything once."""
    figures = dict(rules.measure(4.0))
    with world() as arena:
        arena.register(4)
        figures |= latency(arena)
        with arena.playing():
            for tables in (1, 10, 100, 1000):
                print(f"{tables} tables ...", file=sys.stderr)
                data = arena.folder / "data"
                redis, matches = usage(data), arena.value("referee_matches_total")
                before, after = saturate(arena, tables, SECONDS if tables >= 100 else SECONDS / 3)
                figures[f"scaling.{tables}"] = per_decision(before, after)
                if tables >= 100:
                    name = "saturation" if tables == 1000 else f"saturation_{tables}"
                    figures[f"{name}.decisions_per_s"] = rate(before, after)
                    figures[f"{name}.referee_us_per_decision"] = per_decision(before, after)
                if tables == 100:
                    asked, matches = usage(data), arena.value("referee_matches_total") - matches
                    figures["redis.commands_per_match"] = (asked.commands - redis.commands) / matches
                    figures["redis.bytes_per_match"] = (asked.moved - redis.moved) / matches
    return figures


def main() -> None:
    """Measure, print and write."""
    figures = {name: round(value, 2) for name, value in measure().items()}
    target = ROOT / "build" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n")
    for name, value in figures.items():
        print(f"{name:40} {value:>14,.2f}")
    print(
        f"one table / ping-pong                    {figures['latency.p50_us'] / figures['latency.floor_p50_us']:>14.2f}"
    )
    print(f"written to {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
