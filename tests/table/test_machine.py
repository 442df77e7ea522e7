"""The table beside the cases of the rule book: what it tells, and what it takes from its host."""

from __future__ import annotations

import pytest

from referee.rules.cards import Card
from referee.rules.play import Violation
from referee.table.events import CardsPassed, DealStarted, PlayBegan
from referee.table.machine import DecisionKind, Need, Table, WrongCommand
from tests.table.players import (
    cards,
    deal_with,
    decide,
    random_game,
    rules,
    source_of,
    supply,
    table_with,
)


def test_plays_are_refused_before_play_and_after_the_game() -> None:
    """A play while passing, or when all is over, is the wrong decision; so is one of seat -1."""
    table = table_with(rules(deals=1), {})
    assert table.play(0, Card(0)) is Violation.WRONG_DECISION
    assert table.play(-1, Card(0)) is Violation.WRONG_DECISION
    over = random_game(rules(deals=1), 1)
    assert over.play(0, Card(0)) is Violation.WRONG_DECISION
    assert over.play(-1, Card(0)) is Violation.WRONG_DECISION


def test_where_the_deal_stands_in_the_log() -> None:
    """`deal_start` is at the deal's start, `play_start` at its first play, or -1 before it."""
    table, source = Table(rules(deals=2), first_dealer=0), source_of(rules(), 1)
    for _ in range(2):
        supply(table, source)
        assert isinstance(table.log[table.deal_start], DealStarted)
        assert table.play_start == -1
        while table.needs is None and not table.over:
            decide(table)
        assert isinstance(table.log[table.play_start], int)
        assert isinstance(table.log[table.play_start - 1], PlayBegan)


def test_received_is_empty_until_all_have_passed() -> None:
    """What a seat receives is not to be read before it is there."""
    table = table_with(rules(), {0: "AS KS QS"})
    table.pass_cards(0, cards("AS KS QS"))
    assert table.received(1) == ()
    assert table.log[-1] == CardsPassed(0, cards("AS KS QS"))
    while table.kind is DecisionKind.PASS:
        decide(table)
    assert table.received(1) == cards("AS KS QS")


def test_cards_that_were_not_asked_for_are_our_mistake() -> None:
    """A deal in mid-deal, a pool where there is none, and a pool of other cards raise."""
    table = table_with(rules("hoemke-4233"), {})
    with pytest.raises(WrongCommand, match="needs"):
        table.deal(deal_with(table.variant, {}))
    with pytest.raises(WrongCommand, match="needs"):
        table.pool([])
    while table.kind is DecisionKind.PASS:
        decide(table)
    given = [gift for gift in table.passes if gift is not None]
    with pytest.raises(WrongCommand, match="surrendered"):
        table.pool([given[0], given[0], given[1], given[2]])
    with pytest.raises(WrongCommand, match="surrendered"):
        table.pool([(*given[0], *given[1]), (), given[2], given[3]])
    assert table.needs is Need.POOL
