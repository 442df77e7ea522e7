"""How much stronger one bot is than another: `python -m tests.bots.strength counter cautious --boards 150`.

Every board is played in all seatings of two bots of each kind in which neither kind has a seat advantage, so luck
cancels; the standard error is taken over boards.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from math import sqrt
from statistics import mean, stdev

from hearts_bot import Bot

from referee.rules.presets import resolve
from referee.rules.variant import Variant
from tests.bots.local import LocalMatch, source_of

BOTS = {
    "first_legal": "FirstLegal",
    "random": "RandomBot",
    "cautious": "Cautious",
    "counter": "Counter",
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean difference in deal score between two bots, first minus second, its standard error, and think time."""

    difference: float
    error: float
    deals: int
    micros: tuple[float, float]

    def __str__(self) -> str:
        one, other = self.micros
        return (
            f"{self.difference:+.2f} +- {self.error:.2f} a deal ({self.deals} deals), "
            f"{one:.0f} and {other:.0f} us a decision, kit included"
        )


def bot_named(name: str) -> type[Bot]:
    """Return the class of a sample bot."""
    bot: type[Bot] = getattr(import_module(f"hearts_bot.bots.{name}"), BOTS[name])
    return bot


def deal_scores(points: Sequence[int]) -> list[float]:
    """Return the score of each seat: the mean of the others' points minus its own."""
    total, players = sum(points), len(points)
    return [(total - own) / (players - 1) - own for own in points]


def seatings(players: int) -> list[list[bool]]:
    """Return who is of the first kind: alternating and split tables, each with its complement and all rotations."""
    half = players // 2
    base = [[position % 2 == 0 for position in range(players)], [position < half for position in range(players)]]
    unique: list[list[bool]] = []
    for seating in base:
        for shift in range(players):
            turned = seating[shift:] + seating[:shift]
            for one in (turned, [not kind for kind in turned]):
                if one not in unique:
                    unique.append(one)
    return unique


def compare(one: type[Bot], other: type[Bot], variant: Variant, boards: int, *, seed: int = 1) -> Comparison:
    """Play *boards* boards of one match each in all `seatings`, and return by how much *one* is better."""
    differences: list[float] = []
    seconds, decisions = [0.0, 0.0], [0, 0]
    deals = 0
    for board in range(boards):
        source = source_of(variant, seed * 1_000_003 + board)
        scores: tuple[list[float], list[float]] = ([], [])
        for seating in seatings(variant.players):
            match = LocalMatch(variant, source, [one() if first else other() for first in seating], strict=False).run()
            for points in match.points:
                deals += 1
                for first, score in zip(seating, deal_scores(points), strict=True):
                    scores[not first].append(score)
            for first, spent, made in zip(seating, match.seconds, match.decisions, strict=True):
                seconds[not first] += spent
                decisions[not first] += made
        differences.append(mean(scores[0]) - mean(scores[1]))
    error = stdev(differences) / sqrt(boards) if boards > 1 else 0.0
    micros = seconds[0] / decisions[0] * 1e6, seconds[1] / decisions[1] * 1e6
    return Comparison(mean(differences), error, deals, micros)


def main() -> None:
    """Compare two sample bots and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", choices=BOTS)
    parser.add_argument("other", choices=BOTS)
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    variant = resolve(options.rules, players=options.players, overrides={"deals": options.deals})
    result = compare(bot_named(options.one), bot_named(options.other), variant, options.boards, seed=options.seed)
    sys.stdout.write(f"{options.one} against {options.other}, {options.rules}: {result}\n")


if __name__ == "__main__":
    main()
