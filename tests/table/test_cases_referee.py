"""The table by cases: refusals, the dealer, secrecy, and repeating a game. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import Card, cards_of, parse_card
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect, PassDirection
from referee.table.events import (
    KittyTaken,
    PlayBegan,
)
from referee.table.machine import Table
from referee.table.observe import PassReceived, SeatDealStarted, observe
from referee.table.replay import replay
from tests.table.players import (
    FREE,
    cards,
    decide,
    play,
    random_game,
    rules,
    source_of,
    started,
    state_of,
    supply,
    table_with,
)


def test_t89_a_refused_play_changes_nothing() -> None:
    """Off suit while holding it, out of turn, not held, already played, twice in a trick, no card: all refused."""
    table = table_with(rules(**FREE), {1: "5D 6C", 2: "9D 3C", 3: "TD"})
    play(table, "5D")
    before = state_of(table)
    refusals = [
        (2, "3C", Violation.MUST_FOLLOW_SUIT),
        (3, "TD", Violation.OUT_OF_TURN),
        (2, "TD", Violation.NOT_IN_HAND),
        (2, "5D", Violation.NOT_IN_HAND),
        (1, "6C", Violation.OUT_OF_TURN),
    ]
    for seat, name, violation in refusals:
        assert table.play(seat, parse_card(name)) is violation
    for number in (-1, 52, 99):
        assert table.play(2, Card(number)) is Violation.NOT_IN_HAND
    assert table.pass_cards(2, cards("9D 3C TD")) is Violation.WRONG_DECISION
    assert table.return_card(2, parse_card("9D")) is Violation.WRONG_DECISION
    assert table.choose_moon(2, MoonEffect.OTHERS_PLUS) is Violation.WRONG_DECISION
    assert state_of(table) == before


def test_t90_the_deal_passes_clockwise() -> None:
    """Dealers P2 P3 P0 P1 P2, and the seat to their left leads."""
    variant = rules(**FREE, deals=5)
    table, source = Table(variant, first_dealer=2), source_of(variant, 1)
    while not table.over:
        if not supply(table, source):
            decide(table)
    assert [deal.dealer for deal in started(table)] == [2, 3, 0, 1, 2]
    assert [entry.leader for entry in table.log if isinstance(entry, PlayBegan)] == [3, 0, 1, 2, 3]


def test_t91_a_seat_sees_its_hand_and_what_it_was_passed() -> None:
    """P1 sees the three cards from P0 and its own, not P2's pass."""
    table = table_with(rules(), {0: "AS KS QS", 1: "2D 3D 4D", 2: "AH KH QH"})
    own = tuple(cards_of(table.hands[1]))
    for seat, named in ((2, "AH KH QH"), (0, "AS QS KS"), (1, "4D 3D 2D")):
        table.pass_cards(seat, cards(named))
    decide(table)
    seen = observe(table.log, 1, table.variant)
    assert seen == [
        SeatDealStarted(1, 0, PassDirection.LEFT, own, (0, 0, 0, 0)),
        PassReceived(cards("4D 3D 2D"), cards("QS KS AS")),
        next(entry for entry in table.log if isinstance(entry, PlayBegan)),
    ]


@pytest.mark.parametrize(("kitty_view", "others_see"), [("taker", False), ("all", True)])
def test_t91_the_kitty_is_seen_by_its_taker(kitty_view: str, others_see: bool) -> None:
    """Only the taker sees the cards of the kitty, unless the rules show them to all; all see who took it."""
    variant = rules("cancellation", 6, kitty_view=kitty_view, deals=2)
    table = random_game(variant, 1)
    taken = [entry for entry in table.log if isinstance(entry, KittyTaken)]
    for seat in range(6):
        seen = [entry for entry in observe(table.log, seat, variant) if isinstance(entry, KittyTaken)]
        for entry, truth in zip(seen, taken, strict=True):
            visible = others_see or seat == truth.seat
            assert entry == KittyTaken(truth.seat, tuple(sorted(truth.cards)) if visible else ())


def test_t92_the_same_cards_and_decisions_give_the_same_log() -> None:
    """Two runs from one seed are entry for entry equal, and the log alone gives the totals."""
    variant = rules(deals=4)
    one, two = random_game(variant, 5), random_game(variant, 5)
    assert one.log == two.log
    assert replay(variant, one.log).totals == one.totals
