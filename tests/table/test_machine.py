"""The table by cases: passing, opening, play, the end of a deal and of a game. Ids are those of the rule book."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.cards import Card, card_name, parse_card
from referee.rules.play import Violation
from referee.rules.scoring import points_of
from referee.rules.variant import MoonEffect, PassDirection, Termination
from referee.table.events import CardsPassed, DealEnded, DealStarted, GameEnded, KittyTaken, PlayBegan, PoolDealt
from referee.table.machine import DecisionKind, Need, Table, WrongCommand
from referee.table.substitute import substitute_moon, substitute_play
from tests.table.players import (
    cards,
    deal_with,
    decide,
    play,
    play_trick,
    random_game,
    rules,
    source_of,
    state_of,
    supply,
    table_with,
    text_of,
)

FREE: dict[str, Any] = {"pass_mode": "none", "opening_lead": "eldest_any_nonpenalty", "first_trick_penalty": "allowed"}
"""Overrides with which any trick can be the first one."""
NO_PASS: dict[str, Any] = {"pass_mode": "none"}


def started(table: Table) -> list[DealStarted]:
    """Return the deals that *table* has seen."""
    return [entry for entry in table.log if isinstance(entry, DealStarted)]


def points(table: Table, seat: int) -> int:
    """Return what the cards that *seat* has taken so far count."""
    return points_of(table.variant.scoring, table.taken[seat])


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


def moon_table(
    preset: str = "standard", shooter: int = 1, totals: tuple[int, ...] | None = None, **overrides: str
) -> Table:
    """Return a table at which *shooter* has just taken every trick: thirteen clubs against three voids."""
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    table = table_with(rules(preset, 4, **(NO_PASS | overrides)), {shooter: clubs}, totals=totals)
    while table.turn >= 0:
        play(table, card_name(substitute_play(table)))
    return table


def test_t56_a_moon_gives_the_others_26() -> None:
    """All hearts and the queen: nothing for the shooter, 26 for everybody else."""
    ended = moon_table().log[-1]
    assert ended == DealEnded((26, 0, 26, 26), (26, 0, 26, 26), 1, MoonEffect.OTHERS_PLUS)


def test_t57_a_moon_may_be_taken_off_the_shooter() -> None:
    """With `self_minus` the shooter gets -26 and nobody else anything."""
    assert moon_table(moon_effect="self_minus").totals == (0, -26, 0, 0)


def test_t57_the_shooter_chooses() -> None:
    """With the choice, the deal is scored only when the shooter has chosen, and as chosen."""
    table = moon_table("classic")
    assert (table.kind, table.to_act, table.needs) == (DecisionKind.MOON, (1,), None)
    assert table.choose_moon(0, MoonEffect.SELF_MINUS) is Violation.OUT_OF_TURN
    assert table.choose_moon(1, MoonEffect.SELF_MINUS) is None
    assert table.totals == (0, -26, 0, 0)
    assert table.choose_moon(1, MoonEffect.SELF_MINUS) is Violation.WRONG_DECISION


def test_t66_a_nonsense_choice_is_refused_and_the_substitute_is_others_plus() -> None:
    """What is no effect changes nothing; the substitute gives the others 26."""
    table = moon_table("classic")
    assert table.choose_moon(1, MoonEffect.SHOOTER_CHOICE) is Violation.NOT_A_MOON_EFFECT
    assert table.kind is DecisionKind.MOON
    assert table.choose_moon(1, substitute_moon(table)) is None
    assert table.totals == (26, 0, 26, 26)


def test_t67_the_game_ends_when_a_total_reaches_the_target() -> None:
    """100/60/50/74 with target 100: over, and P2 has won."""
    table = moon_table(shooter=2, totals=(74, 34, 50, 48))
    assert table.over
    assert table.log[-1] == GameEnded(Termination.TARGET, (4, 2, 1, 3), (100, 60, 50, 74))
    assert (table.kind, table.needs, table.to_act) == (None, None, ())


def test_t70_a_tie_for_the_lowest_total_is_shared_or_played_on() -> None:
    """104/40/40/76: two winners; with `play_on` another deal is needed."""
    shared = moon_table(totals=(78, 40, 14, 50))
    assert shared.log[-1] == GameEnded(Termination.TARGET, (4, 1, 1, 3), (104, 40, 40, 76))
    on = moon_table(totals=(78, 40, 14, 50), tie_for_lowest="play_on")
    assert (on.over, on.needs, on.number) == (False, Need.DEAL, 2)


def cancelling(hands: dict[int, str], dealer: int = 2) -> Table:
    """Return a table for six with two packs, nothing passed, at which the seat after *dealer* leads."""
    return table_with(rules("cancellation", 6, **NO_PASS), hands, dealer=dealer)


def pairs_table() -> Table:
    """Return a table at which P3 can lead two tricks that nobody wins, and then P1 can win one."""
    hands = {3: "JC KD 2S", 4: "JC KD 3S", 5: "TC QD 4S", 0: "TC QD 5S", 1: "9C JD AS", 2: "9C JD 6S"}
    return cancelling(hands)


def test_t74_t81_nobody_wins_a_trick_of_pairs_and_the_leader_leads_again() -> None:
    """JC JC TC TC 9C 9C: set aside; P3 leads again, the kitty stays on the table."""
    table = pairs_table()
    play(table, "JC JC TC TC 9C 9C")
    assert (table.turn, table.trick) == (3, 2)
    assert table.carry == list(cards("JC JC TC TC 9C 9C"))
    assert len(table.kitty) == 2
    assert not table.hearts_open
    assert not any(table.taken)


def test_t83_the_next_winner_takes_what_was_set_aside() -> None:
    """Two tricks without a winner, then P1 wins: three tricks and the kitty are his."""
    table = pairs_table()
    play(table, "JC JC TC TC 9C 9C KD KD QD QD JD JD 2S 3S 4S 5S AS 6S")
    assert table.turn == 1
    assert len(table.taken[1]) == 18 + 2
    assert table.carry == []
    assert table.kitty == ()
    taken = next(entry for entry in table.log if isinstance(entry, KittyTaken))
    assert (taken.seat, len(taken.cards)) == (1, 2)


CANCELLED = [
    ("t73", "JC TC 9C 8C 4C JC", "", 4, 0),
    ("t75", "9C 9C AS KH QD 2D", "5012", None, 0),
    ("t76", "5C KH KH 3C 2C 4D", "452", 3, 2),
]


@pytest.mark.parametrize(("case", "trick", "void", "taker", "cost"), CANCELLED, ids=[row[0] for row in CANCELLED])
def test_t73_t75_t76_equal_cards_cancel(case: str, trick: str, void: str, taker: int | None, cost: int) -> None:
    """The two jacks of clubs are out; off-suit cards cannot win a trick of pairs; cancelled hearts still count."""
    seats = [3, 4, 5, 0, 1, 2]
    hands = dict(zip(seats, trick.split(), strict=True))
    variant = rules("cancellation", 6, **NO_PASS)
    table = table_with(variant, hands, void={int(seat): "C" for seat in void}, dealer=2)
    kitty = points_of(variant.scoring, table.kitty)
    play(table, trick)
    assert table.turn == (3 if taker is None else taker), case
    assert sum(points(table, seat) for seat in range(6)) == (0 if taker is None else cost + kitty)
    assert [seat for seat in range(6) if table.taken[seat]] == ([] if taker is None else [taker])
    assert len(table.carry) == (6 if taker is None else 0)


def test_t86_the_same_players_two_copies_do_not_cancel() -> None:
    """P0 leads QS to trick three, and the other QS to trick five, and takes both tricks."""
    hands = {0: "AC AC AD AD AS AS KS KS QS QS"}
    table = table_with(rules("cancellation", 6, **NO_PASS), hands, dealer=5)
    for card in ("AC", "AC", "QS", "AD", "QS"):
        assert table.turn == 0
        play(table, card)
        play_trick(table)
    assert table.trick == 6
    assert table.taken[0].count(parse_card("QS")) == 2


@pytest.mark.parametrize(("players", "kitties"), [(8, 0), (6, 4), (11, 4)])
def test_t88_without_a_kitty_there_is_no_kitty_event(players: int, kitties: int) -> None:
    """Eight players are dealt both packs whole; with six or eleven the kitty is taken once a deal."""
    table = random_game(rules("cancellation", players, deals=4), 3)
    assert sum(isinstance(entry, KittyTaken) for entry in table.log) == kitties


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
