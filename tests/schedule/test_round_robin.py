"""Tables and rounds of one pass: complete where few, balanced where selected."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from arena.schedule.round_robin import ALL_TABLES, Round, mixed, rounds_of, selected_rounds

SIZES = [(entrants, players) for players in range(3, 9) for entrants in range(max(4, players), 21)]
SIZES += [
    (entrants, players) for players in (9, 10, 11) for entrants in (players, players + 1, players + 3, 2 * players)
]
QUICK = {5, 7, 8, 9, 12, 16}
MARKED = [size if size[0] in QUICK else pytest.param(*size, marks=pytest.mark.full) for size in SIZES]


def games_of(rounds: tuple[Round, ...]) -> Counter[int]:
    """Return how many tables each entrant sits at."""
    return Counter(entrant for tables in rounds for table in tables for entrant in table)


def meetings_of(rounds: tuple[Round, ...], entrants: int) -> list[int]:
    """Return how often each pair of entrants shares a table."""
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(table, 2))
    return [met[pair] for pair in combinations(range(entrants), 2)]


@pytest.mark.parametrize(("entrants", "players"), MARKED)
def test_rounds_are_fair(entrants: int, players: int) -> None:
    """Everybody sits at most once a round and plays equally often; pairs meet about equally often."""
    rounds = rounds_of(entrants, players)
    for tables in rounds:
        seated = [entrant for table in tables for entrant in table]
        assert len(seated) == len(set(seated))
        assert all(len(set(table)) == players and table == tuple(sorted(table)) for table in tables)
    games = games_of(rounds)
    assert len(games) == entrants
    assert len(set(games.values())) == 1
    meetings = meetings_of(rounds, entrants)
    mean = sum(meetings) / len(meetings)
    assert mean >= 1
    assert mean - 2.9 < min(meetings)
    assert max(meetings) < mean + 2.9


@pytest.mark.parametrize(("entrants", "players"), [size for size in SIZES if comb(*size) <= ALL_TABLES])
def test_few_tables_are_all_played(entrants: int, players: int) -> None:
    """When there are at most seventy possible tables, each is played exactly once."""
    tables = [table for tables in rounds_of(entrants, players) for table in tables]
    assert sorted(tables) == list(combinations(range(entrants), players))


@pytest.mark.parametrize(("entrants", "players"), [(9, 4), (12, 4), (16, 4), (15, 8), (13, 6), (19, 7)])
def test_selections_are_full_rounds(entrants: int, players: int) -> None:
    """A selection leaves no table empty that could be filled, and nobody falls behind for long."""
    rounds = rounds_of(entrants, players)
    assert len(rounds) == selected_rounds(entrants, players)
    games = Counter(dict.fromkeys(range(entrants), 0))
    for tables in rounds:
        assert len(tables) == entrants // players
        games.update(entrant for table in tables for entrant in table)
        assert max(games.values()) - min(games.values()) <= 4


def test_eight_entrants_play_two_tables_a_round() -> None:
    """All seventy tables of eight fit into 35 full rounds."""
    assert [len(tables) for tables in rounds_of(8, 4)] == [2] * 35


def test_sixteen_entrants_meet_exactly_once() -> None:
    """Five rounds of four tables let each of 120 pairs meet once."""
    assert set(meetings_of(rounds_of(16, 4), 16)) == {1}


def test_a_large_field_is_quick() -> None:
    """A hundred entrants get a selection whose pairs meet about once."""
    meetings = meetings_of(rounds_of(100, 4), 100)
    assert max(meetings) <= 3
    assert Counter(meetings)[1] > 0.5 * len(meetings)


def test_too_few_entrants() -> None:
    """A table that cannot be filled is refused with the numbers."""
    with pytest.raises(ValueError, match="a table of 4 needs at least 4 entrants, not 3"):
        rounds_of(3, 4)


def test_mixed_is_fixed() -> None:
    """The tie-breaking numbers never change, or schedules would."""
    assert [mixed(), mixed(0), mixed(1, 2), mixed(2, 1)] == [0x9E3779B9, 0xF41463D8, 0x46A2A80B, 0x15E0C14F]
    assert all(0 <= mixed(number) < 1 << 32 for number in range(1000))
