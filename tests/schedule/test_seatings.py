"""Seatings of one table: hands, seats and neighbours are balanced as promised."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from arena.schedule.fields import has_field
from arena.schedule.seatings import MAX_PLAYERS, MIN_PLAYERS, boards_of, orders_of, seated

TABLE_SIZES = range(MIN_PLAYERS, MAX_PLAYERS + 1)


@pytest.mark.parametrize("players", TABLE_SIZES)
def test_a_board_gives_every_hand_to_everybody_once(players: int) -> None:
    """Within a board every position holds every seat exactly once."""
    for board in boards_of(players):
        assert len(board) == players
        for seat in range(players):
            assert sorted(order[seat] for order in board) == list(range(players))


@pytest.mark.parametrize("players", [size for size in TABLE_SIZES if has_field(size)])
def test_a_unit_balances_pairs_of_seats(players: int) -> None:
    """Over n-1 boards every ordered pair of positions sits in every ordered pair of seats exactly once."""
    assert len(boards_of(players)) == players - 1
    pairs = list(permutations(range(players), 2))
    found = Counter((order[i], order[j], i, j) for order in orders_of(players) for i, j in pairs)
    assert len(found) == len(pairs) ** 2
    assert set(found.values()) == {1}


@pytest.mark.parametrize(("players", "boards", "meetings"), [(6, 10, 2), (10, 9, 1)])
def test_without_a_field_left_neighbours_are_balanced(players: int, boards: int, meetings: int) -> None:
    """For 6 and 10 every ordered pair is left neighbours in equally many boards."""
    assert len(boards_of(players)) == boards
    for board in boards_of(players):
        cycles = {tuple(order[(order.index(0) + step) % players] for step in range(players)) for order in board}
        assert len(cycles) == 1
    lefts = Counter((board[0][i], board[0][(i + 1) % players]) for board in boards_of(players) for i in range(players))
    assert len(lefts) == players * (players - 1)
    assert set(lefts.values()) == {meetings}


def test_four_players_start_with_the_exchanges_of_pairs() -> None:
    """For four the first board is the Klein group: nobody's move is a rotation."""
    assert boards_of(4)[0] == ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))


def test_seated_puts_positions_into_seats() -> None:
    """An order names the position for each seat."""
    assert seated((7, 8, 9), (2, 0, 1)) == (9, 7, 8)


@pytest.mark.parametrize("players", [2, 12])
def test_other_table_sizes_are_refused(players: int) -> None:
    """Hearts has 3 to 11 players, and other sizes are refused with that said."""
    with pytest.raises(ValueError, match="3 to 11"):
        boards_of(players)
