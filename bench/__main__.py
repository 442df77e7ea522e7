"""`python -m bench`: measure, print, and write build/bench.json.

Timings on a shared machine drift by half; compare ratios within one run, never two runs.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from bench import pingpong, rules, variants
from bench.redis_load import usage
from bench.world import Sample, World, world

ROOT = Path(__file__).resolve().parent.parent
# A thousand tables that began together end together: a window holds about one match of each.
SECONDS = float(os.environ.get("BENCH_SECONDS", "16"))


def percentile(values: list[float], share: float) -> float:
    """Return the value below which *share* of *values* lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and the processes it starts, on one core."""
    if not hasattr(os, "sched_setaffinity"):  # it is Linux's
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def latency(arena: World, turns: int) -> tuple[list[float], list[float]]:
    """Time one table beside the raw ping-pong, in turns, so that both see the same machine.

    Return the seconds of each decision cycle, and of each round trip.
    """
    cycles: list[float] = []
    floor: list[float] = []
    for _ in range(turns):
        floor += pingpong.measure(1500)
        arena.start(f"latency-{uuid4().hex}", tables=1, matches=1, deals=40)
        environment = os.environ | {"ARENA_ADDRESS": arena.address, "BENCH_TOKENS": " ".join(arena.tokens)}
        command = [sys.executable, "-m", "bench.onetable"]
        out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        cycles += [float(line) for line in out.split()][500:]  # the first are the interpreter warming up
        arena.wait(lambda: arena.value("referee_tables") == 0, 30)
    return cycles, floor


def latencies() -> dict[str, float]:
    """Time one table, all processes on one core, and again wherever the system puts them.

    One decision is in work at a time, so a second core does none of it; but waking a thread there may cost more than
    all of our code, and whether it happens to the table or to the ping-pong is up to the system's scheduler.
    """
    with one_core(), world() as arena:
        arena.register(4)
        cycles, floor = latency(arena, 8)
    with world() as arena:
        arena.register(4)
        free_cycles, free_floor = latency(arena, 4)
    return {
        "latency.p50_us": percentile(cycles, 0.5) * 1e6,
        "latency.p99_us": percentile(cycles, 0.99) * 1e6,
        "latency.floor_p50_us": percentile(floor, 0.5) * 1e6,
        "latency.any_core_p50_us": percentile(free_cycles, 0.5) * 1e6,
        "latency.any_core_floor_p50_us": percentile(free_floor, 0.5) * 1e6,
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
    figures = dict(rules.measure(4.0)) | variants.measure() | latencies()
    with world() as arena:
        arena.register(4)
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
    for where in ("", "any_core_"):
        ratio = figures[f"latency.{where}p50_us"] / figures[f"latency.{where}floor_p50_us"]
        print(f"one table / ping-pong, {'any core' if where else 'one core':17} {ratio:>14.2f}")
    print(f"written to {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
