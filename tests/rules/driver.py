"""The smallest loop that plays the tricks of a deal by `referee.rules` alone, for tests of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from referee.rules.cards import FACES, Card, Hand, parse_card, parse_hand, remove, suit_of
from referee.rules.play import law_of
from referee.rules.tricks import winner
from referee.rules.variant import Variant


def card(name: str) -> Card:
    """Return the card called *name*."""
    return parse_card(name)


def cards(names: str) -> list[Card]:
    """Return the cards that *names* lists, in that order."""
    return [parse_card(name) for name in names.split()]


def hand(names: str) -> Hand:
    """Return the hand that *names* lists."""
    return parse_hand(names)


def faces(cards: Hand) -> list[Card]:
    """Return the faces in the mask *cards*, ascending."""
    return [Card(card) for card in range(52) if cards >> card & 1]


@dataclass
class Turn:
    """One seat about to play, with what the rules say of it."""

    seat: int
    hand: Hand
    led: int
    trick: int
    hearts_open: bool
    legal: Hand


@dataclass
class Played:
    """Where the cards of a deal went."""

    taken: list[list[Card]]
    dead: list[Card] = field(default_factory=list)
    tricks: list[tuple[int, list[Card], int]] = field(default_factory=list)
    """Leader, cards in the order played, and the index of the winning one."""


def play_deal(
    variant: Variant,
    hands: Sequence[Hand],
    kitty: Sequence[Card],
    dealer: int,
    choose: Callable[[Turn], Card],
) -> Played:
    """Play all tricks of a deal with *hands* as they are after passing; *choose* answers every turn."""
    law, left, players = law_of(variant), list(hands), variant.players
    played, leads, carry = 0, [0, 0, 0, 0], list(kitty)
    result = Played([[] for _ in range(players)])
    leader = law.opener(hands, dealer)
    for trick in range(1, variant.hand_size + 1):
        is_open = trick > 1 and law.hearts_open(trick, played, leads)
        on_table: list[Card] = []
        for step in range(players):
            seat = (leader + step) % players
            led = suit_of(on_table[0]) if on_table else -1
            choice = choose(Turn(seat, left[seat], led, trick, is_open, law.legal(left[seat], led, trick, is_open)))
            left[seat] = remove(left[seat], choice)
            on_table.append(choice)
        leads[suit_of(on_table[0])] += 1
        for choice in on_table:
            played |= 1 << choice
        won = winner(on_table, variant.cancellation)
        result.tricks.append((leader, on_table, won))
        carry += on_table
        if won >= 0:
            leader = (leader + won) % players
            result.taken[leader] += carry
            carry = []
    result.dead = carry
    assert not any(left), f"cards left over: {[hand & FACES for hand in left]}"
    return result
