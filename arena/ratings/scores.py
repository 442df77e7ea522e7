"""Scores: what a deal or a game was worth to each seat, in whole numbers.

The score of a deal is the mean of the other seats' points minus one's own. It sums to zero over the table.
The score of a game to a target is one's own placement points minus the mean of the others'. Placement points count
the seats one has finished before, half for those one ties with, so ties share, and the score sums to zero too.
Both are fractions with the number of opponents, or twice that, below the line; sums are kept as the numerators, so
that adding them up is exact and the order of results cannot matter.

A fault must not pay: a deal (or game) with a fault counts for that seat as the worst score at the table, if its own
was better. What it loses by that is its *penalty*. The others keep theirs, so such a deal sums to less than zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.ratings.results import MatchResult


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The sums of one match, in seat order.

    *scores* and *penalties* (the latter not yet taken off the former) are numerators over *denominator*; *units* is
    how many scores were added up: deals, or 1 for a game to a target. *faulty_deals* counts deals with a fault.
    """

    number: int
    block: int
    seating: tuple[int, ...]
    units: int
    deals: int
    denominator: int
    scores: tuple[int, ...]
    penalties: tuple[int, ...]
    faulty_deals: tuple[int, ...]


def deal_scores(points: Sequence[int]) -> tuple[int, ...]:
    """Return the scores of a deal times the number of opponents: the others' points minus that often one's own."""
    total = sum(points)
    return tuple(total - len(points) * own for own in points)


def game_scores(places: Sequence[int]) -> tuple[int, ...]:
    """Return the scores of a game times twice the number of opponents, from *places* with 1 for the best."""
    doubled = [sum((own < other) - (own > other) for other in places) for own in places]
    # Twice the placement points is seats - 1 + doubled; the constant cancels between oneself and the others.
    total = sum(doubled)
    return tuple(len(places) * own - total for own in doubled)


def score_match(result: MatchResult) -> MatchScore:
    """Return the sums of *result*; raise `ValueError` when a row does not fit the seating, or nothing was scored."""
    seats = len(result.seating)
    faulty_deals = [0] * seats
    scores = [0] * seats
    penalties = [0] * seats
    for deal in result.deals:
        if len(deal.points) != seats or len(deal.faulted) != seats:
            raise ValueError(f"match {result.number}, deal {deal.number}: not one entry for each of {seats} seats")
        if result.places is None:
            worths = deal_scores(deal.points)
            for seat, worth in enumerate(worths):
                scores[seat] += worth
            if True in deal.faulted:
                _penalise(worths, deal.faulted, penalties)
        for seat, faulted in enumerate(deal.faulted):
            faulty_deals[seat] += faulted
    if result.places is not None:
        if len(result.places) != seats:
            raise ValueError(f"match {result.number}: {len(result.places)} places for {seats} seats")
        scores = list(game_scores(result.places))
        _penalise(scores, [count > 0 for count in faulty_deals], penalties)
    elif not result.deals:
        raise ValueError(f"match {result.number}: neither deals nor places, so there is nothing to score")
    return MatchScore(
        number=result.number,
        block=result.block,
        seating=result.seating,
        units=1 if result.places is not None else len(result.deals),
        deals=len(result.deals),
        denominator=(seats - 1) * (1 if result.places is None else 2),
        scores=tuple(scores),
        penalties=tuple(penalties),
        faulty_deals=tuple(faulty_deals),
    )


def _penalise(worths: Sequence[int], faulted: Sequence[bool], penalties: list[int]) -> None:
    """Add to *penalties* what separates each faulted seat from the worst of *worths*."""
    worst = min(worths)
    for seat, worth in enumerate(worths):
        if faulted[seat]:
            penalties[seat] += worth - worst
