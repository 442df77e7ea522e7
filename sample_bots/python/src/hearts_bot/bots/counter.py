"""A bot that counts cards.

For each card that it may play it adds up what speaks against it, in points: how likely it wins the trick and what the
trick will then hold, what the card would do if it were kept, and what becomes of the suit.
The considerations are what any player knows. How much each weighs was measured: in 37,000 deals among cautious players
every card of a decision was tried and the deal played to its end, and a least-squares fit told how much of the
difference each consideration explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from hearts_bot import HEARTS, QUEEN_OF_SPADES, SPADES, Bot, Card, MoonEffect, View, run
from hearts_bot.bots.counting import Count
from hearts_bot.rules import winner

MOON_IN_SIGHT: Final = 0.65
"""A seat that alone has taken so large a part of the points is to be stopped."""
MOON_COST: Final = 8.0


class Counter(Bot):
    """Counts cards, knows who is void, and weighs this trick against those to come."""

    version = "counter/1"

    def play(self, view: View) -> Card:
        """Return the card that the least speaks against."""
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        count = Count(view)
        if not count.trick:
            cost = lead_cost
        elif legal[0].suit == legal[-1].suit == count.trick[0].suit:
            cost = follow_cost
        else:
            cost = discard_cost
        shooter = moon_shooter(view)
        if shooter is None:
            return min(legal, key=lambda card: cost(count, card))
        return min(legal, key=lambda card: cost(count, card) + moon_cost(count, view, shooter, card))

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return the cards whose loss leaves the best hand."""
        return best_pass(view)

    def give_back(self, view: View) -> Card:
        """Return the card received whose loss leaves the best hand."""
        hand = view.hand
        places = [hand.index(card) for card in view.legal]
        best = min(places, key=lambda place: hand_cost(view, hand[:place] + hand[place + 1 :]))
        return hand[best]

    def moon(self, view: View) -> MoonEffect:
        """Return the usual effect, unless it would end the game before this seat has won it."""
        value, target, totals = view.rules.moon_value, view.rules.target, view.totals
        own = totals[view.position]
        others = [total + value for position, total in enumerate(totals) if position != view.position]
        return "self_minus" if target and max(others) >= target and min(others) < own else "others_plus"


def lead_cost(count: Count, card: Card) -> float:
    """Return what speaks against leading *card*."""
    suit, full, height = card.suit, count.fullness, count.height(card)
    length = len(count.suits[suit])
    risk, wins, price = count.risk(suit), count.chance(card), count.prices[card]
    catches = suit == SPADES and card > QUEEN_OF_SPADES and count.queen_out
    hunts = suit == SPADES and card < QUEEN_OF_SPADES and count.queen_out
    return (
        0.78 * wins * price
        + 0.46 * wins * count.load(card)
        + wins * full * (3.95 - 11.95 * count.lowest_but(card))  # who has high cards only will win anyway: better early
        + height * (2.19 - 5.05 * full)
        + height * risk * (0.42 - 0.48 * full + 0.07 * count.suits[suit].index(card))
        - 1.16 * (height == 1.0)
        + 0.28 * (count.below[card] == 0)
        - 1.11 * (suit == HEARTS) * full
        + 0.70 * catches * length
        - 0.75 * hunts
        + 0.29 * length * full
        - 1.85 * (length == 1 and count.queen_held)  # a void is where the queen can go
        - min(0, price) * (1.0 - wins)
    )


def follow_cost(count: Count, card: Card) -> float:
    """Return what speaks against following suit with *card*."""
    suit, full, height = card.suit, count.fullness, count.height(card)
    cards = count.suits[suit]
    price = count.prices[card]
    points = count.points + price
    plain = suit not in (SPADES, HEARTS)
    guards = suit == SPADES and card < QUEEN_OF_SPADES and count.queen_held
    catches = suit == SPADES and card > QUEEN_OF_SPADES and count.queen_out
    wins = count.chance(card) if count.beats(card) else 0.0
    cost = (
        height * (-2.52 + 0.42 * cards.index(card) - 1.02 * plain * full)
        - 0.49 * (count.below[card] == 0)
        - 2.30 * catches
        + guards * (5.02 - 0.84 * len(cards))
        - 0.064 * card.rank * full
        - 2.09 * (card is QUEEN_OF_SPADES and count.queen_held) * (1.0 - wins)
        - min(0, price) * (1.0 - wins)
    )
    if wins:
        cost += wins * (
            1.09 * points
            + 0.85 * count.load(card)
            + count.lowest_but(card) * (5.19 - 7.31 * full)  # who wins has to lead: with what?
            + 0.41 * len(count.later)
            + (0.78 if points > 0 else 2.14 * (1.0 - full))
        )
    return cost


def discard_cost(count: Count, card: Card) -> float:
    """Return what speaks against throwing *card* on a suit that one does not have."""
    suit, full, height = card.suit, count.fullness, count.height(card)
    cards = count.suits[suit]
    length, place = len(cards), cards.index(card)
    risk, price = count.risk(suit), count.prices[card]
    heart = suit == HEARTS
    guards = suit == SPADES and card < QUEEN_OF_SPADES and count.queen_held
    if card is QUEEN_OF_SPADES and count.queen_held:
        worth = -4.54 + 3.53 * full
    else:
        worth = -0.82 * price * full if price >= 0 else -float(price)
    return (
        worth
        - 2.14 * height * full
        + height * risk * (0.02 * place - 0.12 * height)
        + 0.17 * height * place
        + heart * height * (2.85 * full - 1.46)
        + guards * (3.56 * full - 0.53 * length)
        - (length == 1) * (0.94 + 1.89 * count.queen_held)
        - 0.67 * (length == 2) * full
        + 0.71 * (count.out[suit] == 0)
        - 0.078 * card.rank
    )


def moon_shooter(view: View) -> int | None:
    """Return the seat that may be about to shoot the moon, if it is another's: it alone has cards of the moon."""
    rules, taken = view.rules, view.taken
    makes_moon = rules.makes_moon
    shooter = None
    for seat, cards in enumerate(taken):
        if any(map(makes_moon, cards)):
            if shooter is not None:
                return None
            shooter = seat
    if shooter is None or shooter == view.position:
        return None
    harm = sum([max(0, rules.prices[card]) for card in taken[shooter]])
    every = sum([max(0, rules.prices[card]) for card in rules.pack])
    return shooter if harm >= MOON_IN_SIGHT * every else None


def moon_cost(count: Count, view: View, shooter: int, card: Card) -> float:
    """Return what more speaks against *card* while *shooter* has all: one card elsewhere stops the moon."""
    makes_moon = view.rules.makes_moon
    if not makes_moon(card) and not any(map(makes_moon, count.trick)):
        return 0.0
    if count.beats(card):
        return -MOON_COST * count.chance(card)
    from_shooter = bool(count.trick) and (shooter - view.trick_leader) % view.players < len(count.trick)
    return MOON_COST if from_shooter and _leads_with(count, view, shooter) and makes_moon(card) else 0.0


def _leads_with(count: Count, view: View, seat: int) -> bool:
    """Return whether *seat* wins the trick as it lies."""
    return winner(count.trick, view.rules.cancellation) == (seat - view.trick_leader) % view.players


def best_pass(view: View) -> list[Card]:
    """Return the cards whose loss leaves the hand that costs least.

    What a hand costs is a sum over its suits, so each suit is judged by itself, and the best split between them found.
    """
    passed = view.rules.pass_count
    best: list[tuple[float, list[Card]] | None] = [(0.0, [])] + [None] * passed
    for suit in range(4):
        cards = [card for card in view.hand if card.suit == suit]
        options: list[tuple[float, list[Card]]] = []
        for number in range(min(passed, len(cards)) + 1):
            kept = (list(one) for one in combinations(cards, len(cards) - number))
            cost, left = min((suit_cost(view, suit, one), one) for one in kept)
            gone = list(cards)
            for card in left:
                gone.remove(card)
            options.append((cost, gone))
        step: list[tuple[float, list[Card]] | None] = [None] * (passed + 1)
        for before, state in enumerate(best):
            if state is None:
                continue
            for number, (cost, gone) in enumerate(options[: passed + 1 - before]):
                known = step[before + number]
                if known is None or state[0] + cost < known[0]:
                    step[before + number] = (state[0] + cost, state[1] + gone)
        best = step
    found = best[passed]
    assert found is not None  # noqa: S101 - a hand has at least as many cards as are passed
    return found[1]


def hand_cost(view: View, hand: Sequence[Card]) -> float:
    """Return the points that *hand* is likely to cost before play, on a scale of its own."""
    return sum(suit_cost(view, suit, [card for card in hand if card.suit == suit]) for suit in range(4))


def suit_cost(view: View, suit: int, cards: Sequence[Card]) -> float:
    """Return the part of *suit* in the cost of a hand that holds *cards* of it, ascending."""
    length = len(cards)
    prices = view.rules.prices
    if suit == HEARTS:
        return sum(max(-1.0, min(0.65, 0.22 * card.rank - 1.0)) for card in cards)
    queen_costs = prices[QUEEN_OF_SPADES] > 0
    if suit == SPADES and queen_costs:
        low = sum(card < QUEEN_OF_SPADES for card in cards)
        cost = -0.25 * low + 0.2 * sum(card > QUEEN_OF_SPADES for card in cards)
        if QUEEN_OF_SPADES in cards:  # well guarded she is a weapon
            return cost + 1.9 + (5.0, 1.9, -1.3, -2.0)[min(low, 3)]
        return cost + (1.4 if length > low and low < 4 else 0.0)
    void = (7.0, 3.5, 1.3)[length] * _void_worth(view.players) if length < 3 else 0.0
    return sum(0.3 * card.rank - 2.0 + 0.5 * min(0, prices[card]) for card in cards) - void


def _void_worth(players: int) -> float:
    """Return what a void is worth beside one at a table of four: where many sit, hands are short and voids common."""
    return min(1.0, 4 / players) ** 3


if __name__ == "__main__":
    run(Counter)
