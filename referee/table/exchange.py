"""Cards that change hands before play.

What a seat gives leaves its hand only when all have chosen, so nobody can pass on a card just received.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules.cards import Card, Hand, add, remove


def taken_out(hands: Sequence[Hand], gifts: Iterable[Sequence[Card]]) -> list[Hand]:
    """Return the *hands* less what each seat gives. The caller has checked that it holds it."""
    left = list(hands)
    for seat, cards in enumerate(gifts):
        for card in cards:
            left[seat] = remove(left[seat], card)
    return left


def put_in(hands: Sequence[Hand], gifts: Iterable[Sequence[Card]], offset: int = 0) -> list[Hand]:
    """Return the *hands* with what each seat gives added *offset* seats clockwise from it."""
    full = list(hands)
    for seat, cards in enumerate(gifts):
        taker = (seat + offset) % len(full)
        for card in cards:
            full[taker] = add(full[taker], card)
    return full
