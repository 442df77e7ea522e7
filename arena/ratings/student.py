"""Quantiles of Student's t distribution, for any positive number of degrees of freedom.

The distribution function is a regularised incomplete beta function, summed as a continued fraction (Abramowitz and
Stegun 26.5.8 and 26.7.1) with Lentz's method; the quantile is found by bisection on it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

_TINY: Final = 1e-300
_PRECISION: Final = 1e-15
_TERMS: Final = 10_000


@lru_cache(maxsize=4096)
def quantile(probability: float, freedom: float) -> float:
    """Return the t below which *probability* (above a half) lies, to about 12 digits."""
    if not 0.5 < probability < 1 or not freedom > 0:
        raise ValueError(f"no t quantile for probability {probability} and {freedom} degrees of freedom")
    low, high = 0.0, 1.0
    while cumulative(high, freedom) < probability:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if cumulative(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


def cumulative(t: float, freedom: float) -> float:
    """Return the probability of a value below *t* >= 0."""
    square = t * t
    return 1 - _beta(freedom / (freedom + square), square / (freedom + square), freedom / 2, 0.5) / 2


def _beta(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b); *rest* is 1 - x, given apart for its precision."""
    if x <= 0 or rest <= 0:
        return 0.0 if x <= 0 else 1.0
    log_front = a * math.log(x) + b * math.log(rest) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    if x > (a + 1) / (a + b + 2):
        return 1 - math.exp(log_front) * _fraction(rest, b, a) / b
    return math.exp(log_front) * _fraction(x, a, b) / a


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function by Lentz's method."""
    c, d = 1.0, 1 / _safe(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _safe(1 + term * d)
            c = _safe(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return value


def _safe(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
