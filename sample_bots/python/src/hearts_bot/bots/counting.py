"""Card counting: what a seat can tell of the others' cards, from what it has seen.

A card that is out is equally likely to be with anybody who has not shown to be out of its suit, in proportion to how
many cards each still holds.
From this follow the numbers that a player at the table estimates by feel: is this card still a winner, will it be
beaten, who is likely to have nothing of a suit, and what would such a seat throw on a trick.
"""

from __future__ import annotations

from hearts_bot import HEARTS, QUEEN_OF_SPADES, SPADES, View
from hearts_bot.cards import Card
from hearts_bot.rules import winner

_TEMPTED = 0.3
"""How likely a seat that could duck takes a trick without points all the same."""
_CARELESS = 0.1
"""The same where the trick has points."""
_QUEEN_FALLS = 0.9
"""How likely the holder of the queen of spades lets her fall where she does harm."""


class Count:
    """The count at one decision; lists by suit, by position, or by the number of a card.

    `left` tells how many copies of a card are out, `out` how many cards of a suit. `share[suit][position]` is the part
    of a suit's cards that are out which a position is expected to hold, `void[suit][position]` the chance that it holds
    none of them, `dump[position]` the points it would throw on somebody else's trick. `below` counts the cards that are
    out and lower in suit, for each card of the hand.
    """

    def __init__(self, view: View) -> None:
        rules = view.rules
        players, me = view.players, view.position
        self.prices = rules.prices
        self.hand = hand = view.hand
        self.trick = trick = view.trick
        self.suits: list[list[Card]] = [[], [], [], []]
        for card in hand:
            self.suits[card.suit].append(card)
        self.fullness = len(hand) / rules.hand_size
        self.left = left = [0] * 52
        for card in view.unseen:
            left[card] += 1
        self.out = [sum(left[suit * 13 : suit * 13 + 13]) for suit in range(4)]
        queen_costs = rules.is_harmful(QUEEN_OF_SPADES)
        self.queen_out = queen_costs and left[QUEEN_OF_SPADES] > 0
        self.queen_held = queen_costs and QUEEN_OF_SPADES in hand
        self.clean = not view.tricks and rules.first_trick_penalty != "allowed"
        """Whether this is a first trick that may hold no points."""
        self.others = [(me + step) % players for step in range(1, players)]
        self.later = self.others[: players - 1 - len(trick)]
        self.points = sum(self.prices[card] for card in trick)
        self._cancels = rules.cancellation
        held = [0] * players
        for seat in self.others:
            held[seat] = len(hand) - (seat not in self.later)
        self._read(held, view.voids, players)
        self.below = {card: sum(left[card.suit * 13 : card]) for card in hand}
        self._heights = {card: self.below[card] / self.out[card.suit] if self.out[card.suit] else 1.0 for card in hand}

    def _read(self, held: list[int], voids: list[set[int]], players: int) -> None:
        self.share: list[list[float]] = []
        self.void: list[list[float]] = []
        for suit in range(4):
            cards = [0 if suit in shown else number for number, shown in zip(held, voids, strict=True)]
            total = sum(cards) or 1
            share = [number / total for number in cards]
            self.share.append(share)
            self.void.append([(1.0 - part) ** self.out[suit] if part else 1.0 for part in share])
        hearts, spades = self.share[HEARTS], self.share[SPADES]
        queen = 12.0 if self.queen_out else 0.0
        self.dump = [1.0 - (1.0 - hearts[seat]) ** self.out[HEARTS] + queen * spades[seat] for seat in range(players)]

    def height(self, card: Card) -> float:
        """Return the part of the cards of its suit that are out which *card* beats; 1 if none is out."""
        return self._heights[card]

    def lowest_but(self, card: Card) -> float:
        """Return the least height in the hand without *card*; 0 if it is the last."""
        return min((height for other, height in self._heights.items() if other is not card), default=0.0)

    def risk(self, suit: int) -> float:
        """Return the points that a trick of *suit* will hold, if the others follow once before."""
        out = max(0, self.out[suit] - len(self.others))
        share = self.share[suit]
        thrown = sum((1.0 - share[seat]) ** out * self.dump[seat] for seat in self.others)
        return thrown + (2.0 if suit == HEARTS else 0.0)

    def beats(self, card: Card) -> bool:
        """Return whether *card* would win the trick as it lies."""
        if not self.trick:
            return True
        return winner((*self.trick, card), self._cancels) == len(self.trick)

    def chance(self, card: Card) -> float:
        """Return how likely *card*, which beats the trick as it lies, is to win it in the end."""
        suit = card.suit
        below = self.below[card]
        above = self.out[suit] - below
        harmless = self.points + self.prices[card] <= 0 and suit != HEARTS
        takes = _TEMPTED if harmless else _CARELESS
        wins = 1.0
        for seat in self.later:
            part = self.share[suit][seat]
            higher = 1.0 - (1.0 - part) ** above
            no_lower = (1.0 - part) ** below
            wins *= 1.0 - higher * (no_lower + (1.0 - no_lower) * takes)
        return wins

    def load(self, card: Card) -> float:
        """Return the points that the later seats are likely to add to a trick that *card* wins."""
        if self.clean:
            return 0.0
        suit = card.suit
        catches = suit == SPADES and self.queen_out and card > QUEEN_OF_SPADES
        points = 0.0
        for seat in self.later:
            void = self.void[suit][seat]
            points += void * self.dump[seat]
            if suit == HEARTS:
                points += 1.0 - void
            elif catches:
                points += 13 * self.share[SPADES][seat] * _QUEEN_FALLS
        return points
