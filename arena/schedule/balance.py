"""How balanced a schedule is, in figures that an organiser can read before it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Spread:
    """The lowest and highest of some counts."""

    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Balance:
    """Counts over a whole schedule.

    *matches_each*: matches of an entrant. *meetings*: matches that two entrants share. *seats*: matches of an entrant
    in one seat. *left*: matches in which one given entrant has another given one as left neighbour (the next seat).
    These four are spreads over entrants, pairs of them, and seats.
    """

    entrants: int
    rounds: int
    blocks: int
    matches: int
    matches_each: Spread
    meetings: Spread
    seats: Spread
    left: Spread

    def lines(self) -> tuple[str, ...]:
        """Return the figures as sentences for people."""
        return (
            f"{self.matches} matches in {self.blocks} blocks and {self.rounds} rounds, {self.entrants} entrants",
            f"each entrant plays {self.matches_each} matches, and has each seat in {self.seats} of them",
            f"two entrants meet in {self.meetings} matches, one as the other's left neighbour in {self.left}",
        )


def measure(
    seatings: Iterable[tuple[int, ...]],
    *,
    weights: Callable[[int], int],
    entrants: int,
    players: int,
    rounds: int,
    blocks: int,
) -> Balance:
    """Return the balance of *seatings*, of which number i counts *weights(i)* times."""
    seats = [[0] * players for _ in range(entrants)]
    left = [[0] * entrants for _ in range(entrants)]
    met = [[0] * entrants for _ in range(entrants)]
    matches = 0
    for index, seating in enumerate(seatings):
        weight = weights(index)
        matches += weight
        for seat, entrant in enumerate(seating):
            seats[entrant][seat] += weight
            left[entrant][seating[(seat + 1) % players]] += weight
        for one, other in combinations(seating, 2):
            met[min(one, other)][max(one, other)] += weight
    pairs = list(combinations(range(entrants), 2))
    return Balance(
        entrants=entrants,
        rounds=rounds,
        blocks=blocks,
        matches=matches,
        matches_each=_spread(sum(row) for row in seats),
        meetings=_spread(met[one][other] for one, other in pairs),
        seats=_spread(count for row in seats for count in row),
        left=_spread(count for one, other in pairs for count in (left[one][other], left[other][one])),
    )


def _spread(counts: Iterable[int]) -> Spread:
    values = list(counts)
    return Spread(min(values), max(values))
