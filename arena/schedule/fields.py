"""Finite fields GF(q) for the table sizes that have one, as addition and multiplication tables.

An element is a number 0..q-1 whose base-p digits are the coefficients of a polynomial over GF(p), lowest first.
So for prime q this is arithmetic modulo q, and for q = 4 and 8 addition is exclusive or.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

# The power x^k that a product of degree k is reduced by, written as the digits of what x^k equals (lowest first).
# GF(4): x^2 = x + 1; GF(8): x^3 = x + 1; GF(9): x^2 = -1 = 2.
_REDUCTIONS: Final = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (2, 0))}
_PRIMES: Final = (2, 3, 5, 7, 11, 13)


@dataclass(frozen=True, slots=True)
class Field:
    """GF(*order*): `add[a][b]` and `multiply[a][b]` for elements 0..order-1; 0 and 1 are the neutral elements."""

    order: int
    add: tuple[tuple[int, ...], ...]
    multiply: tuple[tuple[int, ...], ...]


def has_field(order: int) -> bool:
    """Return whether `field` knows GF(*order*)."""
    return order in _PRIMES or order in _REDUCTIONS


@cache
def field(order: int) -> Field:
    """Return GF(*order*), for the primes up to 13 and 4, 8 and 9; raise `ValueError` for others."""
    if not has_field(order):
        raise ValueError(f"there is no field of order {order} here: known are {_PRIMES} and {tuple(_REDUCTIONS)}")
    prime, reduction = _REDUCTIONS.get(order, (order, (0,)))
    degree = len(reduction)

    def digits(element: int) -> list[int]:
        return [element // prime**k % prime for k in range(degree)]

    def number(coefficients: list[int]) -> int:
        return sum(value % prime * prime**k for k, value in enumerate(coefficients))

    def product(left: int, right: int) -> int:
        raw = [0] * (2 * degree - 1)
        for i, a in enumerate(digits(left)):
            for j, b in enumerate(digits(right)):
                raw[i + j] += a * b
        for k in range(len(raw) - 1, degree - 1, -1):
            for offset, value in enumerate(reduction):
                raw[k - degree + offset] += raw[k] * value
        return number(raw[:degree])

    elements = range(order)
    return Field(
        order=order,
        add=tuple(
            tuple(number([a + b for a, b in zip(digits(left), digits(right), strict=True)]) for right in elements)
            for left in elements
        ),
        multiply=tuple(tuple(product(left, right) for right in elements) for left in elements),
    )
