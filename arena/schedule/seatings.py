"""Seatings of one table: which positions sit where, board by board.

A table of n entrants has positions 0..n-1, and an *order* says for each seat which position sits there.
`boards_of(n)` returns the orders as boards: within a board every position holds every seat exactly once, so every
entrant plays every hand of the board.

Where GF(n) exists there are n-1 boards, board i being the translations x + b composed with x -> a_i x.
Together they are the affine group, which is sharply 2-transitive: over the n-1 boards every ordered pair of
positions sits in every ordered pair of seats exactly once, left neighbours (who get one's pass) included.
For n = 6 and n = 10 no such set exists, and a board is one directed Hamiltonian cycle in its n cyclic shifts. The
cycles are chosen so that every ordered pair is left neighbours equally often: twice over ten boards for 6, once over
nine boards for 10.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.schedule.fields import field, has_field

Order = tuple[int, ...]
Board = tuple[Order, ...]

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 11

# Directed cycles developed by a group that fixes the last point: Z5 acting on 0..4 for 6; Z3 acting within 0..2,
# 3..5 and 6..8 for 10. Found by exhaustive search; the 6-cycles come closest to balancing all distances too.
_SIX: Final = ((5, 0, 1, 3, 2, 4), (5, 0, 3, 4, 2, 1))
_TEN: Final = (
    (9, 0, 1, 3, 2, 5, 6, 4, 7, 8),
    (9, 3, 0, 2, 6, 8, 1, 7, 4, 5),
    (9, 6, 0, 8, 4, 3, 1, 5, 7, 2),
)


@cache
def boards_of(players: int) -> tuple[Board, ...]:
    """Return the boards of a table of *players*, each *players* orders; where GF exists the first is 0, 1, 2 ..."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"seatings exist for {MIN_PLAYERS} to {MAX_PLAYERS} players, not for {players}")
    if has_field(players):
        return _affine(players)
    if players == 6:
        cycles = [tuple(_shift(x, shift, 5, 5) for x in cycle) for shift in range(5) for cycle in _SIX]
    else:
        cycles = [tuple(_shift(x, shift, 3, 9) for x in cycle) for shift in range(3) for cycle in _TEN]
    return tuple(tuple(cycle[shift:] + cycle[:shift] for shift in range(players)) for cycle in cycles)


@cache
def orders_of(players: int) -> Board:
    """Return all orders of `boards_of` in one row, board by board: any *players* aligned ones balance the seats."""
    return tuple(order for board in boards_of(players) for order in board)


def seated(table: tuple[int, ...], order: Order) -> tuple[int, ...]:
    """Return who sits where when the positions of *table* are put into *order*."""
    return tuple(table[position] for position in order)


def _affine(players: int) -> tuple[Board, ...]:
    """Return the affine group of GF(players): position x sits at a*x + b, one board for each a."""
    numbers = field(players)
    boards: list[Board] = []
    for factor in range(1, players):
        orders: list[Order] = []
        for shift in range(players):
            order = [0] * players
            for position in range(players):
                order[numbers.add[numbers.multiply[factor][position]][shift]] = position
            orders.append(tuple(order))
        boards.append(tuple(orders))
    return tuple(boards)


def _shift(point: int, shift: int, length: int, fixed: int) -> int:
    """Return *point* moved by *shift* within its run of *length* numbers; the point *fixed* stays."""
    if point == fixed:
        return point
    start = point - point % length
    return start + (point + shift) % length
