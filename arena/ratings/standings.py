"""Standings: ranks, scores and intervals from raw results, the same to the byte whatever the order of results.

Numbers are rounded to six decimals once, here, before ranks are taken from them: entrants whose rounded scores are
equal share a rank, and what is printed never contradicts the order it is printed in.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.ratings.least_squares import Fit, fit
from arena.ratings.prefix import BlockTable, complete_prefix
from arena.ratings.results import DealResult, MatchResult
from arena.ratings.scores import MatchScore, score_match
from arena.ratings.student import quantile

__all__ = ["DealResult", "MatchResult", "Standing", "Standings", "gap", "standings", "standings_of", "to_json"]

CONFIDENCE: Final = 0.95
DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's row.

    *score* is the expected score a deal (a game, with a target) against the average of the other entrants, and
    *interval* the half-width of its 95 % confidence interval, `None` while the results cannot tell. *score_clean* is
    the same without blocks in which anybody faulted, `None` when that leaves nothing of this entrant. *matches*,
    *deals* and *faulty_deals* (those in which the bot faulted) count what the standings read.
    """

    entrant: int
    name: str
    rank: int
    score: float
    interval: float | None
    score_clean: float | None
    matches: int
    deals: int
    faulty_deals: int


@dataclass(frozen=True, slots=True)
class Standings:
    """Rows by rank, and how much of the schedule they rest on.

    *blocks_used* blocks were read, *blocks_clean* of them without a fault, of *blocks_total* in the schedule.
    *covariance* is that of the scores, by entrant, and *freedom* their degrees of freedom (0: no interval).
    """

    rows: tuple[Standing, ...]
    blocks_used: int
    blocks_clean: int
    blocks_total: int
    covariance: tuple[tuple[float, ...], ...]
    freedom: tuple[float, ...]


def standings(
    entrants: Sequence[str], results: Iterable[MatchResult], schedule: BlockTable, *, void: Collection[int] = ()
) -> Standings:
    """Return the standings of *entrants* (names by entrant number) from *results* in any order.

    Only the complete blocks before the first incomplete one of *schedule* are read; *void* holds the numbers of
    matches that will never be played. Raise `ValueError` for results that contradict each other or the seating.
    """
    return standings_of(entrants, map(score_match, results), schedule, void=void)


def standings_of(
    entrants: Sequence[str], scores: Iterable[MatchScore], schedule: BlockTable, *, void: Collection[int] = ()
) -> Standings:
    """Return the same as `standings` from matches that are scored already, as one may keep them between calls."""
    blocks = complete_prefix(scores, schedule, frozenset(void))
    clean = [block for block in blocks if not any(any(match.faulty_deals) for match in block)]
    whole = fit(blocks, len(entrants))
    faultless = whole if len(clean) == len(blocks) else fit(clean, len(entrants))
    matches, deals, faulty_deals = _counts(blocks, len(entrants))
    values = [_rounded(float(score)) for score in whole.score]
    # Who has not played is unmeasured, and comes after those who have.
    keys = [(not whole.played[entrant], -values[entrant]) for entrant in range(len(entrants))]
    ordered = sorted(range(len(entrants)), key=lambda entrant: (keys[entrant], entrant))
    sorted_keys = sorted(keys)
    rows = tuple(
        Standing(
            entrant=entrant,
            name=entrants[entrant],
            rank=sorted_keys.index(keys[entrant]) + 1,
            score=values[entrant],
            interval=_half_width(float(whole.covariance[entrant, entrant]), float(whole.freedom[entrant])),
            score_clean=_rounded(float(faultless.score[entrant])) if faultless.played[entrant] else None,
            matches=matches[entrant],
            deals=deals[entrant],
            faulty_deals=faulty_deals[entrant],
        )
        for entrant in ordered
    )
    return Standings(
        rows=rows,
        blocks_used=len(blocks),
        blocks_clean=len(clean),
        blocks_total=schedule.blocks,
        covariance=_rows(whole),
        freedom=tuple(float(value) for value in whole.freedom),
    )


def gap(of: Standings, first: int, second: int) -> tuple[float, float | None]:
    """Return by how much entrant *first* is ahead of *second*, and the half-width of that difference's interval.

    The half-width is that of the difference itself, not of its two ends: scores at one table move against each other.
    """
    scores = {row.entrant: row.score for row in of.rows}
    variance = of.covariance[first][first] + of.covariance[second][second] - 2 * of.covariance[first][second]
    freedom = min(of.freedom[first], of.freedom[second])
    return _rounded(scores[first] - scores[second]), _half_width(variance, freedom)


def to_json(of: Standings) -> dict[str, object]:
    """Return what a standings file holds; its numbers are rounded already, and contain no times and no ids of a run."""
    return {
        "confidence": CONFIDENCE,
        "blocks": {"used": of.blocks_used, "clean": of.blocks_clean, "total": of.blocks_total},
        "rows": [
            {
                "rank": row.rank,
                "entrant": row.entrant,
                "name": row.name,
                "score": row.score,
                "interval": row.interval,
                "score_clean": row.score_clean,
                "matches": row.matches,
                "deals": row.deals,
                "faulty_deals": row.faulty_deals,
            }
            for row in of.rows
        ],
    }


def _counts(blocks: Sequence[Sequence[MatchScore]], entrants: int) -> tuple[list[int], list[int], list[int]]:
    """Return matches, deals and faulted deals by entrant."""
    matches, deals, faulty_deals = [0] * entrants, [0] * entrants, [0] * entrants
    for block in blocks:
        for match in block:
            for entrant, faulted in zip(match.seating, match.faulty_deals, strict=True):
                matches[entrant] += 1
                deals[entrant] += match.deals
                faulty_deals[entrant] += faulted
    return matches, deals, faulty_deals


def _half_width(variance: float, freedom: float) -> float | None:
    """Return the half-width of the interval of an estimate, or None without degrees of freedom."""
    if freedom <= 0:
        return None
    return _rounded(quantile((1 + CONFIDENCE) / 2, freedom) * math.sqrt(max(variance, 0.0)))


def _rounded(value: float) -> float:
    """Round to `DECIMALS`, ten decimals first, so that noise in the last bits cannot turn an exact half either way."""
    return round(round(value, 10), DECIMALS) + 0.0  # + 0.0 makes a negative zero positive


def _rows(of: Fit) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in of.covariance)
