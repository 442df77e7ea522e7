"""The long comparison with OpenSpiel: `python -m tests.rules.openspiel --deals 20000 --seed 1`."""

import argparse
import sys
import time
from collections import Counter

from tests.rules.oracle import compare_deals, configurations


def main() -> int:
    """Share the deals among the configurations, tell how it went, and return 1 if anything differed."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.openspiel", description="referee against OpenSpiel")
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    games = list(configurations())
    tally: Counter[str] = Counter()
    differences, began = 0, time.monotonic()
    for game, variant in games:
        try:
            met = compare_deals(game, variant, -(-given.deals // len(games)), f"{given.seed}/{variant.preset}")
        except AssertionError as error:
            differences += 1
            sys.stdout.write(f"{variant.preset} against {game}: {error}\n")
            continue
        tally += met
        sys.stdout.write(f"{variant.preset} against {game}: {', '.join(f'{n} {word}' for word, n in met.items())}\n")
    took = time.monotonic() - began
    total = f"{tally['deals']} deals, {tally['moons']} moons, {tally['scored']} scored alike"
    sys.stdout.write(f"seed {given.seed}: {total}, {differences} configurations disagree, {took:.0f} s\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
