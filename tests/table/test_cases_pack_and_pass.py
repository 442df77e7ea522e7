"""The table by cases: the pack, the deal, and passing. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import Card, Hand, cards_of, hand_of, parse_card
from referee.rules.dealing import Dealt, deal_out, pack_of
from referee.rules.play import Violation
from referee.rules.variant import PassDirection, VariantError
from referee.table.events import (
    PoolDealt,
)
from referee.table.machine import DecisionKind, Need, Table
from tests.table.players import (
    NO_PASS,
    cards,
    decide,
    random_game,
    rules,
    source_of,
    started,
    supply,
    table_with,
    text_of,
)

PACKS = [
    ("t01", 3, 51, "2D", 17, "2C"),
    ("t02", 5, 50, "2D 2C", 10, "3C"),
    ("t03", 6, 48, "2D 3D 3C 4C", 8, "2C"),
    ("t04", 7, 49, "2D 3D 3C", 7, "2C"),
    ("four", 4, 52, "", 13, "2C"),
]


@pytest.mark.parametrize(("case", "players", "size", "stripped", "hand", "opens"), PACKS, ids=[row[0] for row in PACKS])
def test_t01_t02_t03_t04_one_pack_is_stripped_to_divide(
    case: str, players: int, size: int, stripped: str, hand: int, opens: str
) -> None:
    """All cards but the stripped ones are dealt, as many to each, none left over, and the lowest club opens."""
    variant = rules("classic", players, deals=3)
    table = table_with(variant, {})
    assert sum(hand.bit_count() for hand in table.hands) == size, case
    assert {hand.bit_count() for hand in table.hands} == {hand}
    assert not table.kitty
    held = {card for hand in table.hands for card in cards_of(Hand(hand))}
    assert sorted(set(range(52)) - held) == sorted(cards(stripped))
    for seed in range(5):
        table = random_game(variant, seed, decisions=players)
        assert text_of(table.legal) == opens
        assert table.hands[table.turn] >> parse_card(opens) & 1


SIZES = [(6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)]


@pytest.mark.parametrize(("players", "hand", "kitty"), SIZES)
def test_t05_two_packs_are_dealt_as_far_as_they_go(players: int, hand: int, kitty: int) -> None:
    """Equal hands, and what is left over lies on the table."""
    table = table_with(rules("cancellation", players), {})
    assert {hand.bit_count() for hand in table.hands} == {hand}
    assert len(table.kitty) == kitty
    dealt = [card for held in table.hands for card in cards_of(held)]
    assert sorted([*table.kitty, *dealt]) == pack_of(table.variant)


REFUSED: list[tuple[str, int, dict[str, object], str]] = [
    ("classic", 8, {}, "players"),
    ("classic", 2, {}, "players"),
    ("cancellation", 5, {}, "players"),
    ("cancellation", 12, {}, "players"),
    ("classic", 5, {"pass_cycle": ["left", "right", "across"]}, "pass_cycle"),
    ("hoemke-2223", 5, {}, "players"),
    ("cancellation", 6, {"packs": 1, "kitty": "none", "stripped": ["2C", "2D", "3D", "3C"]}, "cancellation"),
]


@pytest.mark.parametrize(("preset", "players", "overrides", "option"), REFUSED)
def test_t06_what_cannot_be_played_is_refused(
    preset: str, players: int, overrides: dict[str, object], option: str
) -> None:
    """Players that no pack is for, across with odd players, cancellation with one pack."""
    with pytest.raises(VariantError) as refusal:
        rules(preset, players, **overrides)
    assert refusal.value.option == option


def test_t07_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    """With dealer P0 the first card goes to P1, the second to P2, the fourth to P0, the fifth to P1 again."""
    variant = rules(**NO_PASS)
    orders = deal_out(pack_of(variant), variant.players, 0, variant.hand_size)
    table = Table(variant, first_dealer=0)
    table.deal(Dealt(tuple(map(hand_of, orders)), orders, ()))
    (deal,) = started(table)
    assert [hand[0] for hand in deal.hands] == [3, 0, 1, 2]
    assert deal.hands[1][:2] == (0, 4)
    assert [table.hands[seat] >> card & 1 for card, seat in enumerate([1, 2, 3, 0] * 13)] == [1] * 52


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
