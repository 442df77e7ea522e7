"""Deals made for what chance hardly brings: their records, read by referee and naive implementation alike."""

from collections.abc import Callable

import pytest

from referee.rules.cards import Hand, cards_of
from referee.table.machine import Table
from referee.table.record import decode, encode, record_of_log
from tests.naive.proof import compare_records
from tests.naive.record import Verdict, adjudicate
from tests.table.players import NO_PASS, finish, play, rules, table_with
from tests.table.test_cases_constructed import table_of_pairs


def _a_queen_is_dead() -> Table:
    """One seat takes every penalty card but a queen, which lies in a last trick that nobody wins."""
    hands = {1: "AC AC KC KC QC QC JC JC TC TC 9C 9C 8C 8C 7C 7C 5D", 2: "QS", 3: "5D", 4: "AS", 5: "AS", 0: "KS KS"}
    table = table_with(rules("cancellation", 6, **NO_PASS), hands)
    finish(table, keep="5D QS AS KS")
    return table


def _the_kitty_waits() -> Table:
    """Two tricks in a row have no winner, and the kitty goes to who wins the third."""
    hands = {0: "2C 3C 4C", 1: "2C 3C AC", 2: "TD TS", 3: "TD TS", 4: "9D 9S", 5: "9D 9S"}
    table = table_with(rules("cancellation", 6, **NO_PASS), hands, void={2: "C", 3: "C", 4: "C", 5: "C"}, dealer=5)
    play(table, "2C 2C TD TD 9D 9D 3C 3C TS TS 9S 9S 4C AC")
    finish(table)
    return table


def _nobody_wins_anything() -> Table:
    """Every trick is one of pairs."""
    table = table_of_pairs()
    while not table.over:
        last = table.log[-1]
        card = last if isinstance(last, int) and table.turn % 2 else cards_of(Hand(table.legal))[-1]
        assert table.play(table.turn, card) is None
    return table


def _verdict(table: Table) -> Verdict:
    """Compare the record of what *table* has seen, and return the naive verdict on it."""
    names = [f"P{seat}" for seat in range(table.players)]
    record = decode(encode(record_of_log(table.variant, names, table.log)))
    assert not compare_records("a constructed deal", record, genuine=True)
    return adjudicate(record)


@pytest.mark.parametrize("made", [_a_queen_is_dead, _the_kitty_waits, _nobody_wins_anything])
def test_constructed_deals_agree(made: Callable[[], Table]) -> None:
    """Every decision, the dead cards' score and the missing moon are the same on both sides."""
    verdict = _verdict(made())
    assert verdict.problems == []
    assert [decision["kind"] for decision in verdict.decisions] == ["play"] * 102
