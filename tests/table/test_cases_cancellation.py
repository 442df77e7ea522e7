"""The table by cases: two packs, cancelled cards, and the kitty. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import parse_card
from referee.rules.scoring import points_of
from referee.table.events import (
    KittyTaken,
)
from referee.table.machine import Table
from tests.table.players import (
    NO_PASS,
    cards,
    play,
    play_trick,
    points,
    random_game,
    rules,
    table_with,
)


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
