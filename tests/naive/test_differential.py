"""The referee against the naive implementation over random games of random rule sets."""

from collections import Counter
from random import Random

import pytest

from tests.naive.options import faults, resolve
from tests.naive.proof import compare_chunk, compare_game
from tests.naive.tally import unmet
from tests.naive.variants import PRESETS

HOEMKE = [f"hoemke-{digit}{(digit + shift - 1) % 4 + 1}{digit}{digit}" for digit in range(1, 5) for shift in range(2)]


@pytest.mark.parametrize(("preset", "players"), [*PRESETS, *[(name, 4) for name in HOEMKE]])
def test_every_preset_at_every_table_agrees(preset: str, players: int) -> None:
    """Games of two deals of each preset have the same decisions, piles, scores and records on both sides."""
    given = {"preset": preset, "players": players, "deals": 2}
    assert not faults(resolve(given))
    for seed in range(3):
        compare_game(given, Random(f"{preset} {players} {seed}"), Counter())


@pytest.mark.parametrize("seed", range(4))
def test_random_rule_sets_agree(seed: int) -> None:
    """So do games of rule sets drawn at random, with the same ones refused."""
    tally, difference = compare_chunk(f"quick {seed}", 25)
    assert difference is None
    assert tally["deals"] >= 25


@pytest.mark.full
@pytest.mark.timeout(600)
def test_2000_deals_agree_and_meet_every_option() -> None:
    """Two thousand deals agree, and every value of every option is among them, and nearly everything rare."""
    tally: Counter[str] = Counter()
    for chunk in range(20):
        met, difference = compare_chunk(f"full {chunk}", 100)
        assert difference is None, f"chunk {chunk}: {difference}"
        tally += met
    assert tally["deals"] >= 2000
    assert set(unmet(tally)) <= {"moons lost to dead cards"}
