"""Student's t: quantiles against published tables."""

from __future__ import annotations

from statistics import NormalDist

import pytest

from arena.ratings.student import cumulative, quantile


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [
        (1, 12.706204736),
        (2, 4.302652730),
        (3, 3.182446305),
        (4, 2.776445105),
        (10, 2.228138852),
        (30, 2.042272456),
        (100, 1.983971519),
    ],
)
def test_the_usual_table(freedom: int, expected: float) -> None:
    """The 97.5 % points agree with tables to nine decimals."""
    assert quantile(0.975, freedom) == pytest.approx(expected, abs=2e-9)


def test_many_degrees_of_freedom_are_normal() -> None:
    """With a million degrees of freedom the quantile is the normal one."""
    assert quantile(0.975, 1e6) == pytest.approx(NormalDist().inv_cdf(0.975), abs=1e-5)


@pytest.mark.parametrize("freedom", [0.7, 1, 2.5, 17, 400])
@pytest.mark.parametrize("probability", [0.6, 0.9, 0.975, 0.9995])
def test_quantile_inverts_the_distribution(freedom: float, probability: float) -> None:
    """The distribution function at the quantile is the probability asked for."""
    assert cumulative(quantile(probability, freedom), freedom) == pytest.approx(probability, abs=1e-12)


@pytest.mark.parametrize(("probability", "freedom"), [(0.5, 3), (1.0, 3), (0.9, 0), (0.9, -1)])
def test_nonsense_is_refused(probability: float, freedom: float) -> None:
    """Probabilities outside (0.5, 1), and no degrees of freedom, are errors."""
    with pytest.raises(ValueError, match="no t quantile"):
        quantile(probability, freedom)
