"""The long comparison of referee and naive implementation: `python -m tests.naive --deals 100000 --seed 1`.

The deals go in chunks, each with a seed of its own, so that a difference can be met again with `--only`.
"""

import argparse
import sys
import time
from collections import Counter
from functools import partial
from multiprocessing import Pool

from tests.naive.proof import compare_chunk
from tests.naive.tally import summary

CHUNK = 100
"""Deals in a chunk; the last game of a chunk may add a few."""


def one(seed: str, chunk: int) -> tuple[int, Counter[str], str | None]:
    """Compare one chunk."""
    return chunk, *compare_chunk(f"{seed}/{chunk}", CHUNK)


def main() -> int:
    """Compare, tell how it goes, and return 1 if there was any difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.naive", description="referee against naive implementation")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one chunk")
    given = parser.parse_args()
    chunks = [given.only] if given.only is not None else list(range(-(-given.deals // CHUNK)))
    tally: Counter[str] = Counter()
    differences, began = 0, time.monotonic()
    with Pool(given.jobs) as pool:
        for done, (chunk, met, difference) in enumerate(pool.imap_unordered(partial(one, given.seed), chunks), 1):
            tally += met
            if difference is not None:
                differences += 1
                sys.stdout.write(f"chunk {chunk} (again with --seed {given.seed} --only {chunk}): {difference}\n")
            if done % 20 == 0 or done == len(chunks):
                sys.stderr.write(f"{tally['deals']} deals, {differences} disagreements, {_since(began)}\n")
    sys.stdout.write("\n".join(summary(tally)) + "\n")
    sys.stdout.write(f"seed {given.seed}: {tally['deals']} deals, {differences} disagreements, {_since(began)}\n")
    return 1 if differences else 0


def _since(began: float) -> str:
    return f"{time.monotonic() - began:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
