"""OpenSpiel's Hearts as an independent opinion on one deal at a time.

Its cards are `rank * 4 + suit` with suits in the order clubs, diamonds, hearts, spades. Its first action is the pass
direction, then it deals card by card to seats 0, 1, 2, 3 in turn, then each seat names its three cards one by one.
Its moon always adds 26 to the others, and it returns 26 less the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

import pyspiel

from referee.rules.cards import Card, Hand, add, hand_of, remove
from referee.rules.dealing import DealSource
from referee.rules.passing import pass_receiver
from referee.rules.presets import rules_digest
from referee.rules.scoring import deal_points, shooter
from referee.rules.variant import MoonEffect, PassDirection, Variant
from tests.rules.driver import Turn, faces, play_deal

_SUITS: Final = (0, 1, 3, 2)
_DIRECTIONS: Final = {PassDirection.NONE: 0, PassDirection.HOLD: 0, PassDirection.LEFT: 1, PassDirection.ACROSS: 2} | {
    PassDirection.RIGHT: 3
}


def to_spiel(card: Card) -> int:
    """Return OpenSpiel's number of *card*."""
    return card % 13 * 4 + _SUITS[card // 13]


def from_spiel(action: int) -> Card:
    """Return the card that OpenSpiel numbers *action*."""
    return Card(_SUITS[action % 4] * 13 + action // 4)


def legal_cards(state: Any) -> list[Card]:  # noqa: ANN401 - the library has no types
    """Return the cards that OpenSpiel allows now, ascending."""
    return sorted(from_spiel(action) for action in state.legal_actions())


def compare_deals(game: str, variant: Variant, deals: int, seed: int) -> int:
    """Play *deals* random deals of *variant* beside OpenSpiel's *game*; return how many moons there were.

    Every legal set on the way and every point at the end must agree.
    """
    oracle = pyspiel.load_game(game)
    source = DealSource(seed.to_bytes(32, "big"), rules_digest(variant), "oracle", "0")
    random = Random(seed)
    return sum(_compare_deal(oracle, variant, source, number, random) for number in range(1, deals + 1))


def _compare_deal(oracle: Any, variant: Variant, source: DealSource, number: int, random: Random) -> bool:  # noqa: ANN401
    dealt = source.deal(variant, number, dealer=number % 4)
    direction = variant.direction(number)
    state = oracle.new_initial_state()
    state.apply_action(_DIRECTIONS[direction])
    for place in range(52):
        state.apply_action(to_spiel(dealt.hand_orders[place % 4][place // 4]))
    hands = list(dealt.hands)
    if direction.offset(4):
        hands = _pass(state, variant, hands, direction, random)

    def choose(turn: Turn) -> Card:
        assert state.current_player() == turn.seat
        legal = faces(turn.legal)
        assert legal == legal_cards(state), f"deal {number}, trick {turn.trick}, seat {turn.seat}"
        card = random.choice(legal)
        state.apply_action(to_spiel(card))
        return card

    played = play_deal(variant, hands, dealt.kitty, number % 4, choose)
    points: Sequence[int] = deal_points(variant, played.taken, MoonEffect.OTHERS_PLUS)
    assert state.is_terminal()
    assert [26 - value for value in state.returns()] == list(points), f"deal {number}"
    return shooter(variant, played.taken) is not None


def _pass(
    state: Any,  # noqa: ANN401
    variant: Variant,
    hands: list[Hand],
    direction: PassDirection,
    random: Random,
) -> list[Hand]:
    after = list(hands)
    for seat in range(4):
        rest = hands[seat]
        for _ in range(variant.pass_count):
            assert state.current_player() == seat
            assert faces(rest) == legal_cards(state)
            card = random.choice(faces(rest))
            state.apply_action(to_spiel(card))
            rest = remove(rest, card)
            receiver = pass_receiver(4, direction, seat)
            after[seat] = remove(after[seat], card)
            after[receiver] = add(after[receiver], card)
    assert sum(hand.bit_count() for hand in after) == 52
    assert hand_of(card for hand in after for card in faces(hand)).bit_count() == 52
    return after
