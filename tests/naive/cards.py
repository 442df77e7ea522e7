"""Cards as strings: "QS" is a rank and a suit."""

from collections import Counter
from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PLAIN_SUITS = "CDS"
QS_SCHEMES = ("black_lady", "black_lady_jd", "two_free_double_jd")
JD_SCHEMES = ("black_lady_jd", "two_free_double_jd")


def rank(card: str) -> int:
    """How high the card is in its suit, 0 for a two."""
    return RANKS.index(card[0])


def suit(card: str) -> str:
    """Return the suit's letter."""
    return card[1]


def of_suit(cards: Iterable[str], letter: str) -> list[str]:
    """Pick the cards of one suit."""
    return [card for card in cards if suit(card) == letter]


def hearts(cards: Iterable[str]) -> list[str]:
    """Pick the hearts."""
    return of_suit(cards, "H")


def non_hearts(cards: Iterable[str]) -> list[str]:
    """Pick the cards of the three plain suits."""
    return [card for card in cards if suit(card) != "H"]


def is_harmful(card: str, scoring: str) -> bool:
    """Whether the card is a heart, or the queen of spades where she scores."""
    return suit(card) == "H" or (card == "QS" and scoring in QS_SCHEMES)


def is_scoring(card: str, scoring: str) -> bool:
    """Whether the card is harmful, or the jack of diamonds where he scores."""
    return is_harmful(card, scoring) or (card == "JD" and scoring in JD_SCHEMES)


def lowest(cards: Sequence[str]) -> list[str]:
    """Every card of the lowest rank there is."""
    return [card for card in cards if rank(card) == min(rank(other) for other in cards)]


def faces(cards: Iterable[str]) -> list[str]:
    """Each face once, in the order of the alphabet."""
    return sorted(set(cards))


def contains(cards: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether the wanted cards, copies counted, are all among the cards."""
    return not Counter(wanted) - Counter(cards)


def same(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether both are the same cards in any order."""
    return sorted(some) == sorted(others)


def without(cards: Sequence[str], taken: Iterable[str]) -> list[str]:
    """Remove one copy of each card taken."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left
