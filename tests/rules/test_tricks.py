"""Who wins a trick."""

from __future__ import annotations

import pytest

from referee.rules.tricks import winner
from tests.rules.driver import cards


@pytest.mark.parametrize(
    ("trick", "wins"),
    [
        pytest.param("5D AS AH 2C", 0, id="t47"),
        pytest.param("5D 9D AH TD", 3, id="t48"),
        pytest.param("2C 3C 4C AC", 3, id="ace"),
        pytest.param("AH KH QH 2S", 0, id="hearts"),
        pytest.param("2H AS AD AC", 0, id="nobody-follows"),
        pytest.param("2C AS AD AH", 0, id="the-lowest-card-there-is"),
    ],
)
def test_t47_t48_the_highest_card_of_the_suit_led_wins(trick: str, wins: int) -> None:
    """A card of another suit never wins, and with no pair cancellation changes nothing."""
    assert winner(cards(trick), cancellation=False) == wins
    assert winner(cards(trick), cancellation=True) == wins


@pytest.mark.parametrize(
    ("trick", "wins"),
    [
        pytest.param("JC TC 9C 8C 4C JC", 1, id="t73"),
        pytest.param("JC JC TC TC 9C 9C", -1, id="t74"),
        pytest.param("9C 9C AS KH QD 2D", -1, id="t75"),
        pytest.param("5C KH KH 3C 2C 4D", 0, id="t76"),
        pytest.param("5C KC KC 3C 2C 4C", 0, id="leader-after-the-pair"),
        pytest.param("AC AC KC KC QC 2C", 4, id="third-in-rank"),
        pytest.param("5C 5C AD AD 2S 2S", -1, id="all-paired"),
        pytest.param("2C 5C 5C AD AS AH", 0, id="the-lowest-card-there-is"),
    ],
)
def test_t73_t74_t75_t76_equal_cards_cancel(trick: str, wins: int) -> None:
    """Both copies are out in any suit; nobody wins when no card of the suit led is left."""
    assert winner(cards(trick), cancellation=True) == wins


def test_copies_stand_where_nothing_cancels() -> None:
    """Without the rule the first of two equal cards is the better one."""
    assert winner(cards("5C KC KC 3C"), cancellation=False) == 1
    assert winner(cards("KC KC 5C 3C"), cancellation=False) == 0


def test_t86_copies_in_different_tricks_do_not_cancel() -> None:
    """Only the cards of one trick are looked at: each trick alone has its winner."""
    assert winner(cards("QS 3S 4S 5S 6S 7S"), cancellation=True) == 0
    assert winner(cards("2S QS 8S 9S TS 3S"), cancellation=True) == 1
