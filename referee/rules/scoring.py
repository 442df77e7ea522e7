"""Points of a deal (R22), the moon (R23, R24), the end of a game (R25), and places (R26).

The moon is told by cards, never by points: a seat shoots it when it has taken every scoring card of the scheme, both
copies with two packs; so cards that nobody collected rule it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.rules.cards import HEARTS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card
from referee.rules.masks import harmful_mask, scoring_mask
from referee.rules.variant import MoonEffect, Scoring, Termination, TieForLowest, Variant

__all__ = [
    "Termination",
    "card_points",
    "deal_points",
    "game_over",
    "harmful_mask",
    "places",
    "points_of",
    "scoring_mask",
    "shooter",
]

_QUEEN: Final = 13
_JACK: Final = -10
_FREE_HEARTS: Final = 2


def _card_points(scoring: Scoring, card: int) -> int:
    """Return what *card* costs, hearts of the scheme with two free ones at their later price."""
    if card // 13 == HEARTS:
        if scoring is Scoring.TWO_FREE_DOUBLE_JD:
            return 2
        return 5 if scoring is Scoring.HONOURS_5 and card % 13 >= 9 else 1
    if not scoring_mask(scoring) >> card & 1:
        return 0
    return _QUEEN if card == QUEEN_OF_SPADES else _JACK


_POINTS: Final = {scoring: tuple(_card_points(scoring, card) for card in range(52)) for scoring in Scoring}


def card_points(scoring: Scoring) -> tuple[int, ...]:
    """Return the points of each of the 52 faces; `two_free_double_jd` still lets each seat off its first two hearts."""
    return _POINTS[scoring]


def points_of(scoring: Scoring, cards: Sequence[Card]) -> int:
    """Return the points of the *cards* that one seat took in a deal, the moon left aside."""
    prices = _POINTS[scoring]
    total = sum([prices[card] for card in cards])
    if scoring is Scoring.TWO_FREE_DOUBLE_JD:
        total -= 2 * min(_FREE_HEARTS, sum(card // 13 == HEARTS for card in cards))
    return total


def shooter(variant: Variant, taken: Sequence[Sequence[Card]]) -> int | None:
    """Return the seat that took all the scoring cards, or None; *taken* is every card each seat took in the deal."""
    mask = scoring_mask(variant.scoring)
    if not variant.moon_needs_jd:
        mask &= ~(1 << JACK_OF_DIAMONDS)
    needed = variant.packs * mask.bit_count()
    for seat, cards in enumerate(taken):
        held = sum([mask >> card & 1 for card in cards])
        if held:
            # Who took some of them but not all keeps everybody else from it too.
            return seat if held == needed else None
    return None


def deal_points(variant: Variant, taken: Sequence[Sequence[Card]], moon: MoonEffect | None) -> tuple[int, ...]:
    """Return the points of a finished deal by seat.

    *moon* is the effect to apply if somebody shot, `others_plus` or `self_minus`, and ignored if nobody did. It is the
    caller's because a shooter may have the choice; `ValueError` if it is missing when it is needed.
    """
    seat = shooter(variant, taken)
    if seat is None:
        return tuple(points_of(variant.scoring, cards) for cards in taken)
    if moon is MoonEffect.OTHERS_PLUS:
        points = [variant.moon_value] * len(taken)
        points[seat] = 0
    elif moon is MoonEffect.SELF_MINUS:
        points = [0] * len(taken)
        points[seat] = -variant.moon_value
    else:
        raise ValueError(f"seat {seat} shot the moon, so the effect must be others_plus or self_minus, not {moon}")
    if not variant.moon_needs_jd and scoring_mask(variant.scoring) >> JACK_OF_DIAMONDS & 1:
        points = [had + _JACK * list(cards).count(JACK_OF_DIAMONDS) for had, cards in zip(points, taken, strict=True)]
    return tuple(points)


def places(totals: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat: 1 for the lowest total; ties share the better place."""
    ranked = sorted(totals)
    return tuple(ranked.index(total) + 1 for total in totals)


def game_over(variant: Variant, deals_played: int, totals: Sequence[int]) -> Termination | None:
    """Return why the game is over after *deals_played* fully scored deals, or None if it goes on."""
    if variant.target is None:
        return Termination.DEALS if variant.deals is not None and deals_played >= variant.deals else None
    reached = max(totals) >= variant.target
    decided = variant.tie_for_lowest is TieForLowest.SHARED_WIN or list(totals).count(min(totals)) == 1
    if reached and decided:
        return Termination.TARGET
    return Termination.MAX_DEALS if deals_played >= variant.max_deals else None
