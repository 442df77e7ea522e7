"""A bot that plays as a careful person would, one trick at a time, without counting cards.

It ducks when it can, takes harmless tricks with its highest cards, and throws its worst cards when it cannot follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hearts_bot import HEARTS, QUEEN_OF_SPADES, SPADES, Bot, Card, View, run
from hearts_bot.rules import winner

_SPADE_GUARD = 4
"""With so many spades below the queen one keeps the high ones."""


class Cautious(Bot):
    """Ducks, gets rid of high cards early and throws the worst card it has."""

    version = "cautious/1"

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return the most dangerous cards of the hand."""
        hand = view.hand
        lengths = [sum(card.suit == suit for card in hand) for suit in range(4)]
        guarded = sum(card.suit == SPADES and card < QUEEN_OF_SPADES for card in hand) >= _SPADE_GUARD
        queen_costs = view.rules.is_harmful(QUEEN_OF_SPADES)

        def danger(card: Card) -> float:
            if card.suit == SPADES and card >= QUEEN_OF_SPADES and queen_costs:
                return -1.0 if guarded else 50.0 + (card is QUEEN_OF_SPADES)
            if view.rules.prices[card] < 0 or (card.suit == SPADES and queen_costs):
                return -1.0
            return card.rank + (2.0 if card.suit == HEARTS else 0.0) - lengths[card.suit]

        return sorted(hand, key=danger)[-view.rules.pass_count :]

    def give_back(self, view: View) -> Card:
        """Return the worst of the cards received."""
        return self._worst(view, view.legal)

    def play(self, view: View) -> Card:
        """Return the card that a careful person would play."""
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        trick = view.trick
        if not trick:
            return self._lead(view)
        if legal[0].suit != trick[0].suit or legal[-1].suit != trick[0].suit:
            return self._worst(view, legal)
        return self._follow(view, trick)

    def _lead(self, view: View) -> Card:
        """Return the lowest card, of the plain suits if possible, but no spade that might catch the queen."""
        prices = view.rules.prices
        return min(
            view.legal,
            key=lambda card: (prices[card] != 0, card.suit == SPADES and card > QUEEN_OF_SPADES, card.rank, card),
        )

    def _follow(self, view: View, trick: Sequence[Card]) -> Card:
        legal, prices = view.legal, view.rules.prices
        cancels = view.rules.cancellation
        last = len(trick) == view.players - 1
        cost = sum(prices[card] for card in trick)
        harmless = [card for card in legal if prices[card] <= 0] or legal
        if last and cost <= 0:
            return harmless[-1]
        below = [card for card in legal if winner((*trick, card), cancels) != len(trick)]
        if below:
            return next((card for card in reversed(below) if prices[card] > 1), below[-1])
        return harmless[-1] if last else harmless[0]

    def _worst(self, view: View, cards: Iterable[Card]) -> Card:
        """Return the card one would most like to be rid of: the queen, what catches her, hearts, then high cards."""
        prices = view.rules.prices
        queen_out = prices[QUEEN_OF_SPADES] > 0 and QUEEN_OF_SPADES not in view.plays

        def badness(card: Card) -> tuple[int, int, int]:
            catches = queen_out and card.suit == SPADES and card > QUEEN_OF_SPADES
            return (10 if catches else prices[card], card.rank, card)

        return max(cards, key=badness)


if __name__ == "__main__":
    run(Cautious)
