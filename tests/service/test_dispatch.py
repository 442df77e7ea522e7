"""The choice of matches: a simulation of whole tournaments, whatever the order in which matches end."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule.plan import Boards, Format, MatchPlan, plan
from arena.service.dispatch import Candidate, Rooms, choose, rooms_of
from arena.service.ledger import Ledger
from arena.storage.ports import (
    BotId,
    MatchState,
    Presence,
    Progress,
    Referee,
    RefereeId,
    TournamentId,
)

READY = MatchState.READY


def bot(number: int) -> BotId:
    """Return the bot of an entrant."""
    return BotId(f"b_{number}")


def candidate(entrants: int = 4, ident: str = "t_a", **options: object) -> Candidate:
    """Return a tournament with *options* of its format or its dispatch."""
    shape = {name: options.pop(name) for name in ("boards", "passes") if name in options}
    schedule = plan(Format(**shape), entrants)  # type: ignore[arg-type] # names checked above
    bots = [bot(number) for number in range(entrants)]
    return Candidate(TournamentId(ident), Ledger(schedule), bots, **options)  # type: ignore[arg-type]


def put_in_line(candidate: Candidate, numbers: set[int], done: int) -> None:
    """Tell the ledger that exactly *numbers* are in flight, and so many are done."""
    assert candidate.ledger.observe(Progress(done, 0, dict.fromkeys(numbers, READY)))


def everybody(entrants: int, tables: int = 8, capacity: int = 100) -> Rooms:
    """Return rooms in which all bots are present."""
    return Rooms({bot(number): tables for number in range(entrants)}, capacity)


@settings(max_examples=40, deadline=None)
@given(
    entrants=st.integers(4, 9),
    boards=st.sampled_from(Boards),
    passes=st.integers(1, 2),
    window=st.integers(1, 6),
    tables=st.integers(1, 4),
    capacity=st.integers(1, 12),
    concurrency=st.integers(0, 6),
    data=st.data(),
)
def test_whole_tournaments(
    entrants: int,
    boards: Boards,
    passes: int,
    window: int,
    tables: int,
    capacity: int,
    concurrency: int,
    data: st.DataObject,
) -> None:
    """Everything is played once, in order as far as possible, and never against a limit."""
    cup = candidate(entrants, boards=boards, passes=passes, window=window, concurrency=concurrency)
    schedule, rooms = cup.ledger.schedule, everybody(entrants, tables, capacity)
    in_flight: dict[int, MatchPlan] = {}
    done: set[int] = set()
    while len(done) < len(schedule):
        chosen = [key.number for key in choose([cup], rooms).ready]
        cup.ledger.line_up(chosen)
        assert chosen == sorted(chosen)
        for number in chosen:
            assert number not in done
            assert number not in in_flight
            match = schedule.match(number)
            for other in in_flight.values():
                if other.board == match.board:
                    assert not set(other.seating) & set(match.seating)
            in_flight[number] = match
        assert in_flight, "nothing is played, and nothing can be"
        assert len(in_flight) <= min(capacity, concurrency or capacity)
        seated = Counter(entrant for match in in_flight.values() for entrant in match.seating)
        assert max(seated.values()) <= tables
        incomplete = [b for b in range(schedule.blocks) if not done.issuperset(schedule.matches_of_block(b))]
        assert {match.block for match in in_flight.values()} <= set(incomplete[:window])
        ended = data.draw(st.lists(st.sampled_from(sorted(in_flight)), min_size=1, unique=True))
        for number in ended:
            del in_flight[number]
        done.update(ended)
        put_in_line(cup, set(in_flight), len(done))
    assert cup.ledger.complete
    assert cup.ledger.prefix() == len(schedule)


@pytest.mark.parametrize("boards", [Boards.ROTATIONS, Boards.BALANCED])
@pytest.mark.parametrize("passes", [6, 10, 100])
def test_replayed_boards_show_a_ranking_early(boards: Boards, passes: int) -> None:
    """The first blocks, four seatings each, are complete after four turns, and a long tournament fills its window."""
    cup = candidate(4, boards=boards, passes=passes, window=32)
    schedule, rooms = cup.ledger.schedule, everybody(4, capacity=100, tables=100)
    done: set[int] = set()
    sizes: list[int] = []
    complete: list[int] = []
    while len(done) < len(schedule):
        played = {key.number for key in choose([cup], rooms).ready}
        sizes.append(len(played))
        done |= played
        cup.ledger.load(frozenset(done))
        blocks = sum(done.issuperset(schedule.matches_of_block(block)) for block in range(schedule.blocks))
        complete.append(blocks)
    assert sizes[0] == 4
    assert complete[2:4] == [0, 4]
    assert max(sizes) == min(schedule.blocks, 32)
    assert len(sizes) <= len(schedule) / max(sizes) + 6


def test_what_is_not_replayed_begins_at_once() -> None:
    """Where each match is a block of its own, all that fits is played from the start."""
    cup = candidate(4, boards=Boards.SINGLE, passes=100, window=32)
    assert len(choose([cup], everybody(4, capacity=100, tables=100)).ready) == 32


def test_first_matches_first() -> None:
    """With room for some matches only, the first in the schedule are chosen."""
    cup = candidate(8, boards=Boards.BOARDS)
    assert [key.number for key in choose([cup], everybody(8, capacity=3)).ready] == [0, 1, 2]


def test_absent_bots_are_passed_over() -> None:
    """Matches of an absent bot wait and are told, those of others go on; an excused one holds nobody up."""
    cup = candidate(8, boards=Boards.SINGLE, window=1000)
    rooms = everybody(8, tables=1000, capacity=1000)
    del rooms.tables[bot(3)]  # type: ignore[attr-defined] # a dict, in this test
    choice = choose([cup], rooms)
    seated = {entrant for key in choice.ready for entrant in cup.ledger.schedule.match(key.number).seating}
    assert seated == {0, 1, 2, 4, 5, 6, 7}
    assert choice.absent == {cup.tournament: frozenset({bot(3)})}
    excusing = candidate(8, boards=Boards.SINGLE, window=1000, excused={bot(3)})
    choice = choose([excusing], rooms)
    assert len(choice.ready) == len(excusing.ledger.schedule)
    assert not choice.absent


def test_full_is_not_absent() -> None:
    """A bot whose sessions have no room is there all the same."""
    cup = candidate(4)
    choice = choose([cup], everybody(4, tables=0))
    assert (choice.ready, dict(choice.absent)) == ((), {})


def test_tournaments_take_turns() -> None:
    """With little room each tournament gets a match before any gets a second one; a paused one gets none."""
    cups = [candidate(4, f"t_{letter}", boards=Boards.SINGLE, passes=9, paused=letter == "c") for letter in "abc"]
    choice = choose(cups, everybody(4, tables=5, capacity=4))
    assert Counter(key.tournament for key in choice.ready) == {"t_a": 2, "t_b": 2}


def test_bots_share_their_room_between_tournaments() -> None:
    """A bot in two tournaments gets no more tables than it has room for in all, running ones counted."""
    first, second = candidate(4, "t_a", boards=Boards.SINGLE, passes=9), candidate(4, "t_b", boards=Boards.SINGLE)
    first.ledger.line_up((0, 1, 2))
    assert len(choose([first, second], everybody(4, tables=4)).ready) == 1
    assert len(choose([first, second], everybody(4, tables=3)).ready) == 0


def test_parked_matches_hold_no_room() -> None:
    """A parked match takes no table and no board."""
    cup = candidate(4, boards=Boards.ROTATIONS)
    assert cup.ledger.observe(Progress(0, 0, {0: MatchState.PARKED}, (0,)))
    assert [key.number for key in choose([cup], everybody(4, tables=1)).ready] == [1]


def test_rooms() -> None:
    """Room is at live referees that take tables; an instance that visits another has its room once."""
    referees = [Referee(RefereeId("r_a"), "a:1", 10), Referee(RefereeId("r_b"), "b:1", 5, draining=True)]
    referees.append(Referee(RefereeId("r_c"), "c:1", 2))
    presences = [
        Presence(bot(0), RefereeId("r_a"), "1", 4),
        Presence(bot(0), RefereeId("r_a"), "2", 4),
        Presence(bot(0), RefereeId("r_c"), "2", 4, visiting=True),
        Presence(bot(1), RefereeId("r_b"), "", 8),
        Presence(bot(3), RefereeId("r_gone"), "", 8),
    ]
    rooms = rooms_of(referees, presences)
    assert (rooms.tables, rooms.capacity) == ({bot(0): 8}, 12)


def test_a_ledger_asks_when_counts_differ() -> None:
    """A count that does not follow from what was seen makes the ledger ask for all numbers."""
    ledger = Ledger(plan(Format(boards=Boards.SINGLE, passes=9), 4))
    assert not ledger.observe(Progress(3, 48, {5: READY}))
    ledger.load(frozenset({0, 1, 7}))
    assert ledger.prefix() == 2
    assert ledger.count(READY) == 1
    assert ledger.observe(Progress(4, 64))
    assert ledger.done == {0, 1, 5, 7}
    assert [list(block) for block in ledger.open_blocks(2)] == [[2], [3]]
