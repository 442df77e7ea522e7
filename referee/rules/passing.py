"""Passing: who gives to whom (R7), and which cards may be given (R8) and given back (R9).

Selections are simultaneous and from the dealt hand only, so a pass is checked against the hand as dealt and a return
against the cards just received; no other seat's choice enters into it.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import Card, Hand, remove
from referee.rules.play import Violation
from referee.rules.variant import PassDirection, Variant


def pass_receiver(players: int, direction: PassDirection, seat: int) -> int:
    """Return the seat that *seat* passes to; itself when no seat passes to another."""
    return (seat + direction.offset(players)) % players


def pass_giver(players: int, direction: PassDirection, seat: int) -> int:
    """Return the seat that passes to *seat*, to which a card is also given back; itself when nobody passes."""
    return (seat - direction.offset(players)) % players


def verify_pass(variant: Variant, hand: Hand, cards: Sequence[Card]) -> Violation | None:
    """Return what is wrong with giving *cards* away from the dealt *hand*, or None.

    A card named twice needs two copies in the hand. Whether the seat is to pass at all is the table's business.
    """
    if len(cards) != variant.pass_count:
        return Violation.WRONG_NUMBER_OF_CARDS
    for card in cards:
        if not 0 <= card < 52 or not hand >> card & 1:
            return Violation.NOT_IN_HAND
        hand = remove(hand, card)
    return None


def verify_return(received: Sequence[Card], card: Card) -> Violation | None:
    """Return what is wrong with giving *card* back out of the cards just *received*, or None."""
    return None if card in received else Violation.NOT_RECEIVED
