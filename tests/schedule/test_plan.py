"""Schedules: numbering, blocks, boards and balance."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule.fields import has_field
from arena.schedule.plan import Boards, Format, PlanError, Schedule, check, check_worth, plan
from arena.schedule.seatings import boards_of


def schedule(boards: Boards, *, entrants: int = 4, players: int = 4, passes: int = 1) -> Schedule:
    """Return a round robin."""
    return plan(Format(kind="round_robin", players=players, boards=boards, passes=passes), entrants)


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    """Draw any small round robin."""
    players = draw(st.integers(3, 11))
    return schedule(
        draw(st.sampled_from(Boards)),
        entrants=draw(st.integers(players, max(10, players + 2))),
        players=players,
        passes=draw(st.integers(1, 3)),
    )


@settings(deadline=None, max_examples=60)
@given(schedules())
def test_numbers_and_blocks_agree(made: Schedule) -> None:
    """Matches are numbered in order, blocks are contiguous runs of them, and both ways to ask agree."""
    matches = list(made)
    assert [match.number for match in matches] == list(range(len(made)))
    assert matches == [made.match(number) for number in range(len(made))]
    by_block = defaultdict(list)
    by_unit = defaultdict(list)
    for match in matches:
        by_block[match.block].append(match.number)
        by_unit[match.unit].append(match.number)
        assert match.first_deal == 1
        assert len(set(match.seating)) == made.format.players
        assert all(0 <= entrant < made.entrants for entrant in match.seating)
    assert sorted(by_block) == list(range(made.blocks))
    assert all(list(made.matches_of_block(block)) == numbers for block, numbers in by_block.items())
    assert all(list(made.matches_of_unit(unit)) == numbers for unit, numbers in by_unit.items())
    assert [match.round for match in matches] == sorted(match.round for match in matches)
    assert matches[-1].round == made.rounds - 1


@settings(deadline=None, max_examples=60)
@given(schedules())
def test_a_board_belongs_to_one_block(made: Schedule) -> None:
    """Matches play the same board exactly when they are in the same block; the key is plain text without bars."""
    boards = defaultdict(set)
    for match in made:
        boards[match.board].add(match.block)
        assert match.board.isascii()
        assert match.board.isalnum()
    assert len(boards) == made.blocks
    assert all(len(blocks) == 1 for blocks in boards.values())


@pytest.mark.parametrize("players", range(3, 12))
@pytest.mark.parametrize("boards", [Boards.ROTATIONS, Boards.BALANCED])
def test_replayed_boards_give_everybody_every_hand(boards: Boards, players: int) -> None:
    """In each block every entrant of the table holds every seat exactly once."""
    made = schedule(boards, entrants=players + 1, players=players)
    for block in range(made.blocks):
        matches = [made.match(number) for number in made.matches_of_block(block)]
        assert len(matches) == players
        held = {(entrant, seat) for match in matches for seat, entrant in enumerate(match.seating)}
        assert len(held) == players * players
        assert len({frozenset(match.seating) for match in matches}) == 1


@pytest.mark.parametrize("players", [size for size in range(3, 12) if has_field(size)])
def test_a_balanced_unit_balances_pairs_of_seats(players: int) -> None:
    """Over a unit every ordered pair of its entrants sits in every ordered pair of seats equally often."""
    made = schedule(Boards.BALANCED, entrants=players + 1, players=players)
    found: dict[int, Counter[tuple[int, int, int, int]]] = defaultdict(Counter)
    blocks = defaultdict(set)
    for match in made:
        blocks[match.unit].add(match.block)
        for i, j in permutations(range(players), 2):
            found[match.unit][match.seating[i], match.seating[j], i, j] += 1
    assert all(len(numbers) == players - 1 for numbers in blocks.values())
    for counts in found.values():
        assert len(counts) == (players * (players - 1)) ** 2
        assert set(counts.values()) == {1}


@pytest.mark.parametrize(("players", "boards"), [(6, 10), (10, 9)])
def test_a_balanced_unit_without_a_field_balances_left_neighbours(players: int, boards: int) -> None:
    """For 6 and 10 players a unit is ten and nine blocks, with left neighbours equally often."""
    made = schedule(Boards.BALANCED, entrants=players, players=players)
    assert made.blocks == boards
    assert made.describe().left.low == made.describe().left.high == len(made) // (players - 1)


@pytest.mark.parametrize("players", range(3, 12))
def test_rotations_become_balanced_over_passes(players: int) -> None:
    """As many passes as there are sets of seatings make `rotations` play the seatings of `balanced`."""
    passes = len(boards_of(players))
    rotations = schedule(Boards.ROTATIONS, entrants=players, players=players, passes=passes)
    balanced = schedule(Boards.BALANCED, entrants=players, players=players)
    assert [match.seating for match in rotations] == [match.seating for match in balanced]


@pytest.mark.parametrize("entrants", [8, 12, 17])
def test_shared_boards_are_seen_once(entrants: int) -> None:
    """With `boards` the tables of a round share a board, and no entrant sees a board twice."""
    made = schedule(Boards.BOARDS, entrants=entrants, passes=2)
    seen: set[tuple[str, int]] = set()
    for match in made:
        assert match.block == match.round
        for entrant in match.seating:
            assert (match.board, entrant) not in seen
            seen.add((match.board, entrant))


@pytest.mark.parametrize(("entrants", "players"), [(4, 4), (6, 4), (8, 4), (6, 3), (7, 6), (9, 8)])
def test_seats_are_even_over_as_many_passes_as_seats(entrants: int, players: int) -> None:
    """Where all tables are played, n passes of single games put everybody into every seat equally often."""
    balance = schedule(Boards.SINGLE, entrants=entrants, players=players, passes=players).describe()
    assert balance.seats.low == balance.seats.high


@pytest.mark.parametrize(("entrants", "players"), [(12, 4), (20, 4), (13, 5), (16, 6)])
def test_selections_even_out_over_passes(entrants: int, players: int) -> None:
    """Where tables are selected, as many passes as entrants make seats equal and meetings nearly so."""
    balance = schedule(Boards.BOARDS, entrants=entrants, players=players, passes=entrants).describe()
    assert balance.seats.low == balance.seats.high
    assert balance.meetings.high <= 2 * balance.meetings.low
    one = schedule(Boards.BOARDS, entrants=entrants, players=players).describe()
    assert one.seats.high - one.seats.low <= 2


@pytest.mark.parametrize("boards", Boards)
@pytest.mark.parametrize(("entrants", "players", "passes"), [(4, 4, 29), (5, 3, 20), (10, 4, 150), (12, 6, 3)])
def test_the_described_balance_is_that_of_all_matches(boards: Boards, entrants: int, players: int, passes: int) -> None:
    """The figures, counted over one period of the pattern, are those of the schedule played out."""
    made = schedule(boards, entrants=entrants, players=players, passes=passes)
    seats: Counter[tuple[int, int]] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    left: Counter[tuple[int, int]] = Counter()
    for match in made:
        for seat, entrant in enumerate(match.seating):
            seats[entrant, seat] += 1
            left[entrant, match.seating[(seat + 1) % players]] += 1
        met.update(permutations(match.seating, 2))
    pairs = list(permutations(range(entrants), 2))
    balance = made.describe()
    assert balance.matches == len(made)
    assert (balance.seats.low, balance.seats.high) == _ends(
        [seats[e, s] for e in range(entrants) for s in range(players)]
    )
    assert (balance.meetings.low, balance.meetings.high) == _ends([met[pair] for pair in pairs])
    assert (balance.left.low, balance.left.high) == _ends([left[pair] for pair in pairs])


def _ends(counts: list[int]) -> tuple[int, int]:
    return min(counts), max(counts)


def test_the_description_reads_as_sentences() -> None:
    """The figures can be printed for an organiser."""
    assert schedule(Boards.BALANCED).describe().lines() == (
        "12 matches in 3 blocks and 1 rounds, 4 entrants",
        "each entrant plays 12 matches, and has each seat in 3 of them",
        "two entrants meet in 12 matches, one as the other's left neighbour in 4",
    )


def test_a_huge_schedule_is_computed_not_held() -> None:
    """Any match of billions can be asked for at once."""
    made = schedule(Boards.BALANCED, entrants=16, passes=10_000_000)
    assert len(made) == 20 * 12 * 10_000_000
    last = made.match(len(made) - 1)
    assert last.block == made.blocks - 1
    assert last.number in made.matches_of_block(last.block)


def test_schedules_never_change() -> None:
    """Two processes, and two versions, number the same matches: resuming rests on it."""
    digest = hashlib.sha256()
    for boards in Boards:
        for entrants in (4, 6, 9, 16):
            for match in schedule(boards, entrants=entrants, passes=2):
                digest.update(repr(match).encode())
    assert digest.hexdigest() == "308a12cce11f767024f5f08b22f196fb0290d699b227f219cc952edf4508f92c"


@pytest.mark.parametrize(
    ("wanted", "entrants", "option"),
    [
        (Format("swiss", 4, Boards.SINGLE, 1), 4, "kind"),
        (Format("round_robin", 2, Boards.SINGLE, 1), 4, "players"),
        (Format("round_robin", 4, Boards.SINGLE, 0), 4, "passes"),
        (Format("round_robin", 4, Boards.SINGLE, 1), 3, "entrants"),
    ],
)
def test_impossible_formats_are_refused(wanted: Format, entrants: int, option: str) -> None:
    """A format that cannot be scheduled names the option to change."""
    with pytest.raises(PlanError) as caught:
        plan(wanted, entrants)
    assert caught.value.option == option
    assert str(caught.value).startswith(f"{option} = ")


@pytest.mark.parametrize("boards", [boards for boards in Boards if boards is not Boards.SINGLE])
def test_games_to_a_target_have_no_boards(boards: Boards) -> None:
    """With a target only `single` is possible, and the refusal says what to do."""
    with pytest.raises(PlanError, match="choose boards = single, or a fixed number of deals"):
        check(Format(boards=boards), 4, target=100)
    check(Format(boards=Boards.SINGLE), 4, target=100)


def test_there_is_no_match_beyond_the_last() -> None:
    """Numbers outside the schedule are errors, not other matches."""
    made = schedule(Boards.ROTATIONS)
    for number in (-1, len(made)):
        with pytest.raises(IndexError):
            made.match(number)
    for block in (-1, made.blocks):
        with pytest.raises(IndexError):
            made.matches_of_block(block)


@pytest.mark.parametrize("players", range(3, 12))
def test_boards_need_two_tables_a_round(players: int) -> None:
    """What one table a round would make meaningless is refused with the ways out, at every table size."""
    wanted = Format(players=players, boards=Boards.BOARDS)
    check_worth(wanted, 2 * players)
    with pytest.raises(PlanError, match="choose rotations, balanced or single, or enter 1 more") as refusal:
        check_worth(wanted, 2 * players - 1)
    assert refusal.value.option == "boards"
    for boards in set(Boards) - {Boards.BOARDS}:
        check_worth(Format(players=players, boards=boards), players)
