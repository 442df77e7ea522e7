"""Tables that random play seldom reaches."""

from __future__ import annotations

import pytest

from referee.rules.cards import Hand, cards_of, hand_of, parse_card
from referee.rules.dealing import Dealt
from referee.rules.variant import Termination
from referee.table.events import DealEnded, GameEnded, KittyTaken
from referee.table.machine import DecisionKind, Table
from referee.table.observe import PassReceived, PoolReceived, observe
from referee.table.replay import replay
from referee.table.substitute import substitute_play
from tests.table.players import (
    NO_PASS,
    cards,
    decide,
    finish,
    play,
    play_trick,
    rules,
    state_of,
    table_with,
    text_of,
)


def table_of_pairs() -> Table:
    """Return a table for six at which P0 and P1 hold the same cards, P2 and P3, and P4 and P5, the kitty a pair too."""
    hands = (
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D",
        "6D 7D 8D 9D TD JD QD KD AD 2S 3S 4S 5S 6S 7S 8S 9S",
        "TS JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",
    )
    orders = tuple(cards(hands[seat // 2]) for seat in range(6))
    table = Table(rules("cancellation", 6, deals=1, **NO_PASS), first_dealer=5)
    table.deal(Dealt(tuple(map(hand_of, orders)), orders, cards("AH AH")))
    return table


def test_a_deal_in_which_nobody_wins_a_trick_scores_nothing() -> None:
    """Seventeen tricks of pairs: the first leader leads them all, and cards and kitty are dead."""
    table = table_of_pairs()
    while not table.over:
        seat = table.turn
        assert table.leader == 0
        if seat % 2:
            card = table.log[-1]
            assert isinstance(card, int)
        else:
            card = substitute_play(table) if seat == 0 else cards_of(Hand(table.legal))[-1]
        assert table.play(seat, card) is None
    assert not any(table.taken)
    assert len(table.carry) == 102
    assert table.kitty == cards("AH AH")
    assert not any(isinstance(entry, KittyTaken) for entry in table.log)
    assert table.log[-2:] == [
        DealEnded((0,) * 6, (0,) * 6, None, None),
        GameEnded(Termination.DEALS, (1,) * 6, (0,) * 6),
    ]
    assert state_of(replay(table.variant, table.log)) == state_of(table)


def test_the_kitty_waits_for_the_first_winner() -> None:
    """Carried past trick one with the trick, and past trick two, it goes to who wins trick three, and once only."""
    hands = {0: "2C 3C 4C", 1: "2C 3C AC", 2: "TD TS", 3: "TD TS", 4: "9D 9S", 5: "9D 9S"}
    variant = rules("cancellation", 6, **NO_PASS)
    table = table_with(variant, hands, void={2: "C", 3: "C", 4: "C", 5: "C"}, dealer=5)
    kitty = table.kitty
    play(table, "2C 2C TD TD 9D 9D 3C 3C TS TS 9S 9S")
    assert (table.trick, table.turn, table.kitty) == (3, 0, kitty)
    assert len(table.carry) == 12
    play(table, "4C AC")
    play_trick(table)
    assert table.turn == 1
    assert (len(table.taken[1]), table.carry, table.kitty) == (18 + len(kitty), [], ())
    finish(table)
    assert [entry for entry in table.log if isinstance(entry, KittyTaken)] == [KittyTaken(1, kitty)]


def test_two_copies_passed_are_two_copies_held() -> None:
    """P0 passes both queens on to P1, who has passed his ace of hearts to P2 and gets another."""
    variant = rules("cancellation", 6)
    table = table_with(variant, {0: "QS QS AH", 1: "AH 2C 3C"}, dealer=5)
    assert table.pass_cards(0, cards("QS QS AH")) is None
    assert table.pass_cards(1, cards("AH 2C 3C")) is None
    while table.kind is DecisionKind.PASS:
        decide(table)
    held = cards_of(table.hands[1])
    assert held.count(parse_card("QS")) == 2
    assert held.count(parse_card("AH")) >= 1
    assert len(held) == variant.hand_size
    assert PassReceived(cards("AH 2C 3C"), cards("QS QS AH")) in observe(table.log, 1, variant)


def test_a_pool_may_give_everybody_back_what_he_gave() -> None:
    """Own cards back: the hands are as dealt, and each seat is told so."""
    table = table_with(rules("hoemke-4233"), {}, number=4)
    dealt = list(table.hands)
    while table.kind is DecisionKind.PASS:
        decide(table)
    given = [gift or () for gift in table.passes]
    table.pool(given)
    assert table.hands == dealt
    for seat in range(4):
        assert PoolReceived(given[seat], tuple(sorted(given[seat]))) in observe(table.log, seat, table.variant)


def test_a_card_may_come_back_to_who_passed_it() -> None:
    """With two seats across from each other giving one back, each may return the very card it was passed."""
    table = table_with(rules("hoemke-3233", pass_cycle=["across"]), {0: "AS KS QS JS", 2: "AH KH QH JH"})
    for seat in range(4):
        named = {0: "AS KS QS JS", 2: "AH KH QH JH"}.get(seat) or text_of(table.hands[seat])
        assert table.pass_cards(seat, cards(named)[:4]) is None
    assert table.return_card(0, parse_card("AH")) is None
    assert table.return_card(2, parse_card("AS")) is None
    for seat in (1, 3):
        assert table.return_card(seat, table.received(seat)[0]) is None
    assert text_of(table.hands[0] & 1 << parse_card("AS")) == "AS"
    assert text_of(table.hands[2] & 1 << parse_card("AH")) == "AH"
    assert [hand.bit_count() for hand in table.hands] == [13] * 4


@pytest.mark.parametrize(("players", "size"), [(6, 8), (7, 7)])
def test_hands_of_nothing_but_penalty_cards_play_on(players: int, size: int) -> None:
    """Two seats hold nearly all hearts and the queen: all of their cards are legal on trick one, and the deal ends."""
    hearts = ["2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH"]
    hands = {2: " ".join(["QS", *hearts[: size - 1]]), 3: " ".join(hearts[size - 1 :])}
    table = table_with(rules("classic", players, **NO_PASS), {1: "2C", **hands})
    play(table, "2C")
    assert table.legal == table.hands[2]
    play(table, "QS")
    while table.turn >= 0:
        decide(table)
    assert table.kind is DecisionKind.MOON or sum(table.totals) == 26


def test_a_dead_queen_counts_for_nobody() -> None:
    """The last trick is one of pairs with a queen in it: 39 points are left to share, and no moon."""
    hands = {1: "AC AC KC KC QC QC JC JC TC TC 9C 9C 8C 8C 7C 7C 5D", 2: "QS", 3: "5D", 4: "AS", 5: "AS", 0: "KS KS"}
    table = table_with(rules("cancellation", 6, **NO_PASS), hands)
    finish(table, keep="5D QS AS KS")
    ended = table.log[-1]
    assert isinstance(ended, DealEnded)
    assert sorted(table.carry) == sorted(cards("5D 5D QS AS AS KS"))
    assert (ended.points, ended.shooter, ended.moon) == ((0, 39, 0, 0, 0, 0), None, None)


@pytest.mark.parametrize(
    ("hearts_lead", "thrown", "opened"),
    [
        ("broken_by_heart_or_qs", "5H 5H", True),
        ("broken_by_heart_or_qs", "QS QS", True),
        ("broken_by_heart", "5H 5H", True),
        ("broken_by_heart", "QS QS", False),
    ],
)
def test_cards_that_cancel_have_been_played(hearts_lead: str, thrown: str, opened: bool) -> None:
    """A trick of pairs that nobody wins opens hearts all the same, for the leader who leads again."""
    hands = {0: "2C 3H", 1: "2C", 2: thrown[:2], 3: thrown[3:], 4: "9D", 5: "9D"}
    variant = rules("cancellation", 6, hearts_lead=hearts_lead, **NO_PASS)
    table = table_with(variant, hands, void={2: "C", 3: "C", 4: "C", 5: "C"}, dealer=5)
    play(table, f"2C 2C {thrown} 9D 9D")
    assert (table.trick, table.turn, len(table.carry)) == (2, 0, 6)
    assert bool(table.legal >> parse_card("3H") & 1) is table.hearts_open is opened


def test_hearts_in_the_kitty_open_nothing() -> None:
    """P1 takes two aces of hearts with the first trick: they count, but nobody has played them."""
    table = table_of_pairs()
    play(table, "2C 3C 6D 6D TS TS")
    assert (table.turn, table.hearts_open) == (1, False)
    assert table.taken[1].count(parse_card("AH")) == 2


def test_leads_to_tricks_that_nobody_wins_open_hearts() -> None:
    """Two plain suits led twice each: the count is of leads, whoever takes the cards."""
    pairs = table_of_pairs()
    orders = tuple(map(cards_of, pairs.hands))
    table = Table(rules("cancellation", 6, hearts_lead="after_plain_suits_led", **NO_PASS), first_dealer=5)
    table.deal(Dealt(tuple(map(hand_of, orders)), orders, pairs.kitty))
    for trick in ("2C 2C 2S 2S TS TS", "3C 3C 3S 3S JS JS", "2D 2D 6D 6D KS KS"):
        play(table, trick)
        assert (table.turn, table.hearts_open) == (0, False)
    play(table, "3D 3D 7D 7D AS AS")
    assert (table.turn, table.hearts_open, len(table.carry)) == (0, True, 24)
