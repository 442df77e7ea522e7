"""Decisions made for a seat that makes none."""

from __future__ import annotations

import pytest

from referee.rules.cards import card_name, cards_of, parse_card
from referee.table.machine import DecisionKind, Table
from referee.table.substitute import substitute_pass, substitute_play, substitute_return
from tests.table.players import ALL_KINDS, cards, decide, play, rules, source_of, state_of, supply, table_with


def test_the_highest_ranks_are_passed() -> None:
    """Ranks count before suits, hearts before spades among equal ranks."""
    table = table_with(rules(), {0: "AC KD AS KH 2C 3C 4C 5C 6C 7C 8C 9C TC"})
    assert substitute_pass(table, 0) == cards("AS AC KH")


def test_the_highest_card_received_is_given_back() -> None:
    """Of the four cards received, the highest goes back."""
    table = table_with(rules("hoemke-3233"), {0: "AS AD 3H 2H"})
    table.pass_cards(0, cards("2H AD 3H AS"))
    while table.kind is DecisionKind.PASS:
        decide(table)
    assert substitute_return(table, 1) == parse_card("AS")


def test_the_lowest_legal_rank_is_played() -> None:
    """Following, it is the lowest of the suit; a void seat plays its lowest rank, clubs first."""
    table = table_with(rules(), {1: "2C", 2: "KC 5C 2D", 3: "4D 3D 3S 3H"}, void={2: "", 3: "C"}, number=4)
    play(table, "2C")
    held = [card_name(card) for card in cards_of(table.hands[2]) if card < 13]
    assert card_name(substitute_play(table)) == held[0]
    play(table, held[0])
    free = [card for card in cards_of(table.hands[3]) if card // 13 != 3 and card_name(card) != "QS"]
    assert substitute_play(table) == min(free, key=lambda card: (card % 13, card // 13))


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_a_table_of_silent_seats_plays_to_the_end_and_always_the_same(preset: str, players: int) -> None:
    """Substitutes are legal everywhere, and two silent tables are equal."""
    variant = rules(preset, players, deals=4)
    ends = []
    for _ in range(2):
        table, source = Table(variant, first_dealer=0), source_of(variant, 1)
        while not table.over:
            if not supply(table, source):
                assert decide(table) is None
        ends.append(state_of(table))
    assert ends[0] == ends[1]
