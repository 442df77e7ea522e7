"""Warming up, leaving, losing the connection and coming back, in every state of a seat."""

from __future__ import annotations

import pytest

from referee.host import attendance
from referee.host.hall import HallConfig
from referee.host.ports import Clock, MatchOrder, Source
from referee.host.seat import AWAY, IDLE, OPENING, QUEUED, SENT, Seat
from tests.host.world import Bot, Decision, World, assert_record, at_random, order_of, sources_of, two_deals

CLOCK = Clock(decision=1.0, bank=2.0, network=0.1, ready=5.0, reconnect_grace=10.0)


def mute(_: Decision) -> None:
    """Never answer."""


async def asked_world(**fields: object) -> tuple[World, MatchOrder, list[Bot], list[Seat]]:
    """Return a world in which everybody has been asked what to pass, and nobody has answered."""
    world, order = World(), order_of(**({"clock": CLOCK} | fields))  # type: ignore[arg-type]
    bots = await world.table(order, mute)
    await world.settle()
    seats = world.hall._matches[order.match].seats
    for bot in bots:
        bot.strategy = at_random
        bot.declined.clear()
    return world, order, bots, seats


async def finished(world: World, order: MatchOrder) -> None:
    """Let the match end, and check that nothing of it is left behind."""
    await world.settle()
    assert_record(order, world.sink.outcomes[order.match])
    for bot in world.bots:
        assert bot.session.open == 0
        assert bot.session.seats == {}
        assert not bot.session.outbox or bot.session.gone
    assert not world.hall._unserved


async def test_back_in_time_with_an_open_decision() -> None:
    """A bot that comes back within its grace is told the deal again, with the same decision, at nobody's cost."""
    world, order, bots, seats = await asked_world()
    number = seats[0].number
    bots[0].drop()
    assert (seats[0].state, seats[0].session) == (AWAY, None)
    world.pass_time(6.0)
    again = await world.connect("b0")
    again.listen()
    assert again.opened == [(seats[0].handle, True)]
    assert again.snapshots == 1
    assert again.open[seats[0].handle].number == number
    assert seats[0].grace == pytest.approx(4.0, abs=0.05)
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults[0] == {}


async def test_the_clock_of_a_decision_goes_on_after_a_reconnect() -> None:
    """Going away and coming back gives no new time: what a decision has used stays used."""
    world, _, bots, seats = await asked_world()
    seat, bot = seats[0], bots[0]
    for _ in range(40):
        if seat.faults:
            break
        world.pass_time(0.3)
        bot.drop()
        bot = await world.connect("b0", mute)
        bot.listen()
    assert seat.bank == 0.0
    assert seat.faults == {"timeout": 1}
    assert seat.grace == 10.0


async def test_a_whole_decision_after_an_interrupted_one() -> None:
    """The decision after the interrupted one has its whole time again, and is asked on the quick way."""
    world, order, bots, seats = await asked_world()
    world.pass_time(0.5)
    bots[0].drop()
    again = await world.connect("b0")
    again.listen()
    assert seats[0].limit == pytest.approx(0.6, abs=0.03)
    assert 0 < seats[0].time_millis <= 520
    assert not seats[0].plain
    for bot in (again, *bots[1:]):
        bot.answer()
        bot.listen()
    await world.settle()
    assert (seats[0].limit, seats[0].time_millis, seats[0].plain) == (1.1, 1000, True)
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_grace_runs_out() -> None:
    """A bot that stays away is substituted when its grace is over, at once from then on, and at last on autopilot."""
    world, order, bots, seats = await asked_world()
    bots[0].drop()
    for bot in bots[1:]:
        bot.answer()
    world.pass_time(9.9)
    assert seats[0].faults == {}
    world.pass_time(0.2)
    assert seats[0].faults == {"disconnect": 1}
    for _ in range(10):
        await world.settle()
        world.pass_time(0.1)
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    assert outcome.faults == ({"disconnect": 5}, {}, {}, {})
    assert sources_of(outcome) == {"bot", "disconnect", "autopilot"}


async def test_gone_while_nothing_is_asked() -> None:
    """A bot that goes and comes back while others think has lost nothing, its grace included."""
    world, order, bots, seats = await asked_world()
    bots[0].answer()
    assert seats[0].state == IDLE
    bots[0].drop()
    world.pass_time(0.5)
    again = await world.connect("b0")
    again.listen()
    assert again.opened == [(seats[0].handle, True)]
    assert again.snapshots == 1
    assert not again.open
    assert seats[0].grace == 10.0
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_asked_while_away() -> None:
    """A decision that falls due while its bot is away waits for it, and is sent when it is back."""
    world, order, bots, seats = await asked_world()
    bots[0].answer()
    bots[0].drop()
    for bot in bots[1:]:
        bot.answer()
    await world.settle()
    assert seats[0].state == AWAY
    assert seats[0].number == 2
    world.pass_time(3.0)
    again = await world.connect("b0")
    await finished(world, order)
    assert again.snapshots == 1
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_gone_with_a_queued_decision() -> None:
    """A decision that has not left us yet survives the stream, with its whole time."""
    world, order, bots, seats = await asked_world()
    for bot in bots:
        bot.answer()
    queued = [seat for seat in seats if seat.state == QUEUED]
    assert len(queued) == 1
    bot = bots[queued[0].position]
    bot.drop()
    assert queued[0].state == AWAY
    again = await world.connect(queued[0].order.bot)
    again.listen()
    assert queued[0].state == SENT
    assert queued[0].limit == 1.1
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_gone_while_warming_up() -> None:
    """A bot that goes before it is ready finds its seat still to be opened, and the time for it still running."""
    world, order = World(), order_of(clock=CLOCK)
    bots = await world.table(order)
    seats = world.hall._matches[order.match].seats
    bots[0].listen()
    bots[0].drop()
    assert seats[0].state == OPENING
    world.pass_time(4.0)
    again = await world.connect("b0")
    again.listen()
    assert again.opened == [(seats[0].handle, True)]
    assert again.snapshots == 0
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_back_after_ready_but_before_the_first_deal() -> None:
    """A bot that was ready stays so, although its new process says it again."""
    world, order = World(), order_of(clock=CLOCK)
    bots = await world.table(order)
    seats = world.hall._matches[order.match].seats
    bots[0].listen()
    bots[0].get_ready()
    bots[0].drop()
    assert seats[0].state == IDLE
    await world.connect("b0")
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_gone_for_good_and_the_match_ends_without_it() -> None:
    """A bot that comes back after the match finds no seat of it."""
    world, order, bots, _ = await asked_world()
    bots[3].drop()
    for _ in range(140):
        await world.settle()
        world.pass_time(0.2)
    assert order.match in world.sink.outcomes
    again = await world.connect("b3")
    again.listen()
    assert again.opened == []
    assert again.closed == []


async def test_not_ready_in_time() -> None:
    """A bot that is never ready is substituted for the whole match, which begins without it."""
    world, order = World(), order_of(clock=CLOCK)
    bots = await world.table(order)
    for bot in bots[1:]:
        bot.turn()
    world.pass_time(4.9)
    assert not world.hall._matches[order.match].begun
    world.pass_time(0.2)
    await finished(world, order)
    outcome = world.sink.outcomes[order.match]
    assert outcome.faults == ({"timeout": 1}, {}, {}, {})
    assert sources_of(outcome) == {"bot", "autopilot"}
    assert [note.code for note in bots[0].notes] == ["TIMEOUT", "AUTOPILOT"]
    assert [closing.faults for closing in bots[0].closed] == [1]


async def test_never_connected() -> None:
    """A bot that was expected and never comes is at fault as disconnected."""
    world, order = World(), order_of(clock=CLOCK)
    for name in ("b1", "b2", "b3"):
        await world.connect(name)
    world.hall.host(order)
    await world.settle()
    world.pass_time(5.1)
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({"disconnect": 1}, {}, {}, {})


async def test_coming_while_a_seat_waits() -> None:
    """A bot that comes after its seat was opened for nobody is given it as new."""
    world, order = World(), order_of(clock=CLOCK)
    for name in ("b1", "b2", "b3"):
        await world.connect(name)
    world.hall.host(order)
    await world.settle()
    late = await world.connect("b0")
    late.listen()
    assert [again for _, again in late.opened] == [False]
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({},) * 4


@pytest.mark.parametrize("moment", ["opening", "idle", "queued", "sent"])
async def test_leaving(moment: str) -> None:
    """A seat given up at any moment is played by substitutes to the end, at the cost of one fault."""
    world, order = World(), order_of(clock=CLOCK)
    bots = await world.table(order, mute)
    seats = world.hall._matches[order.match].seats
    for bot in bots:
        bot.listen()
        if moment != "opening":
            bot.get_ready()
    if moment in ("idle", "sent"):
        bots[0].listen()
    bots[0].strategy = at_random
    if moment == "idle":
        bots[0].answer()
    assert seats[0].state == {"opening": OPENING, "idle": IDLE, "queued": QUEUED, "sent": SENT}[moment]
    attendance.leave(seats[0])
    attendance.leave(seats[0])
    for bot in bots:
        bot.strategy = at_random
    await finished(world, order)
    outcome = world.sink.outcomes[order.match]
    assert outcome.faults == ({"disconnect": 1}, {}, {}, {})
    assert [note.code for note in bots[0].notes] == ["DISCONNECT", "AUTOPILOT"]
    assert all(row == (True, False, False, False) for row in outcome.faulted)
    assert "disconnect" not in sources_of(outcome)


async def test_everybody_leaves() -> None:
    """A match that all bots give up is played out by substitutes."""
    world, order, bots, seats = await asked_world()
    for seat in seats:
        attendance.leave(seat)
    await finished(world, order)
    outcome = world.sink.outcomes[order.match]
    assert outcome.faults == ({"disconnect": 1},) * 4
    assert all(len(bot.closed) == 1 for bot in bots)
    assert world.hall.tally.decisions[Source.BOT] == 0


async def test_on_autopilot_and_back() -> None:
    """A bot that comes back to a seat on autopilot is told of it, and never asked."""
    world, order, bots, seats = await asked_world(fault_limit=1)
    bots[0].drop()
    world.pass_time(10.1)
    assert seats[0].autopilot
    again = await world.connect("b0")
    again.listen()
    assert again.opened == [(seats[0].handle, True)]
    assert again.snapshots == 1
    assert not again.open
    await finished(world, order)
    assert len(again.closed) == 1
    assert [update[1] for update in again.updates] == [0] * len(again.updates)


async def test_no_grace_at_all() -> None:
    """Without a grace a lost stream costs the decision that was open, and nothing while none is."""
    clock = Clock(decision=1.0, bank=2.0, reconnect_grace=0.0)
    world, order, bots, seats = await asked_world(clock=clock)
    bots[0].drop()
    world.pass_time(0.1)
    assert seats[0].faults == {"disconnect": 1}
    await world.connect("b0")
    await finished(world, order)
    assert world.sink.outcomes[order.match].faults == ({"disconnect": 1}, {}, {}, {})


async def test_a_snapshot_in_mid_play_tells_the_deal_from_its_start() -> None:
    """After a reconnect the update holds every play of the deal, the hand as dealt and the cards passed."""
    world, order, bots, seats = await asked_world()
    for _ in range(60):
        bot = next((bot for bot in bots if bot.open), None)
        if bot is None:
            break
        if len(seats[0].match.table.log) > 30 and bot is bots[0]:
            break
        bot.answer()
        for each in bots:
            each.listen()
    table = seats[0].match.table
    assert table.turn == 0
    bots[0].drop()
    again = await world.connect("b0")
    again.listen()
    (update,) = again.updates
    plays = [entry for entry in table.log[table.play_start :] if isinstance(entry, int)]
    assert list(update[3]) == plays
    assert [type(seen).__name__ for seen in update[4]] == ["Snapshot", "SeatDealStarted", "PassReceived", "PlayBegan"]
    await finished(world, order)


async def test_in_the_last_deal_and_between_matches() -> None:
    """A bot may lose its stream between two matches, and plays the second with a new one."""
    world = World(HallConfig())
    first, second = order_of(two_deals(deals=1), "x"), order_of(two_deals(deals=1), "y")
    bots = await world.table(first)
    await world.settle()
    bots[0].drop()
    world.hall.host(second)
    again = await world.connect("b0")
    await finished(world, second)
    assert [len(bot.closed) for bot in (bots[0], again)] == [1, 1]
