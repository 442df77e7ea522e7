"""`python -m bench.tls [--tables 300] [--seconds 30]`: what encryption costs the referee.

Two arenas side by side, one plain and one encrypted, each with four instant bots: both see the same machine.
Prints for each the CPU microseconds of the referee per decision, and the decisions per second.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from bench.__main__ import per_decision, rate
from bench.world import Sample, World, world


def filled(arena: World, tables: int) -> str:
    """Fill the arena; return the tournament's id."""
    ident = arena.start("encryption", tables=tables, matches=100_000)
    arena.wait(lambda: arena.value("referee_tables") >= tables, 60)
    return ident


def measure(tables: int, seconds: float) -> dict[str, float]:
    """Run a plain and an encrypted arena at once; return the figures of both."""
    with ExitStack() as stack:
        arenas = {name: stack.enter_context(world(encrypted=name == "tls")) for name in ("plain", "tls")}
        for arena in arenas.values():
            arena.register(4)
            stack.enter_context(arena.playing())
        with ThreadPoolExecutor() as pool:
            idents = list(pool.map(lambda arena: filled(arena, tables), arenas.values()))
        before: list[Sample] = [arena.sample() for arena in arenas.values()]
        time.sleep(seconds)
        after = [arena.sample() for arena in arenas.values()]
        for arena, ident in zip(arenas.values(), idents, strict=True):
            arena.cancel(ident)
    figures: dict[str, float] = {}
    for name, first, last in zip(arenas, before, after, strict=True):
        figures[f"{name}.referee_us_per_decision"] = round(per_decision(first, last), 2)
        figures[f"{name}.decisions_per_s"] = round(rate(first, last), 2)
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.tls", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=300, help="tables of each arena")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long to look")
    options = parser.parse_args()
    json.dump(measure(options.tables, options.seconds), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
