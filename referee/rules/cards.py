"""Cards, and hands of cards as bitmasks.

A card is a number 0..51: `suit * 13 + rank`, suits in the order clubs, diamonds, spades, hearts, ranks from
deuce (0) to ace (12).
A hand is one integer: bit `c` says that at least one copy of card `c` is held, bit `52 + c` that the second copy is
held too, which only two packs can bring about.
So "the faces held" is always the low 52 bits, and the law of play works on those whatever the number of packs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", int)
Hand = NewType("Hand", int)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"
CLUBS: Final = 0
DIAMONDS: Final = 1
SPADES: Final = 2
HEARTS: Final = 3

FACES: Final = (1 << 52) - 1
SUIT_MASKS: Final = tuple(0x1FFF << (13 * suit) for suit in range(4))
EMPTY: Final = Hand(0)

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
_BY_NAME: Final = {name: Card(card) for card, name in enumerate(CARD_NAMES)}

TWO_OF_CLUBS: Final = _BY_NAME["2C"]
TWO_OF_DIAMONDS: Final = _BY_NAME["2D"]
TWO_OF_SPADES: Final = _BY_NAME["2S"]
JACK_OF_DIAMONDS: Final = _BY_NAME["JD"]
QUEEN_OF_SPADES: Final = _BY_NAME["QS"]


class UnknownCard(ValueError):
    """A text that names no card."""

    def __init__(self, text: object) -> None:
        super().__init__(f"{text!r} is not a card: write rank then suit, as in QS, TH or 2C")
        self.text = text


def parse_card(text: object) -> Card:
    """Return the card that *text* names, e.g. `"QS"`; raise `UnknownCard` for anything else."""
    card = _BY_NAME.get(text) if isinstance(text, str) else None
    if card is None:
        raise UnknownCard(text)
    return card


def card_name(card: Card) -> str:
    """Return the two letters of *card*, rank then suit."""
    return CARD_NAMES[card]


def suit_of(card: Card) -> int:
    """Return the suit of *card*, 0..3."""
    return card // 13


def rank_of(card: Card) -> int:
    """Return the rank of *card*, 0 (deuce) to 12 (ace)."""
    return card % 13


def add(hand: Hand, card: Card) -> Hand:
    """Return *hand* with one more copy of *card*."""
    bit = 1 << card
    return Hand(hand | (bit << 52 if hand & bit else bit))


def remove(hand: Hand, card: Card) -> Hand:
    """Return *hand* with one copy of *card* less. The caller has checked that it is held."""
    second = 1 << (card + 52)
    return Hand(hand ^ second if hand & second else hand ^ (1 << card))


def hand_of(cards: Iterable[Card]) -> Hand:
    """Return the hand of *cards*, at most two copies of each."""
    hand = 0
    for card in cards:
        bit = 1 << card
        hand |= bit << 52 if hand & bit else bit
    return Hand(hand)


def cards_of(hand: Hand) -> tuple[Card, ...]:
    """Return the cards of *hand*, ascending, copies adjacent."""
    cards: list[Card] = []
    faces = hand & FACES
    while faces:
        bit = faces & -faces
        card = Card(bit.bit_length() - 1)
        cards.append(card)
        if hand & (bit << 52):
            cards.append(card)
        faces ^= bit
    return tuple(cards)


def count(hand: Hand) -> int:
    """Return how many cards *hand* holds."""
    return hand.bit_count()


def parse_hand(text: str) -> Hand:
    """Return the hand that *text* lists, names separated by blanks."""
    return hand_of(parse_card(name) for name in text.split())
