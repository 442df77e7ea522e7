"""The first seating of every table of a pass.

Seat counts and left neighbours are evened out within the pass: a greedy choice of each table's order, then exchanges
of two seats while they help. Later passes put all tables into the same next order, which exchanges whole seats and so
keeps the seat counts of each pass as even as those of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from arena.schedule.round_robin import Round
from arena.schedule.seatings import orders_of, seated

_SWEEPS: Final = 8


def first_seatings(rounds: Sequence[Round], entrants: int) -> tuple[tuple[int, ...], ...]:
    """Return the tables of *rounds* in one row, each in seat order; a table alone keeps its own order."""
    tables = [table for tables in rounds for table in tables]
    counts = _Counts(entrants, len(tables[0]))
    seatings: list[list[int]] = []
    for table in tables:
        candidates = [seated(table, order) for order in orders_of(len(table))]
        costs = [counts.cost(candidate) for candidate in candidates]
        chosen = candidates[costs.index(min(costs))]
        counts.add(chosen, 1)
        seatings.append(list(chosen))
    for _ in range(_SWEEPS):
        helped = [_exchange(seating, counts) for seating in seatings]
        if not any(helped):
            break
    return tuple(tuple(seating) for seating in seatings)


class _Counts:
    """How often each entrant has had each seat and each left neighbour."""

    def __init__(self, entrants: int, players: int) -> None:
        self.seats = [[0] * players for _ in range(entrants)]
        self.left = [[0] * entrants for _ in range(entrants)]

    def cost(self, seating: Sequence[int]) -> int:
        """Return by how much half the sum of squared counts grows with *seating*, but for a constant."""
        # A seat weighs more than a neighbour: an entrant has fewer seats than neighbours, and always the same ones.
        return sum(
            2 * self.seats[entrant][seat] + self.left[entrant][seating[(seat + 1) % len(seating)]]
            for seat, entrant in enumerate(seating)
        )

    def add(self, seating: Sequence[int], change: int) -> None:
        """Count *seating* *change* times more."""
        for seat, entrant in enumerate(seating):
            self.seats[entrant][seat] += change
            self.left[entrant][seating[(seat + 1) % len(seating)]] += change


def _exchange(seating: list[int], counts: _Counts) -> bool:
    """Exchange pairs of seats in *seating* while that lowers the cost; return whether any did."""
    counts.add(seating, -1)
    lowest, helped = counts.cost(seating), False
    for i, j in combinations(range(len(seating)), 2):
        seating[i], seating[j] = seating[j], seating[i]
        cost = counts.cost(seating)
        if cost < lowest:
            lowest, helped = cost, True
        else:
            seating[i], seating[j] = seating[j], seating[i]
    counts.add(seating, 1)
    return helped
