"""Finite fields: the axioms that seatings rest on."""

from __future__ import annotations

import pytest

from arena.schedule.fields import field, has_field

ORDERS = (3, 4, 5, 7, 8, 9, 11)


@pytest.mark.parametrize("order", ORDERS)
def test_every_row_is_a_permutation(order: int) -> None:
    """Adding an element, or multiplying by one other than zero, maps the field onto itself."""
    numbers = field(order)
    everything = list(range(order))
    assert all(sorted(row) == everything for row in numbers.add)
    assert all(sorted(row) == everything for row in numbers.multiply[1:])
    assert numbers.add[0] == numbers.multiply[1] == tuple(everything)
    assert set(numbers.multiply[0]) == {0}


@pytest.mark.parametrize("order", ORDERS)
def test_laws(order: int) -> None:
    """Multiplication is commutative and associative and distributes over addition."""
    add, multiply = field(order).add, field(order).multiply
    for a in range(order):
        for b in range(order):
            assert multiply[a][b] == multiply[b][a]
            for c in range(order):
                assert multiply[a][multiply[b][c]] == multiply[multiply[a][b]][c]
                assert multiply[a][add[b][c]] == add[multiply[a][b]][multiply[a][c]]


@pytest.mark.parametrize("order", [6, 10])
def test_no_field(order: int) -> None:
    """There is no field of order 6 or 10, and asking for one says so."""
    assert not has_field(order)
    with pytest.raises(ValueError, match=f"no field of order {order}"):
        field(order)
