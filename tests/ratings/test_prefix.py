"""The complete prefix: schedule order, never completion order."""

from __future__ import annotations

import pytest

from arena.ratings.prefix import complete_prefix
from arena.ratings.scores import MatchScore
from arena.schedule.plan import Boards, Format, plan

SCHEDULE = plan(Format(boards=Boards.ROTATIONS, passes=3), 4)


def score(number: int, worth: int = 0) -> MatchScore:
    """Return the sums of match *number*."""
    made = SCHEDULE.match(number)
    scores = (worth, -worth, 0, 0)
    return MatchScore(number, made.block, made.seating, 1, 1, 3, scores, (0,) * 4, (0,) * 4)


def numbers(*finished: int, void: frozenset[int] = frozenset()) -> list[list[int]]:
    """Return the match numbers read when *finished* ones are there."""
    blocks = complete_prefix(map(score, finished), SCHEDULE, void)
    return [[match.number for match in block] for block in blocks]


def test_only_complete_blocks_from_the_start_count() -> None:
    """A later complete block waits for an earlier incomplete one."""
    assert numbers() == []
    assert numbers(3, 1, 0) == []
    assert numbers(3, 1, 0, 2, 5) == [[0, 1, 2, 3]]
    assert numbers(8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6) == [[0, 1, 2, 3]]
    assert numbers(*range(12)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_void_matches_are_no_obstacle() -> None:
    """A match that will never be played is not waited for; a block without any is passed over."""
    assert numbers(0, 1, 3, void=frozenset({2})) == [[0, 1, 3]]
    assert numbers(0, 1, 2, 3, 8, 9, 10, 11, void=frozenset({4, 5, 6, 7})) == [[0, 1, 2, 3], [8, 9, 10, 11]]


def test_the_same_result_twice_counts_once() -> None:
    """A result delivered twice is one result; two that differ are an error."""
    assert numbers(0, 1, 2, 3, 3) == [[0, 1, 2, 3]]
    with pytest.raises(ValueError, match="match 3 has two different results"):
        complete_prefix([score(3), score(3, 1)], SCHEDULE, frozenset())
