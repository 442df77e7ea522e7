"""The table by cases: dealing, passing, opening and refusals. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import Card, parse_card
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect, PassDirection
from referee.table.events import CardsPassed, DealStarted, PlayBegan, PoolDealt
from referee.table.machine import DecisionKind, Need, Table, WrongCommand
from tests.table.players import (
    FREE,
    cards,
    deal_with,
    decide,
    play,
    random_game,
    rules,
    source_of,
    state_of,
    supply,
    table_with,
    text_of,
)


def started(table: Table) -> list[DealStarted]:
    """Return the deals that *table* has seen."""
    return [entry for entry in table.log if isinstance(entry, DealStarted)]


@pytest.mark.parametrize(
    ("preset", "players", "words"),
    [
        ("standard", 4, "left right across hold left right"),  # T08
        ("classic", 5, "left right left right"),  # T09
        ("cancellation", 7, "left right left right"),  # T09
        ("hoemke-4233", 4, "pool pool pool pool pool"),
        ("hoemke-1233", 4, "none none none none none"),
    ],
)
def test_t08_t09_directions_follow_the_number_of_the_deal(preset: str, players: int, words: str) -> None:
    """The pass cycle runs by deal number, hold only in the cycle of four."""
    variant = rules(preset, players, deals=len(words.split()))
    assert [deal.direction.value for deal in started(random_game(variant, 1))] == words.split()


def test_t08_a_game_may_begin_with_a_later_deal() -> None:
    """A table that starts with deal 3 passes across, and counts deals from there."""
    table = table_with(rules(deals=1), {}, number=3)
    assert table.direction is PassDirection.ACROSS
    while not table.over:
        assert decide(table) is None
    assert table.deals_played == 1


def test_t10_only_dealt_cards_can_be_passed() -> None:
    """A card that another seat passes is not there to be passed on."""
    table = table_with(rules(), {0: "AS KS QS", 1: "2C"})
    assert table.pass_cards(0, cards("AS KS QS")) is None
    assert table.pass_cards(1, cards("AS 2C 2C")) is Violation.NOT_IN_HAND
    assert not table.hands[1] >> parse_card("AS") & 1


def give_back_table(number: int = 1) -> Table:
    """Return a table with passing of four and one back, all four seats having passed left."""
    table = table_with(rules("hoemke-3233"), {0: "AS KS QS 2H", 1: "3C 4C 5C 6C 7D"}, number=number)
    if table.kind is DecisionKind.PASS:
        table.pass_cards(0, cards("AS KS QS 2H"))
        table.pass_cards(1, cards("3C 4C 5C 6C"))
        for seat in (2, 3):
            table.pass_cards(seat, cards(text_of(table.hands[seat]))[:4])
    return table


def test_t11_one_of_the_four_comes_back() -> None:
    """Who has passed AS KS QS 2H and gets 2H back is three cards lighter, and all hands are whole."""
    table = give_back_table()
    assert table.kind is DecisionKind.RETURN
    assert table.to_act == (0, 1, 2, 3)
    for seat in (3, 2, 1, 0):
        back = parse_card("2H") if seat == 1 else table.received(seat)[0]
        assert table.return_card(seat, back) is None
    assert table.turn >= 0
    assert table.hands[0] >> parse_card("2H") & 1
    assert all(table.hands[1] >> card & 1 for card in cards("AS KS QS"))
    assert [hand.bit_count() for hand in table.hands] == [13] * 4


def test_t12_only_a_card_received_comes_back_and_only_once() -> None:
    """A card that was dealt, or a second return, is refused."""
    table = give_back_table()
    assert table.return_card(1, parse_card("7D")) is Violation.NOT_RECEIVED
    assert table.return_card(1, parse_card("AS")) is None
    assert table.return_card(1, parse_card("KS")) is Violation.OUT_OF_TURN
    assert table.to_act == (0, 2, 3)


def test_t13_on_a_hold_deal_nothing_is_passed_or_returned() -> None:
    """With cards given back, the fourth deal begins with play."""
    table = give_back_table(number=4)
    assert table.kind is DecisionKind.PLAY
    assert table.pass_cards(0, cards("AS KS QS 2H")) is Violation.WRONG_DECISION
    assert table.return_card(0, parse_card("AS")) is Violation.WRONG_DECISION


def test_t14_the_pool_takes_from_all_and_deals_to_all() -> None:
    """On deal 4 too, twelve cards go to the dealer and three come back to each seat, who then holds 13."""
    table = table_with(rules("hoemke-4233"), {}, number=4)
    source = source_of(table.variant, 1)
    assert table.direction is PassDirection.POOL
    while table.kind is DecisionKind.PASS:
        decide(table)
    assert table.needs is Need.POOL
    assert len(table.surrendered) == 12
    assert [hand.bit_count() for hand in table.hands] == [10] * 4
    supply(table, source)
    assert [hand.bit_count() for hand in table.hands] == [13] * 4
    event = next(entry for entry in table.log if isinstance(entry, PoolDealt))
    assert [len(share) for share in event.dealt] == [3] * 4


def test_t15_both_copies_may_be_passed_but_only_if_both_are_held() -> None:
    """With two packs, [QS QS AH] may be passed by who holds two queens, [QS QS 5C] not by who holds one."""
    table = table_with(rules("cancellation", 6), {0: "QS QS AH", 1: "5C"})
    queens = table_with(rules("cancellation", 6), {0: "QS AH", 1: "QS 5C"})
    assert table.pass_cards(0, cards("QS QS AH")) is None
    assert queens.pass_cards(1, cards("QS QS 5C")) is Violation.NOT_IN_HAND


@pytest.mark.parametrize(
    ("named", "violation"),
    [
        ("AS KS", Violation.WRONG_NUMBER_OF_CARDS),
        ("AS KS QS JS", Violation.WRONG_NUMBER_OF_CARDS),
        ("AS AS KS", Violation.NOT_IN_HAND),
        ("AS KS 2C", Violation.NOT_IN_HAND),
    ],
)
def test_t16_a_wrong_pass_is_refused(named: str, violation: Violation) -> None:
    """Two cards, four cards, a card twice, a card not held."""
    table = table_with(rules(), {0: "AS KS QS JS", 1: "2C"})
    assert table.pass_cards(0, cards(named)) is violation
    assert table.to_act == (0, 1, 2, 3)


def test_t16_a_pass_on_a_hold_deal_a_second_pass_and_an_unknown_card_are_refused() -> None:
    """Nothing is passed on a hold deal, nobody passes twice, and 52 is no card."""
    hold = table_with(rules(), {0: "AS KS QS"}, number=4)
    assert hold.pass_cards(0, cards("AS KS QS")) is Violation.WRONG_DECISION
    table = table_with(rules(), {0: "AS KS QS JS TS 9S"})
    assert table.pass_cards(0, [Card(52), Card(-1), Card(0)]) is Violation.NOT_IN_HAND
    assert table.pass_cards(0, cards("AS KS QS")) is None
    assert table.pass_cards(0, cards("JS TS 9S")) is Violation.OUT_OF_TURN
    assert table.pass_cards(4, cards("AS KS QS")) is Violation.OUT_OF_TURN


def test_t21_the_first_plain_two_from_the_dealers_left_opens() -> None:
    """P1 has only 2H, P2 2D and 2S: P2 leads one of them."""
    table = table_with(rules("hoemke-1333"), {1: "2H", 2: "2D 2S", 0: "2C"})
    assert table.log[-1] == PlayBegan(2, None)
    assert text_of(table.legal) == "2D 2S"


def test_t25_the_card_shown_stays_in_the_hand() -> None:
    """The holder of 2C shows it, leads 8S, and the trick is a trick of spades."""
    table = table_with(rules("hoemke-1433"), {2: "2C JD QS 5H 8S", 3: "3S 3C"})
    assert table.log[-1] == PlayBegan(2, parse_card("2C"))
    play(table, "8S")
    assert table.hands[2] >> parse_card("2C") & 1
    assert table.play(3, parse_card("3C")) is Violation.MUST_FOLLOW_SUIT


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


def test_plays_are_refused_before_play_and_after_the_game() -> None:
    """A play while passing, or when all is over, is the wrong decision; so is one of seat -1."""
    table = table_with(rules(deals=1), {})
    assert table.play(0, Card(0)) is Violation.WRONG_DECISION
    assert table.play(-1, Card(0)) is Violation.WRONG_DECISION
    over = random_game(rules(deals=1), 1)
    assert over.play(0, Card(0)) is Violation.WRONG_DECISION
    assert over.play(-1, Card(0)) is Violation.WRONG_DECISION


def test_t90_the_deal_passes_clockwise() -> None:
    """Dealers P2 P3 P0 P1 P2, and the seat to their left leads."""
    variant = rules(**FREE, deals=5)
    table, source = Table(variant, first_dealer=2), source_of(variant, 1)
    while not table.over:
        if not supply(table, source):
            decide(table)
    assert [deal.dealer for deal in started(table)] == [2, 3, 0, 1, 2]
    assert [entry.leader for entry in table.log if isinstance(entry, PlayBegan)] == [3, 0, 1, 2, 3]


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
