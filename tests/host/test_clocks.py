"""Deadlines under a fake monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.host.clocks import GAP, PATIENCE, TICK, Deadlines, FairClock
from tests.host.world import FakeClock


@dataclass
class Stream:
    """What the deadlines look at of a session."""

    frames: int = 0


@dataclass
class Place:
    """What the deadlines look at of a seat."""

    session: Stream | None = field(default_factory=Stream)
    number: int = 1
    deadline: float = inf
    entry: float = inf
    waits: bool = False


class Desk:
    """Deadlines with a fake clock, and who was late when."""

    def __init__(self) -> None:
        self.time = FakeClock()
        self.clock = FairClock(self.time)
        self.late: list[Place] = []
        self.deadlines = Deadlines(self.clock, self._expire)  # type: ignore[arg-type]
        self.deadlines.tick()

    def _expire(self, place: Place) -> None:  # the substitute of a Seat
        place.waits = False
        self.late.append(place)

    def ask(self, place: Place, seconds: float) -> None:
        """Start the clock of a decision, as `Session.take` does."""
        place.waits, place.deadline = True, self.clock.now() + seconds
        if place.deadline < place.entry:
            self.deadlines.watch(place)  # type: ignore[arg-type]

    def tick(self, times: int = 1) -> None:
        """Look so many times, punctually."""
        for _ in range(times):
            self.time.seconds += TICK
            self.deadlines.tick()

    def stall(self, seconds: float) -> float:
        """Look once, so many seconds late."""
        self.time.seconds += TICK + seconds
        return self.deadlines.tick()


def test_a_silent_seat_is_late_after_a_second_look() -> None:
    """A deadline that has passed makes a suspect, and the next look makes it late."""
    desk, place = Desk(), Place()
    desk.ask(place, 0.1)
    desk.tick(5)
    assert desk.late == []
    desk.tick(2)
    assert desk.late == [place]
    desk.tick(200)
    assert desk.late == [place]


def test_an_answer_between_the_two_looks_is_in_time() -> None:
    """A suspect that answers before the second look is not late, even when it is asked anew at once."""
    desk, place = Desk(), Place()
    desk.ask(place, 0.1)
    desk.tick(5)
    place.number += 1
    desk.ask(place, 10.0)
    desk.tick(100)
    assert desk.late == []
    desk.tick(500)
    assert desk.late == [place]


def test_a_seat_that_was_answered_never_fires() -> None:
    """A deadline of a decision that was answered passes without a consequence."""
    desk, place = Desk(), Place()
    desk.ask(place, 0.1)
    place.waits = False
    desk.tick(100)
    assert desk.late == []
    assert place.entry == inf


def test_a_stall_of_ours_extends_all_deadlines() -> None:
    """A second that our loop was stopped is not counted, wherever in the decision it falls."""
    desk, place = Desk(), Place()
    desk.ask(place, 0.1)
    assert desk.stall(1.0) == pytest.approx(1.0)
    desk.tick(2)
    assert desk.late == []
    desk.tick(4)
    assert desk.late == [place]


def test_time_stands_still_in_a_stall() -> None:
    """An answer that comes in after a stall, but before the next look, is not charged for the stall."""
    desk = Desk()
    before = desk.clock.now()
    desk.time.seconds += 5.0
    assert desk.clock.now() - before <= TICK + GAP + 1e-9


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_fair_time_never_goes_back_nor_faster_than_real_time(steps: list[float], rng: Random) -> None:
    """Whatever the pauses and the looks, the fair clock grows, and no more than the real one."""
    desk = Desk()
    real, fair = desk.time.seconds, desk.clock.now()
    for step in steps:
        desk.time.seconds += step
        now = desk.clock.now()
        assert fair <= now <= fair + (desk.time.seconds - real) + 1e-6
        if rng.random() < 0.5:
            desk.deadlines.tick()
            assert now <= desk.clock.now() + 1e-9
            now = desk.clock.now()
        real, fair = desk.time.seconds, now


def test_a_busy_stream_is_looked_at_again_but_not_for_ever() -> None:
    """A suspect whose stream delivers frames is given more looks, at most `PATIENCE` of them."""
    desk, place = Desk(), Place()
    assert place.session is not None
    desk.ask(place, 0.1)
    desk.tick(5)
    for _ in range(PATIENCE):
        place.session.frames += 1
        desk.tick()
        assert desk.late == []
    place.session.frames += 1
    desk.tick(2)
    assert desk.late == [place]


def test_a_seat_has_one_entry_for_all_its_decisions() -> None:
    """A thousand decisions answered in time leave one entry in the heap."""
    desk, place = Desk(), Place()
    for _ in range(1000):
        desk.ask(place, 22.0)
        desk.tick()
        place.waits = False
        place.number += 1
    assert len(desk.deadlines._heap) <= 1


def test_a_shorter_deadline_overtakes_the_entry() -> None:
    """A seat asked with less time than its entry allows is looked at by the earlier time, once."""
    desk, place = Desk(), Place()
    desk.ask(place, 30.0)
    place.waits = False
    place.number += 1
    desk.ask(place, 0.1)
    desk.tick(7)
    assert desk.late == [place]
    desk.tick(2000)
    assert desk.late == [place]


def test_a_seat_without_a_session_is_late_too() -> None:
    """A seat whose bot is away is late when its grace is over."""
    desk, place = Desk(), Place(session=None)
    desk.ask(place, 0.1)
    desk.tick(7)
    assert desk.late == [place]


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0.01, 0.5), st.integers(0, 8)), max_size=60))
def test_nobody_is_late_before_its_deadline_and_everybody_is_soon_after(
    moves: list[tuple[int, float, int]],
) -> None:
    """Random decisions, answers and looks: a seat is late once, never early, and within three looks."""
    desk, places = Desk(), [Place() for _ in range(4)]
    for which, seconds, looks in moves:
        place = places[which]
        if place.waits:
            place.waits = False
        else:
            place.number += 1
            desk.ask(place, seconds)
        for _ in range(looks):
            late = len(desk.late)
            desk.tick()
            assert all(each.deadline <= desk.clock.now() for each in desk.late[late:])
    desk.tick(30)
    assert not any(place.waits for place in places)
