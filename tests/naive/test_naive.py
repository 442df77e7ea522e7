"""The naive implementation itself: it stands alone, and a misreading of the rules in it would be noticed."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.naive import deal, play, scoring
from tests.naive.lockstep import Disagreement
from tests.naive.options import Rules
from tests.naive.proof import compare_game

READING = ("cards", "options", "passing", "play", "scoring", "deal", "record")
Misreading = Callable[[pytest.MonkeyPatch], None]


def test_the_naive_reading_shares_no_code_with_the_referee() -> None:
    """The modules that tell the rules import nothing of the project but one another."""
    for name in READING:
        text = (Path(__file__).parent / f"{name}.py").read_text()
        imported = re.findall(r"^(?:from|import) (\S+)", text, re.MULTILINE)
        assert not [module for module in imported if module.split(".")[0] in ("referee", "arena")], name


def _no_ban(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(play, "is_harmful", lambda card, scheme: False)


def _hearts_always_open(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(play, "hearts_open", lambda rules, earlier: True)


def _last_of_suit_wins(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(play, "rank", lambda card: 0)


def _never_a_moon(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "shooter", lambda rules, taken: None)


def _always_left(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "direction", lambda rules, number: "left")


def _queen_costs_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(scoring, "QS_SCHEMES", ())


MISREADINGS = [_no_ban, _hearts_always_open, _last_of_suit_wins, _never_a_moon, _always_left, _queen_costs_nothing]


@pytest.mark.parametrize("misread", MISREADINGS)
def test_a_misread_rule_is_noticed(misread: Misreading, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one rule read otherwise, some game of a few is not the same any more."""
    misread(monkeypatch)
    assert any(_differs(Random(f"misread {seed}")) for seed in range(30))


def _differs(rng: Random) -> bool:
    """Play one game of ten deals and tell whether the two sides differ, a crash of the misread one included."""
    given: Rules = {"preset": "standard", "players": 4, "deals": 10}
    try:
        compare_game(given, rng, Counter())
    except (Disagreement, ValueError, IndexError):
        return True
    return False
