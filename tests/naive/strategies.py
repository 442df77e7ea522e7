"""Ways to choose among what is legal, from chance to what brings about rare things."""

from collections.abc import Callable
from random import Random

from tests.naive.cards import is_harmful, rank, suit
from tests.naive.deal import Deal

Strategy = Callable[[Deal, int, list[str], Random], str]


def at_random(deal: Deal, seat: int, legal: list[str], rng: Random) -> str:
    """Choose any legal card."""
    return rng.choice(legal)


def for_the_moon(deal: Deal, seat: int, legal: list[str], rng: Random) -> str:
    """Seat 0 tries to win everything, and everybody helps it."""
    if seat == 0:
        return max(legal, key=rank)
    if deal.trick and suit(legal[0]) == suit(deal.trick[0]):
        return min(legal, key=rank)
    return min(legal, key=lambda card: (not is_harmful(card, deal.rules["scoring"]), rank(card)))


def to_cancel(deal: Deal, seat: int, legal: list[str], rng: Random) -> str:
    """Play the twin of a card on the table; lead and discard high."""
    twins = [card for card in legal if card in deal.trick]
    return rng.choice(twins) if twins else max(legal, key=rank)


def harmful_first(deal: Deal, seat: int, legal: list[str], rng: Random) -> str:
    """Play penalty cards as soon as they may be played."""
    harmful = [card for card in legal if is_harmful(card, deal.rules["scoring"])]
    return rng.choice(harmful or legal)


def keeping_hearts(deal: Deal, seat: int, legal: list[str], rng: Random) -> str:
    """Get rid of the other suits, so that hearts must be led while they are closed."""
    return rng.choice([card for card in legal if suit(card) != "H"] or legal)


STRATEGIES: list[Strategy] = [at_random, at_random, for_the_moon, to_cancel, harmful_first, keeping_hearts]


def cards_to_pass(deal: Deal, seat: int, strategy: Strategy, rng: Random) -> list[str]:
    """Choose a pass: any cards, or the lowest, which often are twins of each other."""
    hand, count = list(deal.hands[seat]), deal.rules["pass_count"]
    if strategy in (for_the_moon, to_cancel) or rng.random() < 0.1:
        return sorted(hand, key=lambda card: (rank(card), card))[:count]
    return rng.sample(hand, count)
