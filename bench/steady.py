"""`python -m bench.steady [--minutes 10] [--tables 1000]`: a full hall for a while, and whether anything gives way.

Instant bots at a thousand tables must meet no timeout, no stall and no substituted card; the referee's own delay stays
small; and its memory stays where it was once the hall is full. Writes build/steady.json; exit code 1 if a bot was hurt.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import urllib.request
from bisect import bisect_left
from dataclasses import dataclass

from bench.__main__ import ROOT
from bench.world import World, world

EVERY = 10.0
_LABELLED = re.compile(r'^(\w+)\{(?:[^}]*,)?(?:le|source|fault)="([^"]*)"\} ([0-9.e+-]+)$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Look:
    """The referee at one moment: seconds since the start, and what its metrics said."""

    at: float
    values: dict[str, float]
    labelled: dict[tuple[str, str], float]

    @property
    def megabytes(self) -> float:
        """Return its resident memory."""
        return self.values["process_resident_memory_bytes"] / 2**20

    @property
    def hurt(self) -> float:
        """Return how many faults bots were given, and how many cards somebody else played for them."""
        faults = sum(count for (name, _), count in self.labelled.items() if name == "referee_faults_total")
        decided = ((who, count) for (name, who), count in self.labelled.items() if name == "referee_decisions_total")
        return faults + sum(count for who, count in decided if who not in {"bot", "forced"})


def look(arena: World, began: float) -> Look:
    """Look at the referee's metrics."""
    with urllib.request.urlopen(arena.metrics, timeout=30) as page:  # noqa: S310 - our own loopback address
        text = page.read().decode()
    labelled = {(name, label): float(value) for name, label, value in _LABELLED.findall(text)}
    return Look(time.perf_counter() - began, arena.values(), labelled)


def delay_quantile(before: Look, after: Look, share: float) -> float:
    """Return the bound below which *share* of the decisions between two looks waited, in milliseconds."""
    name = "referee_delay_seconds_bucket"
    bounds = [bound for metric, bound in after.labelled if metric == name]
    counts = [after.labelled[name, bound] - before.labelled.get((name, bound), 0.0) for bound in bounds]
    return float(bounds[bisect_left(counts, counts[-1] * share)]) * 1000


def growth(looks: list[Look]) -> float:
    """Return the slope of the memory over *looks*, in MB a minute, by least squares."""
    times = [each.at / 60 for each in looks]
    mean_at, mean = sum(times) / len(times), sum(each.megabytes for each in looks) / len(looks)
    spread = sum((at - mean_at) ** 2 for at in times)
    return sum((at - mean_at) * (each.megabytes - mean) for at, each in zip(times, looks, strict=True)) / spread


def run(minutes: float, tables: int) -> dict[str, float]:
    """Fill the hall, and watch it for *minutes*."""
    with world() as arena:
        arena.register(4)
        began = time.perf_counter()
        with arena.playing():
            arena.wait(lambda: arena.value("referee_sessions") >= 4, 30)
            empty = look(arena, began)
            ident = arena.start("steady", tables=tables, matches=100_000)
            arena.wait(lambda: arena.value("referee_tables") >= tables, 120)
            looks = [look(arena, began)]
            while looks[-1].at - looks[0].at < minutes * 60:
                time.sleep(EVERY)
                looks.append(look(arena, began))
                one, two = looks[-2:]
                made = two.values["referee_decisions_total"] - one.values["referee_decisions_total"]
                print(
                    f"{two.at - looks[0].at:5.0f} s  {made / (two.at - one.at):8,.0f} decisions/s  "
                    f"{two.megabytes:6.1f} MB  p99 delay below {delay_quantile(one, two, 0.99):g} ms  "
                    f"hurt {two.hurt - empty.hurt:.0f}",
                    file=sys.stderr,
                )
            arena.cancel(ident)
    first, last = looks[0], looks[-1]
    decisions = last.values["referee_decisions_total"] - first.values["referee_decisions_total"]
    settled = [each for each in looks if each.at - first.at >= minutes * 60 / 5]
    cpu = last.values["process_cpu_seconds_total"] - first.values["process_cpu_seconds_total"]
    return {
        "minutes": (last.at - first.at) / 60,
        "tables": tables,
        "decisions": decisions,
        "decisions_per_s": decisions / (last.at - first.at),
        "referee_us_per_decision": cpu / decisions * 1e6,
        "matches": last.values.get("referee_matches_total", 0.0) - first.values.get("referee_matches_total", 0.0),
        "hurt": last.hurt - empty.hurt,
        "strays": last.values["referee_stray_answers_total"] - empty.values["referee_stray_answers_total"],
        "delay_p50_below_ms": delay_quantile(first, last, 0.5),
        "delay_p99_below_ms": delay_quantile(first, last, 0.99),
        "loop_lag_max_ms": last.values["referee_loop_lag_max_seconds"] * 1000,
        "memory_empty_mb": empty.megabytes,
        "memory_full_mb": settled[0].megabytes,
        "memory_end_mb": last.megabytes,
        "memory_per_table_kb": (settled[0].megabytes - empty.megabytes) * 1024 / tables,
        "memory_growth_mb_per_minute": growth(settled),
        "memory_growth_last_third_mb_per_minute": growth(settled[len(settled) * 2 // 3 :]),
    }


def main() -> int:
    """Run, print and write; 1 if a bot was hurt."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=1000)
    asked = parser.parse_args()
    figures = {name: round(value, 2) for name, value in run(asked.minutes, asked.tables).items()}
    target = ROOT / "build" / "steady.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(figures, indent=2) + "\n")
    for name, value in figures.items():
        print(f"{name:40} {value:>14,.2f}")
    return 1 if figures["hurt"] else 0


if __name__ == "__main__":
    sys.exit(main())
