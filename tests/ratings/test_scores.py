"""Scores of deals, games and faults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.results import DealResult, MatchResult
from arena.ratings.scores import deal_scores, game_scores, score_match

CLEAN = (False, False, False, False)


def match(*deals: DealResult, places: tuple[int, ...] | None = None) -> MatchResult:
    """Return a match of four entrants."""
    return MatchResult(number=0, round=0, block=0, seating=(3, 1, 0, 2), board="m0", deals=deals, places=places)


def test_a_deal_is_worth_the_others_mean_less_ones_own() -> None:
    """With 13, 8, 5 and 0 points the scores are (13 - 3*13)/3 and so on."""
    assert [score / 3 for score in deal_scores((13, 8, 5, 0))] == pytest.approx([-26 / 3, -2, 2, 26 / 3])


def test_a_moon_is_worth_the_same_under_both_rules() -> None:
    """26 to each of the others and -26 for oneself are the same scores."""
    assert deal_scores((0, 26, 26, 26)) == deal_scores((-26, 0, 0, 0))


@given(st.lists(st.integers(-40, 60), min_size=3, max_size=11))
def test_deals_sum_to_zero(points: list[int]) -> None:
    """Whatever the points, the scores of a table sum to zero."""
    assert sum(deal_scores(points)) == 0


@given(st.lists(st.integers(1, 5), min_size=3, max_size=11))
def test_games_sum_to_zero_and_ties_share(places: list[int]) -> None:
    """Scores of a game sum to zero, equal places score alike and better places more."""
    scores = game_scores(places)
    assert sum(scores) == 0
    for place, score in zip(places, scores, strict=True):
        for other, worth in zip(places, scores, strict=True):
            assert (place < other) == (score > worth)


def test_a_win_at_four_is_worth_two() -> None:
    """Placement points 3, 2, 1, 0 less the others' mean are 2, 2/3, -2/3, -2."""
    assert [score / 6 for score in game_scores((1, 2, 3, 4))] == pytest.approx([2, 2 / 3, -2 / 3, -2])
    assert [score / 6 for score in game_scores((1, 1, 3, 3))] == pytest.approx([4 / 3, 4 / 3, -4 / 3, -4 / 3])


def test_a_match_adds_its_deals() -> None:
    """Sums are whole numbers over the number of opponents."""
    scored = score_match(match(DealResult(1, (13, 8, 5, 0), CLEAN), DealResult(2, (0, 0, 26, 0), CLEAN)))
    assert (scored.units, scored.deals, scored.denominator) == (2, 2, 3)
    assert scored.scores == (-26 + 26, -6 + 26, 6 - 78, 26 + 26)
    assert scored.penalties == scored.faulty_deals == (0, 0, 0, 0)


def test_a_fault_counts_as_the_worst_score() -> None:
    """A faulted seat that did well loses the difference to the worst; the others keep theirs."""
    deals = (13, 8, 5, 0)
    scored = score_match(match(DealResult(1, deals, (False, False, False, True))))
    assert scored.scores == deal_scores(deals)
    assert scored.penalties == (0, 0, 0, 26 + 26)
    assert scored.faulty_deals == (0, 0, 0, 1)


def test_a_fault_at_the_bottom_costs_nothing_more() -> None:
    """No better than the worst: whoever is the worst already keeps that."""
    scored = score_match(match(DealResult(1, (26, 0, 0, 0), (True, False, False, False))))
    assert scored.penalties == (0, 0, 0, 0)


def test_a_fault_in_a_game_costs_the_place() -> None:
    """With a target the whole game counts as the worst place at the table."""
    deals = (DealResult(1, (0, 26, 0, 0), (True, False, False, False)), DealResult(2, (0, 26, 0, 0), CLEAN))
    scored = score_match(match(*deals, places=(1, 4, 1, 3)))
    assert (scored.units, scored.deals, scored.denominator) == (1, 2, 6)
    assert scored.penalties == (scored.scores[0] - scored.scores[1], 0, 0, 0)
    assert scored.faulty_deals == (1, 0, 0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        match(),
        match(DealResult(1, (1, 2, 3), CLEAN)),
        match(DealResult(1, (1, 2, 3, 4), (False,))),
        match(DealResult(1, (1, 2, 3, 4), CLEAN), places=(1, 2)),
    ],
)
def test_rows_that_do_not_fit_are_refused(wrong: MatchResult) -> None:
    """A result without an entry for each seat, or with nothing to score, names the match."""
    with pytest.raises(ValueError, match="match 0"):
        score_match(wrong)
