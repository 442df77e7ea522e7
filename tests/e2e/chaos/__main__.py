"""`python -m tests.e2e.chaos`: as many disturbed runs as wanted, with a line for each and a table at the end."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.e2e.chaos.runner import Run, chaos, summary


def main() -> int:
    """Run, tell, and return 1 if anything differed."""
    parser = argparse.ArgumentParser(description="Disturb tournaments, and see that nothing comes of it.")
    parser.add_argument("--runs", type=int, default=200, help="how many disturbed tournaments")
    parser.add_argument("--seed", type=int, default=1, help="of the first; the others follow")
    parser.add_argument("--keep", action="store_true", help="keep the logs also if nothing differed")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    runs: list[Run] = []
    with chaos(folder) as world:
        for seed in range(options.seed, options.seed + options.runs):
            run = world.run(seed)
            runs.append(run)
            told = f"DIFFERS in {', '.join(run.different)}" if run.different else "the same"
            sys.stdout.write(f"seed {seed}: {told}, {run.seconds:.1f} s: {'; '.join(map(str, run.script))}\n")
            sys.stdout.flush()
    sys.stdout.write(summary(runs) + "\n")
    bad = any(run.different for run in runs)
    if bad or options.keep:
        sys.stdout.write(f"logs in {folder}\n")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
