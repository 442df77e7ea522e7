"""The table by cases: leading hearts, and who wins a trick. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import parse_card
from referee.rules.play import Violation
from referee.table.machine import Table
from tests.table.players import (
    FREE,
    cards,
    deal_with,
    decide,
    play,
    play_trick,
    points,
    rules,
    table_with,
    text_of,
)


def test_t36_hearts_may_be_led_from_trick_two() -> None:
    """Under `after_trick_1` nothing need have been played: of 5H 6D both may be led."""
    table = after_first_trick("after_trick_1", "2D")
    assert not any(card >= parse_card("2H") for card in table.log[table.play_start :] if isinstance(card, int))
    assert table.legal == table.hands[1]


def after_first_trick(hearts_lead: str, discard: str) -> Table:
    """Return a table at which P1 leads trick two with 5H 6D and more, *discard* having fallen on trick one."""
    table = table_with(rules(**FREE, hearts_lead=hearts_lead), {1: "AC 5H 6D", 2: discard}, void={2: "C"})
    play(table, f"AC {discard}")
    play_trick(table)
    assert table.turn == 1
    return table


@pytest.mark.parametrize(
    ("hearts_lead", "discard", "may_lead_hearts"),
    [
        ("broken_by_heart", "QS", False),  # T37, standard
        ("broken_by_heart_or_qs", "QS", True),  # T37, classic and cancellation
        ("broken_by_heart", "2H", True),  # T38
        ("broken_by_heart_or_qs", "2H", True),
        ("after_trick_1", "2D", True),
        ("after_trick_3", "2H", False),
        ("after_plain_suits_led", "2H", False),
    ],
)
def test_t37_t38_what_breaks_hearts(hearts_lead: str, discard: str, may_lead_hearts: bool) -> None:
    """The queen breaks hearts only where the rules say so; a heart discarded in an earlier trick does."""
    table = after_first_trick(hearts_lead, discard)
    assert bool(table.legal >> parse_card("5H") & 1) is may_lead_hearts
    assert table.legal >> parse_card("6D") & 1
    refusal = table.play(1, parse_card("5H")) if not may_lead_hearts else Violation.HEARTS_CLOSED
    assert refusal is Violation.HEARTS_CLOSED


def test_t39_hearts_open_with_the_fourth_trick() -> None:
    """Trick three is closed though a heart fell; trick four is open."""
    variant = rules(**FREE, hearts_lead="after_trick_3")
    table = table_with(variant, {1: "AC KC QC AD KD 5H", 2: "2H"}, void={2: "C"})
    play(table, "AC 2H")
    play_trick(table)
    play(table, "KC")
    play_trick(table)
    assert table.trick == 3
    assert not table.legal >> parse_card("5H") & 1
    play(table, "AD")
    play_trick(table)
    assert (table.trick, table.turn) == (4, 1)
    assert table.legal >> parse_card("5H") & 1


def test_t41_discards_of_a_suit_do_not_count_as_leads() -> None:
    """Clubs and diamonds led, spades only discarded: hearts stay closed until a spade is led too."""
    variant = rules(**FREE, hearts_lead="after_plain_suits_led")
    table = table_with(variant, {1: "AC AD AS 5H", 2: "3S 4S 5S"}, void={2: "CD"})
    play(table, "AC 3S")
    play_trick(table)
    play(table, "AD 4S")
    play_trick(table)
    assert not table.legal >> parse_card("5H") & 1
    play(table, "AS 5S")
    play_trick(table)
    assert (table.trick, table.turn) == (4, 1)
    assert table.legal >> parse_card("5H") & 1


@pytest.mark.parametrize(
    "hearts_lead", ["broken_by_heart", "broken_by_heart_or_qs", "after_trick_3", "after_plain_suits_led"]
)
def test_t42_nothing_but_hearts_may_be_led_though_closed(hearts_lead: str) -> None:
    """A leader who holds only hearts leads any of them."""
    variant = rules(**FREE, hearts_lead=hearts_lead)
    table = table_with(variant, {1: "AC 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"})
    play(table, "AC")
    play_trick(table)
    assert table.turn == 1
    assert not table.hearts_open
    assert table.legal == table.hands[1]


def test_t44_the_queen_may_be_led_while_hearts_are_closed() -> None:
    """In trick two of `classic`, of QS 9H 4D the queen and the diamond may be led."""
    variant = rules("classic", 4, **FREE)
    table = table_with(variant, {1: "AC QS 9H 4D"})
    play(table, "AC")
    play_trick(table)
    legal = text_of(table.legal)
    assert "QS" in legal
    assert "4D" in legal
    assert "9H" not in legal


def test_t46_hearts_are_closed_again_in_the_next_deal() -> None:
    """What opened hearts in one deal is forgotten in the next, the counts of leads included."""
    for hearts_lead in ("broken_by_heart", "after_plain_suits_led"):
        variant = rules(**FREE, hearts_lead=hearts_lead, deals=2)
        table = Table(variant, first_dealer=3)
        table.deal(deal_with(variant, {}))
        while table.needs is None:
            decide(table)
        assert table.hearts_open
        table.deal(deal_with(variant, {1: "AC 5H 6D"}))
        play(table, "AC")
        play_trick(table)
        assert table.turn == 1
        assert not table.hearts_open
        assert not table.legal >> parse_card("5H") & 1


def test_t47_off_suit_cards_cannot_win() -> None:
    """5D is led, AS AH 2C follow: the leader wins."""
    table = table_with(rules(**FREE), {1: "5D", 2: "AS", 3: "AH", 0: "2C"}, void={2: "D", 3: "D", 0: "D"})
    play(table, "5D AS AH 2C")
    assert (table.turn, table.leader, table.trick) == (1, 1, 2)
    assert table.taken[1] == list(cards("5D AS AH 2C"))


def test_t48_t49_the_highest_of_the_suit_led_wins_and_leads() -> None:
    """5D 9D AH TD: TD wins one point, and its player leads next."""
    table = table_with(rules(**FREE), {3: "5D", 0: "9D", 1: "AH", 2: "TD"}, void={1: "D"}, dealer=2)
    play(table, "5D 9D AH TD")
    assert table.turn == 2
    assert [points(table, seat) for seat in range(4)] == [0, 0, 1, 0]
