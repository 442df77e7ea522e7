"""A share of the mutated messages; the millions are for `make soak`."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.messages import Fuzz
from tests.fuzz.mutation import mutated


@pytest.mark.parametrize("seed", [1, 2])
async def test_nothing_gets_past_the_decoder_and_the_session(seed: int) -> None:
    """Whatever is sent: no exception of ours, no attempt voided, and matches end."""
    counts = await Fuzz(seed).run(10_000)
    assert counts["frame: malformed"] > 500
    assert counts["frame: applied"] > 500
    assert counts["hello: let in"] > 0
    assert counts["matches played to the end"] > 0


def test_mutations_are_repeatable() -> None:
    """The same seed makes the same bytes, and they are not those that went in."""
    first, second = Random(5), Random(5)
    made = [mutated(first, b"a good message") for _ in range(50)]
    assert made == [mutated(second, b"a good message") for _ in range(50)]
    assert sum(data != b"a good message" for data in made) > 45
