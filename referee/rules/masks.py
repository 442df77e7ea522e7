"""Which cards hurt and which count, by scoring scheme, as masks of faces.

The jack of diamonds counts in two schemes, but it does its taker good: it is scoring and not harmful.
The queen of spades is neither in the two schemes in which only hearts count.
"""

from __future__ import annotations

from typing import Final

from referee.rules.cards import HEARTS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, SUIT_MASKS
from referee.rules.variant import Scoring

_QUEEN_SCHEMES: Final = frozenset({Scoring.BLACK_LADY, Scoring.BLACK_LADY_JD, Scoring.TWO_FREE_DOUBLE_JD})
_JACK_SCHEMES: Final = frozenset({Scoring.BLACK_LADY_JD, Scoring.TWO_FREE_DOUBLE_JD})


def harmful_mask(scoring: Scoring) -> int:
    """Return the faces that cost their taker points."""
    return SUIT_MASKS[HEARTS] | (1 << QUEEN_OF_SPADES if scoring in _QUEEN_SCHEMES else 0)


def scoring_mask(scoring: Scoring) -> int:
    """Return the faces that count for anything."""
    return harmful_mask(scoring) | (1 << JACK_OF_DIAMONDS if scoring in _JACK_SCHEMES else 0)
