"""The rules against OpenSpiel, which was written by others from other sources."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.rules.presets import resolve

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

STANDARD = "hearts(qs_breaks_hearts=False)"


def test_every_preset_that_openspiel_plays_agrees() -> None:
    """Random deals of each have the same passes, legal sets and points, as far as it counts as the preset does."""
    from tests.rules.oracle import compare_deals, configurations

    games = list(configurations())
    assert len(games) == 10
    for game, variant in games:
        tally = compare_deals(game, variant, deals=12, seed=1)
        assert tally["deals"] == 12
        assert bool(tally["scored"]) is (variant.scoring != "two_free_double_jd")


def test_the_lead_escape_and_free_play_agree_with_openspiel() -> None:
    """So have deals in which the queen alone frees a heart lead, and in which nothing is barred."""
    from tests.rules.oracle import compare_deals

    escape = resolve("standard", overrides={"lead_escape": "only_hearts_or_qs"})
    compare_deals("hearts(qs_breaks_hearts=False,can_lead_hearts_instead_of_qs=True)", escape, deals=50, seed=3)
    free = resolve("standard", overrides={"hearts_lead": "after_trick_1", "first_trick_penalty": "allowed"})
    compare_deals("hearts(must_break_hearts=False,no_pts_on_first_trick=False)", free, deals=50, seed=4)


def test_the_jack_that_the_moon_does_not_need_agrees_with_openspiel() -> None:
    """With `moon_needs_jd` false every deal of the scheme with the jack is scored as OpenSpiel does."""
    from tests.rules.oracle import compare_deals

    variant = resolve("hoemke-2223", overrides={"moon_needs_jd": False})
    tally = compare_deals("hearts(qs_breaks_hearts=False,jd_bonus=True)", variant, deals=50, seed=5)
    assert tally["scored"] == tally["deals"]


@pytest.mark.full
def test_3000_deals_agree_with_openspiel() -> None:
    """Three hundred random deals of each preset, enough to meet moons, agree too."""
    from tests.rules.oracle import compare_deals, configurations

    tally: Counter[str] = Counter()
    for game, variant in configurations():
        tally += compare_deals(game, variant, deals=300, seed=7)
    assert tally["moons"] > 0
