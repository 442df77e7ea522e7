"""Whether every case of the rule book has a test that bears its id."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

NUMBERS: Final = (
    *(*range(1, 18), 20, 21, 23, *range(25, 31), *range(33, 40), 41, 42, 44, *range(46, 53), *range(55, 61)),
    *(62, 63, 66, 67, 70, *range(72, 77), 81, 83, 86, *range(88, 93)),
)
"""The cases of the rule book; the numbers between were given up."""


def test_every_case_has_a_test() -> None:
    """Each id stands in the name of a test of its own area, and no test bears an id that is not in the book."""
    names = [
        name
        for path in Path(__file__).parent.glob("test_cases_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    ]
    tested = {int(number) for name in names for number in re.findall(r"_t(\d\d)(?=_)", name)}
    assert tested == set(NUMBERS)
