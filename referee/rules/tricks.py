"""Who wins a trick (R19), and when nobody does (R20)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import Card


def winner(cards: Sequence[Card], cancellation: bool) -> int:
    """Return the index in *cards*, given in the order played, of the one that wins; -1 when none does.

    With *cancellation*, cards that lie in the trick twice are out, both copies, whatever their suit; a trick in which
    no card of the suit led is left has no winner. Without it the leader's card at least stands.
    """
    base = cards[0] // 13 * 13
    top = base + 13
    best, index = -1, -1
    if cancellation and len(set(cards)) < len(cards):
        for place, card in enumerate(cards):
            if base <= card < top and card > best and cards.count(card) == 1:
                best, index = card, place
        return index
    # The leader's card is the first to stand, so all that beat it are of its suit.
    for place, card in enumerate(cards):
        if best < card < top:
            best, index = card, place
    return index
