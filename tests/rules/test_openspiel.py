"""The rules against OpenSpiel, which was written by others from other sources."""

from __future__ import annotations

import pytest

from referee.rules.presets import resolve

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

STANDARD = "hearts(qs_breaks_hearts=False)"


def test_standard_deals_agree_with_openspiel() -> None:
    """Fifty random deals have the same legal sets and the same points."""
    from tests.rules.oracle import compare_deals

    compare_deals(STANDARD, resolve("standard"), deals=50, seed=1)


def test_queen_breaking_hearts_and_the_lead_escape_agree_with_openspiel() -> None:
    """So have deals of `classic`, and of a rule set in which the queen alone frees a heart lead."""
    from tests.rules.oracle import compare_deals

    compare_deals("hearts(qs_breaks_hearts=True)", resolve("classic"), deals=50, seed=2)
    escape = resolve("standard", overrides={"lead_escape": "only_hearts_or_qs"})
    compare_deals("hearts(qs_breaks_hearts=False,can_lead_hearts_instead_of_qs=True)", escape, deals=50, seed=3)
    free = resolve("standard", overrides={"hearts_lead": "after_trick_1", "first_trick_penalty": "allowed"})
    compare_deals("hearts(must_break_hearts=False,no_pts_on_first_trick=False)", free, deals=50, seed=4)


@pytest.mark.full
def test_2000_standard_deals_agree_with_openspiel() -> None:
    """Two thousand random deals, enough to meet moons, have the same legal sets and the same points."""
    from tests.rules.oracle import compare_deals

    assert compare_deals(STANDARD, resolve("standard"), deals=2000, seed=7) > 0
