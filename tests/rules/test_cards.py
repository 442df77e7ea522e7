"""Cards by name, and hands as bitmasks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import (
    CARD_NAMES,
    EMPTY,
    FACES,
    SUIT_MASKS,
    Card,
    UnknownCard,
    add,
    card_name,
    cards_of,
    count,
    hand_of,
    parse_card,
    parse_hand,
    rank_of,
    remove,
    suit_of,
)


def test_names_and_numbers_are_one_to_one() -> None:
    """Each of the 52 names reads back, and the corners are where they belong."""
    assert [parse_card(name) for name in CARD_NAMES] == list(range(52))
    assert (parse_card("2C"), parse_card("AC"), parse_card("QS"), parse_card("AH")) == (0, 12, 36, 51)
    assert (suit_of(parse_card("QS")), rank_of(parse_card("QS"))) == (2, 10)


@pytest.mark.parametrize("text", ["", "1C", "QSS", "qs", "SQ", None, 36])
def test_what_names_no_card_is_refused(text: object) -> None:
    """The error shows the text and how cards are written."""
    with pytest.raises(UnknownCard, match="rank then suit") as caught:
        parse_card(text)
    assert caught.value.text == text


@settings(deadline=None)
@given(st.lists(st.integers(0, 51).map(Card), max_size=30).filter(lambda cards: all(cards.count(c) < 3 for c in cards)))
def test_a_hand_holds_what_was_put_in(cards: list[Card]) -> None:
    """Up to two copies of each card go in and come out again."""
    hand = hand_of(cards)
    assert list(cards_of(hand)) == sorted(cards)
    assert count(hand) == len(cards)
    assert parse_hand(" ".join(map(card_name, cards))) == hand
    for card in cards:
        assert add(remove(hand, card), card) == hand
        hand = remove(hand, card)
    assert hand == 0


def test_there_are_four_suits_of_thirteen() -> None:
    """The masks of the suits are apart, thirteen cards each, and all faces together."""
    assert [mask.bit_count() for mask in SUIT_MASKS] == [13] * 4
    assert cards_of(EMPTY) == ()
    assert sum(SUIT_MASKS) == FACES == 2**52 - 1
