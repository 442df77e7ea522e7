"""Cards as numbers that know their suit, rank and name.

A `Card` is the integer `13 * suit + rank`, 0 to 51: suits in the order clubs, diamonds, spades, hearts, ranks from
deuce (0) to ace (12).
So cards compare, sort and index like integers, and print as `QS`.
On the wire the number is one higher, because 0 means "no card" there; only the kit has to know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"
CLUBS: Final = 0
DIAMONDS: Final = 1
SPADES: Final = 2
HEARTS: Final = 3


class Card(int):
    """One card. `suit` is 0..3, `rank` 0 (deuce) to 12 (ace), `name` rank then suit, as in `QS`."""

    suit: int
    rank: int
    name: str

    def __new__(cls, number: int) -> Card:
        """Return the card with this *number*, 0..51; `ValueError` for any other number."""
        if not 0 <= number < 52:
            raise ValueError(f"{number} is no card: cards are numbered 0 to 51, suit by suit")
        card = super().__new__(cls, number)
        card.suit, card.rank = divmod(number, 13)
        card.name = RANKS[card.rank] + SUITS[card.suit]
        return card

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name


CARDS: Final = tuple(Card(number) for number in range(52))
BY_WIRE: Final = (None, *CARDS)
"""The cards by their number on the wire."""

QUEEN_OF_SPADES: Final = CARDS[36]
JACK_OF_DIAMONDS: Final = CARDS[22]
_BY_NAME: Final = {card.name: card for card in CARDS}


def parse(text: str) -> tuple[Card, ...]:
    """Return the cards that *text* names, blanks between them, as in `"QS TH 2C"`; `ValueError` for anything else."""
    try:
        return tuple(_BY_NAME[name] for name in text.split())
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is not a card: write rank then suit, as in QS, TH or 2C") from None


def from_wire(numbers: Iterable[int]) -> tuple[Card, ...]:
    """Return the cards with these *numbers* on the wire."""
    return tuple([CARDS[number - 1] for number in numbers])
