"""Standings: the estimate, its invariances, its intervals and its file."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from arena.ratings.results import DealResult, MatchResult
from arena.ratings.scores import score_match
from arena.ratings.standings import Standings, gap, standings, standings_of, to_json
from arena.ratings.student import quantile
from arena.schedule.plan import Boards, Format, Schedule, plan
from tests.ratings.simulate import simulate

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ivy", "jon", "kim", "lou", "mia", "ned", "oda", "pat")


def schedule_of(boards: Boards, entrants: int, passes: int = 1) -> Schedule:
    """Return a round robin at tables of four."""
    return plan(Format(players=4, boards=boards, passes=passes), entrants)


def text(of: Standings) -> str:
    """Return the bytes of a standings file as text."""
    return json.dumps(to_json(of), sort_keys=True)


def by_entrant(of: Standings) -> dict[int, tuple[float, float | None]]:
    """Return score and interval by entrant."""
    return {row.entrant: (row.score, row.interval) for row in of.rows}


def mean_scores(results: list[MatchResult]) -> dict[int, float]:
    """Return the plain mean of an entrant's scores."""
    sums: dict[int, list[float]] = {}
    for result in results:
        scored = score_match(result)
        for entrant, score in zip(scored.seating, scored.scores, strict=True):
            sums.setdefault(entrant, []).append(score / scored.denominator / scored.units)
    return {entrant: float(np.mean(values)) for entrant, values in sums.items()}


@pytest.mark.parametrize(
    ("boards", "entrants"),
    [(Boards.SINGLE, 4), (Boards.ROTATIONS, 4), (Boards.BALANCED, 4), (Boards.SINGLE, 6), (Boards.BALANCED, 5)],
)
def test_in_a_balanced_design_the_score_is_the_mean(boards: Boards, entrants: int) -> None:
    """Where everybody meets everybody equally often, least squares and the plain mean agree."""
    schedule = schedule_of(boards, entrants, passes=2)
    results = simulate(schedule, [3.0 * number for number in range(entrants)], seed=1, deals=2)
    found = by_entrant(standings(NAMES[:entrants], results, schedule))
    for entrant, mean in mean_scores(results).items():
        assert found[entrant][0] == pytest.approx(mean, abs=1e-6)


def test_with_one_table_the_interval_is_the_textbook_one() -> None:
    """Four entrants on rotated boards: the t interval of the mean of block scores, blocks - 1 degrees of freedom."""
    schedule = schedule_of(Boards.ROTATIONS, 4, passes=9)
    results = simulate(schedule, [0, 1, 2, 3], seed=2, deals=3)
    blocks = np.zeros((9, 4))
    for result in results:
        scored = score_match(result)
        for entrant, score in zip(scored.seating, scored.scores, strict=True):
            blocks[result.block, entrant] += score / 3 / 3 / 4
    found = by_entrant(standings(NAMES[:4], results, schedule))
    for entrant in range(4):
        half = quantile(0.975, 8) * float(np.std(blocks[:, entrant], ddof=1)) / 3
        assert found[entrant][1] == pytest.approx(half, abs=1e-6)


@pytest.mark.parametrize(("boards", "entrants"), [(Boards.SINGLE, 9), (Boards.BOARDS, 12), (Boards.ROTATIONS, 10)])
def test_strengths_are_recovered(boards: Boards, entrants: int) -> None:
    """Without chance the estimate is exact, however uneven the meetings."""
    schedule = schedule_of(boards, entrants, passes=3)
    strengths = [float(number * number) for number in range(entrants)]
    results = simulate(schedule, strengths, seed=3, luck=5.0 if boards is Boards.BOARDS else 0.0, noise=0.0)
    found = by_entrant(standings(NAMES[:entrants], results, schedule))
    for entrant, strength in enumerate(strengths):
        others = (sum(strengths) - strength) / (entrants - 1)
        # Points were rounded to thousandths.
        assert found[entrant][0] / 1000 == pytest.approx(strength - others, abs=2e-3)


@pytest.mark.parametrize("boards", Boards)
def test_the_order_of_results_does_not_matter(boards: Boards) -> None:
    """Shuffled results give the same file, byte for byte."""
    schedule = schedule_of(boards, 8, passes=1)
    results = simulate(schedule, [float(number) for number in range(8)], seed=4, deals=2)
    expected = text(standings(NAMES[:8], results, schedule))
    for seed in range(3):
        shuffled = results.copy()
        random.Random(seed).shuffle(shuffled)
        assert text(standings(NAMES[:8], shuffled, schedule)) == expected


@pytest.mark.parametrize("boards", Boards)
def test_renaming_entrants_renames_the_standings(boards: Boards) -> None:
    """Numbers given to entrants have no influence: who is who decides."""
    schedule = schedule_of(boards, 9)
    results = simulate(schedule, [float(number) for number in range(9)], seed=5, deals=2)
    places = list(range(9))
    random.Random(5).shuffle(places)
    renumbered = [replace(result, seating=tuple(places[entrant] for entrant in result.seating)) for result in results]
    names = [""] * 9
    for entrant, place in enumerate(places):
        names[place] = NAMES[entrant]
    before = {row.name: row for row in standings(NAMES[:9], results, schedule).rows}
    after = standings(names, renumbered, schedule).rows
    assert [row.rank for row in after] == list(range(1, 10))
    for row in after:
        assert replace(row, entrant=0) == replace(before[row.name], entrant=0)


def test_equal_scores_share_a_rank() -> None:
    """Ties have one rank and the next one counts them all; the order among them is by entrant number."""
    schedule = schedule_of(Boards.SINGLE, 4)
    deal = DealResult(1, (0, 13, 13, 0), (False,) * 4)
    match = schedule.match(0)
    result = MatchResult(0, 0, 0, match.seating, match.board, (deal,))
    rows = standings(NAMES[:4], [result], schedule).rows
    assert [row.rank for row in rows] == [1, 1, 3, 3]
    assert {row.name for row in rows[:2]} == {NAMES[match.seating[0]], NAMES[match.seating[3]]}
    assert rows[0].entrant < rows[1].entrant


def test_before_the_first_block_nobody_is_ranked_above_another() -> None:
    """Without results all scores are zero, all ranks one and all intervals unknown."""
    schedule = schedule_of(Boards.BALANCED, 5)
    made = standings(NAMES[:5], [], schedule)
    assert {(row.rank, row.score, row.interval, row.score_clean, row.deals) for row in made.rows} == {
        (1, 0.0, None, None, 0)
    }
    assert (made.blocks_used, made.blocks_total) == (0, 15)
    assert gap(made, 0, 1) == (0.0, None)


def test_who_has_not_played_comes_last() -> None:
    """After one table of four, the fifth entrant has no score and the last rank."""
    schedule = schedule_of(Boards.SINGLE, 5)
    results = simulate(schedule, [0, 1, 2, 3, 4], seed=6)[:1]
    rows = standings(NAMES[:5], results, schedule).rows
    assert rows[-1].matches == 0
    assert rows[-1].rank == 5
    assert {row.interval for row in rows} == {None}


def test_separate_tables_have_no_common_interval() -> None:
    """While no match connects two groups, scores across them are not comparable and have no interval."""
    schedule = schedule_of(Boards.SINGLE, 8)
    pair = [0, 1]
    assert not set(schedule.match(0).seating) & set(schedule.match(1).seating)
    results = simulate(schedule, [0.0] * 8, seed=7)
    assert {row.interval for row in standings(NAMES[:8], [results[number] for number in pair], schedule).rows} == {None}
    assert None not in {row.interval for row in standings(NAMES[:8], results, schedule).rows}


def test_only_the_prefix_is_read() -> None:
    """Results after the first incomplete block change nothing, and are not counted."""
    schedule = schedule_of(Boards.ROTATIONS, 4, passes=4)
    results = simulate(schedule, [0, 1, 2, 3], seed=8, deals=2)
    prefix = standings(NAMES[:4], results[:8], schedule)
    assert prefix.blocks_used == 2
    assert [row.deals for row in prefix.rows] == [16] * 4
    assert text(standings(NAMES[:4], [*results[:8], *results[9:]], schedule)) == text(prefix)


def test_blocks_of_a_withdrawn_entrant_stay() -> None:
    """Matches that will not be played are passed over, and those that were played still count."""
    schedule = schedule_of(Boards.SINGLE, 5, passes=6)
    results = simulate(schedule, [0, 1, 2, 3, 4], seed=9)
    gone = {match.number for match in schedule if match.number >= 10 and 4 in match.seating}
    played = [result for result in results if result.number not in gone]
    rows = {row.entrant: row for row in standings(NAMES[:5], played, schedule, void=gone).rows}
    assert rows[4].matches == sum(4 in result.seating for result in played)
    assert rows[0].matches == sum(0 in result.seating for result in played) > rows[4].matches


def test_kept_scores_give_the_same_standings() -> None:
    """Scoring matches once and keeping the sums is the same as starting from the results."""
    schedule = schedule_of(Boards.BOARDS, 8)
    results = simulate(schedule, [0.0] * 8, seed=10, deals=2)
    kept = [score_match(result) for result in results]
    assert standings_of(NAMES[:8], kept, schedule) == standings(NAMES[:8], results, schedule)


def with_faults(results: list[MatchResult], entrant: int, *, every: int = 1) -> list[MatchResult]:
    """Return *results* with a fault of *entrant* in every deal of each *every*-th match."""
    return [
        replace(
            result,
            deals=tuple(
                replace(deal, faulted=tuple(other == entrant for other in result.seating)) for deal in result.deals
            ),
        )
        if result.number % every == 0
        else result
        for result in results
    ]


@pytest.mark.parametrize(("boards", "entrants"), [(Boards.ROTATIONS, 4), (Boards.SINGLE, 6), (Boards.BOARDS, 12)])
def test_a_fault_costs_only_its_own_bot(boards: Boards, entrants: int) -> None:
    """The others keep score and interval; the bot that faulted loses, and never outranks an equal one."""
    schedule = schedule_of(boards, entrants, passes=3)
    results = simulate(schedule, [0.0] * entrants, seed=11, deals=2)
    clean = by_entrant(standings(NAMES[:entrants], results, schedule))
    made = standings(NAMES[:entrants], with_faults(results, 2), schedule)
    found = by_entrant(made)
    assert all(found[entrant] == clean[entrant] for entrant in range(entrants) if entrant != 2)
    assert found[2][0] < clean[2][0]
    assert made.rows[-1].entrant == 2
    assert made.rows[-1].faulty_deals == made.rows[-1].deals
    assert made.rows[-1].score_clean is None


def test_with_one_table_a_faulty_score_is_the_mean_of_what_counts() -> None:
    """Score and interval of a faulting bot are those of its scores after the worst was put in."""
    schedule = schedule_of(Boards.SINGLE, 4, passes=12)
    results = with_faults(simulate(schedule, [0, 1, 2, 3], seed=12), 1, every=3)
    counted = []
    for result in results:
        scored = score_match(result)
        seat = result.seating.index(1)
        counted.append((scored.scores[seat] - scored.penalties[seat]) / 3)
    half = quantile(0.975, 11) * float(np.std(counted, ddof=1)) / 12**0.5
    score, interval = by_entrant(standings(NAMES[:4], results, schedule))[1]
    assert score == pytest.approx(float(np.mean(counted)), abs=1e-6)
    assert interval == pytest.approx(half, abs=1e-6)


def test_scores_without_faulted_blocks_are_shown_too() -> None:
    """The clean score is the estimate from the blocks in which nobody faulted."""
    schedule = schedule_of(Boards.SINGLE, 4, passes=12)
    results = simulate(schedule, [0, 1, 2, 3], seed=13)
    made = standings(NAMES[:4], with_faults(results, 1, every=3), schedule)
    assert (made.blocks_used, made.blocks_clean) == (12, 8)
    means = mean_scores([result for result in results if result.number % 3])
    for row in made.rows:
        assert row.score_clean == pytest.approx(means[row.entrant], abs=1e-6)


def test_games_to_a_target_are_ranked_by_places() -> None:
    """Placement points decide: who always wins scores two at a table of four."""
    schedule = schedule_of(Boards.SINGLE, 4, passes=6)
    results = [
        MatchResult(
            match.number,
            match.round,
            match.block,
            match.seating,
            match.board,
            (DealResult(1, (5, 5, 5, 11), (False,) * 4),) * 9,
            places=tuple(entrant + 1 for entrant in match.seating),
        )
        for match in schedule
    ]
    rows = standings(NAMES[:4], results, schedule).rows
    assert [row.entrant for row in rows] == [0, 1, 2, 3]
    assert [row.score for row in rows] == pytest.approx([2, 2 / 3, -2 / 3, -2], abs=1e-6)
    assert [row.deals for row in rows] == [54] * 4


def test_a_gap_has_the_interval_of_the_difference() -> None:
    """With one table the gap's interval is that of the mean difference of block scores."""
    schedule = schedule_of(Boards.SINGLE, 4, passes=20)
    results = simulate(schedule, [0, 0, 0, 5], seed=14)
    differences = []
    for result in results:
        scored = score_match(result)
        worth = dict(zip(scored.seating, scored.scores, strict=True))
        differences.append((worth[3] - worth[0]) / 3)
    made = standings(NAMES[:4], results, schedule)
    difference, half = gap(made, 3, 0)
    assert difference == pytest.approx(float(np.mean(differences)), abs=2e-6)
    assert half == pytest.approx(quantile(0.975, 19) * float(np.std(differences, ddof=1)) / 20**0.5, abs=1e-6)
    assert gap(made, 0, 3) == (-difference, half)


@pytest.mark.parametrize(
    ("boards", "entrants", "passes", "runs"),
    [
        (Boards.ROTATIONS, 4, 10, 150),
        (Boards.SINGLE, 4, 10, 300),
        (Boards.SINGLE, 9, 1, 80),
        (Boards.BOARDS, 8, 1, 60),
        (Boards.BOARDS, 16, 2, 40),
    ],
)
def test_intervals_cover_the_truth(boards: Boards, entrants: int, passes: int, runs: int) -> None:
    """Identical players with heavy-tailed scores: about 95 % of the intervals contain zero."""
    schedule = schedule_of(boards, entrants, passes)
    covered = total = 0
    for seed in range(runs):
        for row in standings(NAMES[:entrants], simulate(schedule, [0.0] * entrants, seed), schedule).rows:
            assert row.interval is not None
            total += 1
            covered += abs(row.score) <= row.interval
    assert 0.91 < covered / total < 0.985


def test_two_different_results_for_one_match_are_an_error() -> None:
    """Contradicting results are reported, never resolved by their order."""
    schedule = schedule_of(Boards.SINGLE, 4)
    one, other = simulate(schedule, [0.0] * 4, seed=1)[0], simulate(schedule, [0.0] * 4, seed=2)[0]
    with pytest.raises(ValueError, match="two different results"):
        standings(NAMES[:4], [one, other], schedule)


def test_the_file_is_plain_data() -> None:
    """The file holds rounded numbers and names, and survives JSON unchanged."""
    schedule = schedule_of(Boards.ROTATIONS, 4, passes=2)
    made = to_json(standings(NAMES[:4], simulate(schedule, [0, 1, 2, 3], seed=15), schedule))
    assert json.loads(json.dumps(made)) == made
    assert made["blocks"] == {"used": 2, "clean": 2, "total": 2}
    rows = made["rows"]
    assert isinstance(rows, list)
    for row in rows:
        assert round(row["score"], 6) == row["score"]
        assert str(row["score"]) != "-0.0"
