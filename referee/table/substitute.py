"""Decisions made for a seat that makes none, or none that counts.

They depend on nothing but the table, so a game can be repeated whoever failed in it; they are simple enough to be
told to bot authors in one sentence each, and no better than a bot that tries:

* pass: the highest ranks, hearts before spades before diamonds before clubs among equal ranks;
* give back: the highest of the cards received, by the same order;
* play: the lowest rank that is legal, clubs before diamonds before spades before hearts among equal ranks;
* moon: `others_plus`.
"""

from __future__ import annotations

from referee.rules.cards import Card, Hand, cards_of
from referee.rules.variant import MoonEffect
from referee.table.machine import Table


def _height(card: Card) -> tuple[int, int]:
    return card % 13, card // 13


def substitute_pass(table: Table, seat: int) -> tuple[Card, ...]:
    """Return the cards to pass for *seat*, whose pass is open."""
    return tuple(sorted(cards_of(table.hands[seat]), key=_height, reverse=True)[: table.variant.pass_count])


def substitute_return(table: Table, seat: int) -> Card:
    """Return the card to give back for *seat*, whose return is open."""
    return max(table.received(seat), key=_height)


def substitute_play(table: Table) -> Card:
    """Return the card to play for the seat in turn."""
    return min(cards_of(Hand(table.legal)), key=_height)


def substitute_moon(table: Table) -> MoonEffect:
    """Return the effect to choose for the shooter of *table*; the same at every table."""
    return MoonEffect.OTHERS_PLUS
