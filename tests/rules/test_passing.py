"""Where cards go, and which may be given."""

from __future__ import annotations

import pytest

from referee.rules.cards import Card
from referee.rules.passing import pass_giver, pass_receiver, verify_pass, verify_return
from referee.rules.play import Violation
from referee.rules.presets import resolve
from referee.rules.variant import PassDirection
from tests.rules.driver import card, cards, hand

LEFT, RIGHT, ACROSS, HOLD = PassDirection.LEFT, PassDirection.RIGHT, PassDirection.ACROSS, PassDirection.HOLD
STANDARD = resolve("standard")
HELD = hand("2C 5C 9D QS KS 3H AH")


def test_t08_four_players_pass_left_right_across_and_hold() -> None:
    """The cycle starts again with the fifth deal."""
    assert [STANDARD.direction(number) for number in range(1, 7)] == [LEFT, RIGHT, ACROSS, HOLD, LEFT, RIGHT]


@pytest.mark.parametrize(("preset", "players"), [("classic", 5), ("classic", 6), ("cancellation", 6)])
def test_t09_others_pass_left_and_right_and_never_hold(preset: str, players: int) -> None:
    """Any number of players but four in one pack, and all in two, only alternate."""
    variant = resolve(preset, players=players)
    assert [variant.direction(number) for number in range(1, 5)] == [LEFT, RIGHT, LEFT, RIGHT]


def test_t13_giving_back_keeps_the_same_cycle() -> None:
    """The fourth deal is a hold there too."""
    assert resolve("hoemke-3223").direction(4) is HOLD


def test_t14_pool_and_none_are_the_direction_of_every_deal() -> None:
    """Neither follows the cycle."""
    assert {resolve("hoemke-4223").direction(number) for number in range(1, 9)} == {PassDirection.POOL}
    assert {resolve("hoemke-1223").direction(number) for number in range(1, 9)} == {PassDirection.NONE}


def test_receivers() -> None:
    """Left is the next seat clockwise, right the one before, across the one opposite."""
    assert [pass_receiver(4, LEFT, seat) for seat in range(4)] == [1, 2, 3, 0]
    assert [pass_receiver(4, RIGHT, seat) for seat in range(4)] == [3, 0, 1, 2]
    assert [pass_receiver(6, ACROSS, seat) for seat in range(6)] == [3, 4, 5, 0, 1, 2]
    assert [pass_receiver(4, HOLD, seat) for seat in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("direction", list(PassDirection))
@pytest.mark.parametrize("players", range(3, 12))
def test_a_giver_is_who_one_receives_from(players: int, direction: PassDirection) -> None:
    """Giver and receiver undo each other, and the variant counts the same offset."""
    for seat in range(players):
        assert pass_giver(players, direction, pass_receiver(players, direction, seat)) == seat
    assert STANDARD.pass_offset(direction) == pass_receiver(4, direction, 0)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        pytest.param("QS KS AH", None, id="fine"),
        pytest.param("QS KS", Violation.WRONG_NUMBER_OF_CARDS, id="t16-two"),
        pytest.param("QS KS AH 2C", Violation.WRONG_NUMBER_OF_CARDS, id="t16-four"),
        pytest.param("QS QS AH", Violation.NOT_IN_HAND, id="t16-repeated"),
        pytest.param("QS KS AS", Violation.NOT_IN_HAND, id="t16-not-held"),
        pytest.param("", Violation.WRONG_NUMBER_OF_CARDS, id="none"),
    ],
)
def test_t16_a_pass_is_the_number_of_cards_asked_for_from_the_hand(given: str, why: Violation | None) -> None:
    """Too few, too many, one card twice, or a card not held is refused."""
    assert verify_pass(STANDARD, HELD, cards(given)) is why


def test_t15_both_copies_may_be_passed_if_both_are_held() -> None:
    """With two packs a hand is a multiset."""
    variant = resolve("cancellation", players=6)
    assert verify_pass(variant, hand("QS QS AH 5C"), cards("QS QS AH")) is None
    assert verify_pass(variant, hand("QS AH 5C"), cards("QS QS 5C")) is Violation.NOT_IN_HAND
    assert verify_pass(variant, hand("QS QS AH 5C"), cards("QS") * 3) is Violation.NOT_IN_HAND


@pytest.mark.parametrize("number", [-1, 52, 88])
def test_a_number_that_is_no_card_cannot_be_passed(number: int) -> None:
    """Bit 52 and up belong to second copies, and never make a card."""
    held = hand("QS QS KS KS AH")
    assert verify_pass(STANDARD, held, [*cards("KS AH"), Card(number)]) is Violation.NOT_IN_HAND


def test_t12_only_a_card_just_received_is_given_back() -> None:
    """One dealt, or one not held at all, is refused."""
    received = cards("AS KS QS 2H")
    assert verify_return(received, card("2H")) is None
    assert verify_return(received, card("3C")) is Violation.NOT_RECEIVED


def test_the_bit_of_a_second_copy_is_no_card() -> None:
    """Numbers from 52 name nothing, though the hand has such a bit where it holds a card twice."""
    variant = resolve("cancellation", players=6)
    twice = hand("2C 2C 3C 3C 4D")
    for number in (52, 53):
        assert verify_pass(variant, twice, [Card(number), *cards("2C 4D")]) is Violation.NOT_IN_HAND
