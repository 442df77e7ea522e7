"""Deals as chance hardly makes them: long suits, top hands, nothing but penalty cards, twins next to each other."""

from collections.abc import Callable
from random import Random

from tests.naive.cards import is_harmful, rank
from tests.naive.options import Rules, hand_size, pack

Hands = tuple[list[list[str]], list[str]]


def _blocks(cards: list[str], rules: Rules, first: int) -> Hands:
    """Give the first cards to one seat, the next ones to the seat after it, and so on; the last are the kitty."""
    size, players = hand_size(rules), rules["players"]
    hands: list[list[str]] = [[] for _ in range(players)]
    for step in range(players):
        hands[(first + step) % players] = cards[step * size : (step + 1) * size]
    return hands, cards[players * size :]


def _shuffled(rules: Rules, rng: Random) -> list[str]:
    cards = pack(rules)
    rng.shuffle(cards)
    return cards


def by_suit(rules: Rules, rng: Random) -> Hands:
    """Each seat has one suit or two."""
    suits = rng.sample("CDHS", 4)
    cards = sorted(_shuffled(rules, rng), key=lambda card: suits.index(card[1]))
    return _blocks(cards, rules, rng.randrange(rules["players"]))


def top_hand(rules: Rules, rng: Random) -> Hands:
    """One seat has the highest cards, or the seats have ever lower ones."""
    cards = sorted(_shuffled(rules, rng), key=rank, reverse=True)
    size = hand_size(rules)
    rest = cards[size:]
    if rng.random() < 0.7:
        rng.shuffle(rest)
    return _blocks(cards[:size] + rest, rules, rng.randrange(rules["players"]))


def penalty_hand(rules: Rules, rng: Random) -> Hands:
    """One seat has nothing but penalty cards, as far as there are enough; so may the next one."""
    cards = sorted(_shuffled(rules, rng), key=lambda card: not is_harmful(card, rules["scoring"]))
    size = hand_size(rules)
    keep = size * rng.choice([1, 1, 2])
    rest = cards[keep:]
    rng.shuffle(rest)
    return _blocks(cards[:keep] + rest, rules, rng.randrange(rules["players"]))


def penalty_kitty(rules: Rules, rng: Random) -> Hands:
    """Fill the kitty with penalty cards as far as can be."""
    cards = sorted(_shuffled(rules, rng), key=lambda card: is_harmful(card, rules["scoring"]))
    left = len(cards) % rules["players"]
    dealt = cards[: len(cards) - left]
    rng.shuffle(dealt)
    return _blocks(dealt + cards[len(cards) - left :], rules, 0)


def twins(rules: Rules, rng: Random) -> Hands:
    """Equal cards lie with neighbours, so that tricks cancel; a few cards are swapped."""
    players, size = rules["players"], hand_size(rules)
    faces = list(dict.fromkeys(_shuffled(rules, rng)))
    if rng.random() < 0.5:
        faces.sort(key=lambda card: card[1])
    cards = [card for card in faces for _ in range(rules["packs"])]
    dealt, first = cards[: players * size], rng.randrange(players)
    for _ in range(rng.choice([0, 0, 2, 6])):
        one, other = rng.randrange(len(dealt)), rng.randrange(len(dealt))
        dealt[one], dealt[other] = dealt[other], dealt[one]
    return [dealt[(seat - first) % players :: players] for seat in range(players)], cards[players * size :]


STACKS: list[Callable[[Rules, Random], Hands]] = [by_suit, top_hand, penalty_hand, penalty_kitty, twins]
