"""A bot that counts cards.

For every card it could play it estimates two things: the points that this trick will bring it, from who is still to
play, what they can hold and what they have shown not to hold; and the danger that the card means if it is kept, from
how many cards above and below it are still out.
It plays the card with the best balance of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hearts_bot import HEARTS, QUEEN_OF_SPADES, SPADES, Bot, Card, MoonEffect, View, run
from hearts_bot.rules import winner


@dataclass(frozen=True, slots=True)
class Weights:
    """What the bot believes about Hearts, found by trial: see the module's tests for how it is measured."""

    keep: float = 1.0
    """Weight of the danger of a card kept against points taken now."""
    power: float = 1.3
    """How soon middling cards turn into winners."""
    mean: float = 0.2
    """How much the worse order of playing a suit counts beside the better."""
    dump: float = 1.6
    """Points that a void opponent is expected to throw on a trick."""
    lead: float = 0.4
    """Cost of being on lead."""
    eager: float = 0.35
    """How likely a later player takes a harmless trick though it could duck."""
    wary: float = 0.1
    """The same for a trick with points."""
    hunt: float = 1.0
    """What it is worth to lead a spade below the queen while another holds her."""
    catch: float = 0.35
    """How likely the queen falls on a higher spade of ours."""
    hearts: float = 1.5
    """Points in a trick of hearts."""
    short: float = 0.3
    """What it is worth to come nearer to a void."""


class Reading:
    """What can be told of the others' cards: computed once a decision."""

    def __init__(self, view: View, weights: Weights) -> None:
        self.view = view
        self.weights = weights
        self.prices = view.rules.prices
        self.players = view.players
        hand = view.hand
        self.suits: list[list[int]] = [[], [], [], []]
        for card in hand:
            self.suits[card // 13].append(card)
        left = [0] * 52
        for card in view.rules.pack:
            left[card] += 1
        for card in view.plays:
            left[card] -= 1
        for card in hand:
            left[card] -= 1
        self.left = left
        self.out = [sum(left[suit * 13 : suit * 13 + 13]) for suit in range(4)]
        self.queen_out = bool(left[QUEEN_OF_SPADES]) and self.prices[QUEEN_OF_SPADES] > 0
        self.trick = view.trick
        leader = view.trick_leader
        me, players = view.position, view.players
        played = len(self.trick)
        held = len(hand)
        self.held = [held - ((seat - leader) % players < played) for seat in range(players)]
        self.held[me] = 0
        voids = view.voids
        self.share: list[list[float]] = []
        """By suit and position: the part of the cards of the suit that are out which the position holds."""
        for suit in range(4):
            weight = [0 if suit in voids[seat] else self.held[seat] for seat in range(players)]
            total = sum(weight) or 1
            self.share.append([one / total for one in weight])
        self.void_chance = [
            [1.0 if not part else (1.0 - part) ** self.out[suit] for part in self.share[suit]] for suit in range(4)
        ]
        for suit in range(4):
            self.void_chance[suit][me] = 0.0
        self.later = [(me + step) % players for step in range(1, players - played)]
        self.first = not view.tricks
        self._burdens: list[list[float] | None] = [None] * 4
        self.known = self._known()

    def _known(self) -> set[int]:
        view = self.view
        if view.direction not in ("left", "right", "across"):
            return set()
        return {card for card in view.passed if self.left[card] and card != view.got_back}

    def danger_of_suit(self, suit: int, cards: Sequence[int]) -> float:
        """Return the points that *cards*, our cards of *suit*, will bring us yet."""
        if not cards:
            return 0.0
        weights = self.weights
        left, prices = self.left, self.prices
        out = self.out[suit]
        low_first: list[float] = []
        below = 0
        at = suit * 13
        for card in cards:
            while at < card:
                below += left[at]
                at += 1
            low_first.append(((below + 0.3) / (out + 0.6)) ** weights.power if out else 1.0)
        burdens = self.burdens(suit)
        count = len(cards)
        last = len(burdens) - 1
        up = down = 0.0
        for place, card in enumerate(cards):
            wins = low_first[place]
            extra = float(prices[card])
            if suit == SPADES and self.queen_out and card > QUEEN_OF_SPADES:
                extra += 13 * weights.catch
            up += wins * (burdens[min(place, last)] + extra)
            down += wins * (burdens[min(count - 1 - place, last)] + extra)
        return min(up, down) + weights.mean * max(up, down)

    def burdens(self, suit: int) -> list[float]:
        """Return the points that a trick of *suit* is likely to hold, by how many such tricks come before it."""
        cached = self._burdens[suit]
        if cached is not None:
            return cached
        weights = self.weights
        others = [seat for seat in range(self.players) if self.held[seat]]
        out = float(self.out[suit])
        result: list[float] = []
        shares = self.share[suit]
        base = weights.hearts if suit == HEARTS else 0.0
        while True:
            void = sum((1.0 - shares[seat]) ** out for seat in others)
            result.append(base + weights.dump * void)
            if out <= 0:
                break
            out = max(0.0, out - len(others) * 0.9)
        self._burdens[suit] = result
        return result

    def expected_points(self, card: int) -> tuple[float, float]:
        """Return how likely *card* wins the trick, and the points it then brings."""
        weights, prices, left = self.weights, self.prices, self.left
        trick = self.trick
        suit = trick[0] // 13 if trick else card // 13
        if card // 13 != suit:
            return 0.0, 0.0
        if trick:
            index = winner((*trick, Card(card)), self.view.rules.cancellation)
            if index != len(trick):
                return 0.0, 0.0
        points = float(prices[card] + sum(prices[one] for one in trick))
        above = sum(left[card + 1 : suit * 13 + 13])
        below = self.out[suit] - above
        wins = 1.0
        shares = self.share[suit]
        clean = self.first and self.view.rules.first_trick_penalty != "allowed"
        queen = self.queen_out
        for seat in self.later:
            part = shares[seat]
            void = self.void_chance[suit][seat]
            higher = 1.0 - (1.0 - part) ** above
            lower_none = (1.0 - part) ** below
            tempted = weights.eager if points <= 0 and suit != HEARTS else weights.wary
            beats = higher * (lower_none + (1.0 - lower_none) * tempted)
            wins *= 1.0 - beats
            if not clean:
                points += void * weights.dump
            if suit == HEARTS:
                points += (1.0 - void) * 1.0
            if suit == SPADES and queen and card > QUEEN_OF_SPADES and not clean:
                points += 13.0 * part * 0.9
            elif queen and not clean:
                points += void * 13.0 * self.share[SPADES][seat] * 0.9
        return wins, points


class Counter(Bot):
    """Counts cards, knows who is void, and weighs this trick against those to come."""

    version = "counter/1"
    weights: Weights = Weights()

    def play(self, view: View) -> Card:
        """Return the card with the best balance of points now and danger later."""
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        reading = Reading(view, self.weights)
        return min(legal, key=lambda card: (self._cost(reading, card), card))

    def _cost(self, reading: Reading, card: Card) -> float:
        weights = self.weights
        suit = card.suit
        cards = reading.suits[suit]
        rest = list(cards)
        rest.remove(card)
        relief = reading.danger_of_suit(suit, cards) - reading.danger_of_suit(suit, rest)
        wins, points = reading.expected_points(card)
        cost = wins * (points + weights.lead) - weights.keep * relief
        if not reading.trick and suit == SPADES and reading.queen_out and card < QUEEN_OF_SPADES:
            cost -= weights.hunt
        if suit != HEARTS:
            cost -= weights.short / (len(cards) + 1)
        return cost

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return the cards whose loss makes the hand least dangerous."""
        reading = Reading(view, self.weights)
        chosen: list[Card] = []
        hand = list(view.hand)
        for _ in range(view.rules.pass_count):
            card = max(hand, key=lambda one: (self._relief(reading, one), one))
            chosen.append(card)
            hand.remove(card)
            reading.suits[card.suit].remove(card)
        return chosen

    def _relief(self, reading: Reading, card: Card) -> float:
        cards = reading.suits[card.suit]
        rest = list(cards)
        rest.remove(card)
        relief = reading.danger_of_suit(card.suit, cards) - reading.danger_of_suit(card.suit, rest)
        return relief + (self.weights.short / (len(cards) + 1) if card.suit != HEARTS else 0.0)

    def give_back(self, view: View) -> Card:
        """Return the most dangerous of the cards received."""
        reading = Reading(view, self.weights)
        return max(view.legal, key=lambda card: (self._relief(reading, card), card))

    def moon(self, view: View) -> MoonEffect:
        """Return the effect that does not end the game while somebody else would win it."""
        return "others_plus"


if __name__ == "__main__":
    run(Counter)
