"""Positions: what a seat that is to play knows, given by options or found in a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.cli.errors import Misuse
from referee.rules.cards import (
    SUITS,
    TWO_OF_CLUBS,
    TWO_OF_DIAMONDS,
    TWO_OF_SPADES,
    Card,
    Hand,
    UnknownCard,
    card_name,
    hand_of,
    parse_card,
)
from referee.rules.variant import HeartsLead, OpeningLead, Variant

if TYPE_CHECKING:
    from collections.abc import Sequence

SUIT_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Position:
    """A seat that is to play: all that the law of play asks for."""

    variant: Variant
    hand: Hand
    led: int
    """The suit led; -1 when the seat leads."""
    trick: int
    hearts_open: bool

    @property
    def hearts_matter(self) -> bool:
        """Return whether it matters here if hearts are open: only to a lead after the first trick."""
        return self.led < 0 and self.trick > 1


def card_named(text: str) -> Card:
    """Return the card that *text* names, in either case. Raises `Misuse`."""
    try:
        return parse_card(text.upper())
    except UnknownCard:
        raise Misuse(f"{text[:_SHOWN]!r} is no card: write rank then suit, as in QS, TH or 2C") from None


def cards_named(text: str) -> list[Card]:
    """Return the cards that *text* lists, with blanks or commas between them. Raises `Misuse`."""
    return [card_named(name) for name in text.replace(",", " ").split()]


def suit_named(text: str | None) -> int:
    """Return the suit that *text* names, by letter or in full; -1 for None. Raises `Misuse`."""
    if text is None:
        return -1
    for suit, name in enumerate(SUIT_NAMES):
        if text.lower() in (name, SUITS[suit].lower()):
            return suit
    raise Misuse(f"--led {text[:_SHOWN]!r} is no suit: choose C, D, S or H, or leave it out for a seat that leads")


def described(variant: Variant, hand: str, led: str | None, trick: int, hearts: str | None) -> Position:
    """Return the position that options describe. Raises `Misuse` for one that cannot be."""
    cards = cards_named(hand)
    suit = suit_named(led)
    if trick > variant.hand_size:
        raise Misuse(f"--trick {trick}: a deal has {variant.hand_size} tricks with these rules")
    _check_hand(variant, cards, trick)
    if trick == 1:
        _check_opening(variant, cards, suit)
    position = Position(variant, hand_of(cards), suit, trick, hearts == "open")
    if not position.hearts_matter:
        return position
    fixed = _fixed_hearts(variant, trick)
    if fixed is None:
        return position
    word = "open" if fixed else "closed"
    if hearts not in (None, word):
        raise Misuse(f"--hearts {hearts}: hearts are {word} in trick {trick} with hearts_lead={variant.hearts_lead}")
    return Position(variant, position.hand, suit, trick, fixed)


def _check_hand(variant: Variant, cards: Sequence[Card], trick: int) -> None:
    most = variant.hand_size - trick + 1
    if not 1 <= len(cards) <= most:
        raise Misuse(f"--hand has {len(cards)} cards: a seat that is to play to trick {trick} has 1 to {most} here")
    for card in cards:
        if card in variant.stripped:
            raise Misuse(f"--hand: {card_name(card)} is stripped from the pack with these rules")
        if cards.count(card) > variant.packs:
            packs = "one pack" if variant.packs == 1 else "two packs"
            raise Misuse(f"--hand: {card_name(card)} is named {cards.count(card)} times, but this is {packs}")


def _check_opening(variant: Variant, cards: Sequence[Card], led: int) -> None:
    """Refuse a first trick that another seat would lead, or another suit."""
    lead = variant.opening_lead
    needed: tuple[Card, ...]
    match lead:
        case OpeningLead.LOW_CLUB if not variant.kitty_size:
            clubs = [Card(card) for card in range(13) if card not in variant.stripped]
            needed = (clubs[0],)
        case OpeningLead.FIRST_PLAIN_TWO:
            needed = (TWO_OF_CLUBS, TWO_OF_DIAMONDS, TWO_OF_SPADES)
        case OpeningLead.SHOW_2C_ANY_NONSCORING:
            needed = (TWO_OF_CLUBS,)
        case _:
            return
    names = " or ".join(map(card_name, needed))
    if led < 0 and not set(needed) & set(cards):
        raise Misuse(f"with opening_lead={lead} the first trick is led by who holds {names}; --led says what was led")
    suits = {card // 13 for card in needed}
    if led >= 0 and lead is not OpeningLead.SHOW_2C_ANY_NONSCORING and led not in suits:
        raise Misuse(f"with opening_lead={lead} the first trick is led with {names}, so not with {SUIT_NAMES[led]}")


def _fixed_hearts(variant: Variant, trick: int) -> bool | None:
    """Return whether hearts are open at the lead to *trick*; None where that depends on what was played."""
    match variant.hearts_lead:
        case HeartsLead.AFTER_TRICK_1:
            return True
        case HeartsLead.AFTER_TRICK_3:
            return trick > 3
        case HeartsLead.AFTER_PLAIN_SUITS_LED:
            return False if trick < 4 else None
        case _:
            return None
