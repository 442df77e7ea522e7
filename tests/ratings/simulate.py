"""Simulated tournaments with known strengths, for the tests of the estimator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.ratings.results import DealResult, MatchResult
from arena.schedule.plan import Schedule


def simulate(
    schedule: Schedule, strengths: Sequence[float], seed: int, *, deals: int = 1, luck: float = 6.0, noise: float = 4.0
) -> list[MatchResult]:
    """Return a result for every match: heavy-tailed points that depend on the hand, chance and strength.

    Matches of one board share the hands' share of points. Better entrants take fewer points. Points are in
    thousandths, as results hold whole numbers.
    """
    chance = np.random.default_rng(seed)
    seats = schedule.format.players
    hands: dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]] = {}
    results = []
    for match in schedule:
        if match.board not in hands:
            hands[match.board] = luck * chance.standard_exponential((deals, seats))
        here = np.array([strengths[entrant] for entrant in match.seating])
        points = hands[match.board] + noise * chance.standard_exponential((deals, seats)) - here
        rows = tuple(
            DealResult(number + 1, tuple(round(1000 * float(value)) for value in row), (False,) * seats)
            for number, row in enumerate(points)
        )
        results.append(MatchResult(match.number, match.round, match.block, match.seating, match.board, rows))
    return results
