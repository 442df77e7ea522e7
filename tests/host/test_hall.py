"""The hall: who is seated where, what is flushed when, and how it empties."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from referee.host.hall import NO_SEAT, HallConfig, HallFull, SessionRefused
from referee.host.ports import Source
from referee.rules.presets import resolve
from tests.host.world import Bot, World, assert_record, at_random, order_of, two_deals


async def test_a_seat_waits_for_room() -> None:
    """A bot at its limit is given the next seat when a match of its is over."""
    world = World()
    bot = await world.connect("b0", max_tables=1)
    first, second = order_of(match="x"), order_of(match="y")
    await world.table(first)
    world.hall.host(second)
    bot.listen()
    assert [note.code for note in bot.notes] == [NO_SEAT]
    assert len(bot.opened) == 1
    await world.settle()
    assert [again for _, again in bot.opened] == [False, False]
    assert set(world.sink.outcomes) == {"x", "y"}
    assert world.hall._unserved == {}


async def test_decisions_beyond_the_limit_wait_uncharged() -> None:
    """A bot that wants one decision at a time is sent one; the others wait with us and no clock runs for them."""
    world = World()
    serial = await world.connect("b0", lambda decision: None, max_open=1, max_tables=5)
    orders = [order_of(match=f"m{number}") for number in range(5)]
    for order in orders:
        await world.table(order)
    await world.settle()
    assert len(serial.open) == 1
    assert serial.session.open == 1
    served = 0
    serial.strategy = at_random
    while serial.open:
        world.pass_time(1.5)
        assert len(serial.open) == 1
        serial.declined.clear()
        serial.answer()
        served += 1
        await asyncio.sleep(0)
        serial.listen()
    assert served >= 5
    await world.settle()
    for order in orders:
        assert world.sink.outcomes[order.match].faults[0] == {}


async def test_a_waiting_decision_wakes_the_writer_when_there_is_room() -> None:
    """The stream's writer is woken for the next decision after an answer made room, not only by the heartbeat."""
    world = World()
    serial = await world.connect("b0", max_open=1, max_tables=2)
    others = [order_of(match="x"), order_of(match="y")]
    for order in others:
        await world.table(order)
    for bot in world.bots:
        bot.listen()
        bot.get_ready()
    serial.listen()
    assert len(serial.open) == 1
    assert serial.session.dirty_since == 0.0
    serial.answer()
    assert serial.session.has_something
    woken = asyncio.Event()
    serial.session.wake = woken.set
    world.hall.flusher.touch(serial.session)
    await asyncio.wait_for(woken.wait(), 5.0)


async def test_closings_follow_the_last_update_even_when_decisions_wait() -> None:
    """A seat's close comes after all its updates, and never spins while other decisions wait for room."""
    world = World()
    bot = await world.connect("b0", lambda decision: None, max_open=1, max_tables=3)
    orders = [order_of(match=f"m{number}") for number in range(3)]
    for order in orders:
        await world.table(order)
    await world.settle()
    world.hall.void(orders[2].match, cancelled=True)  # its decision waits behind another
    assert not bot.session.has_something
    assert bot.closed == []
    world.hall.void(orders[0].match, cancelled=True)  # whose decision was the open one
    bot.listen()
    assert [closing.reason for closing in bot.closed] == ["cancelled"] * len(bot.closed)
    assert bot.session.open == 1
    assert len(bot.closed) >= 1
    world.hall.void(orders[1].match, cancelled=False)
    bot.listen()
    assert len(bot.closed) == 3
    assert bot.session.open == 0
    assert bot.session.outbox == type(bot.session.outbox)()


async def test_hosting_beyond_capacity() -> None:
    """A full hall refuses, but an attempt may always take the place of an older one of the same match."""
    world = World(HallConfig(capacity=1))
    await world.table(order_of(match="x"))
    with pytest.raises(HallFull):
        world.hall.host(order_of(match="y"))
    world.hall.host(order_of(match="x", attempt=2))
    assert world.hall.hosted == {"x": 2}
    await world.settle()
    assert [closing.reason for closing in world.bots[0].closed] == ["voided", "finished"]


async def test_free_slots_are_handed_on() -> None:
    """Each table that becomes free wakes one who waits; one that has been cancelled, or unused, hands it on."""
    world = World(HallConfig(capacity=1))
    world.hall.host(order_of(match="x"))

    async def use() -> None:
        async with world.hall.slot():
            await asyncio.sleep(0)

    first, second, third = (asyncio.ensure_future(use()) for _ in range(3))
    await asyncio.sleep(0)
    assert not first.done()
    world.hall.void(order_of(match="x").match, cancelled=True)
    first.cancel()
    await asyncio.wait_for(asyncio.gather(second, third), 5.0)
    with suppress(asyncio.CancelledError):
        await first


async def test_a_slot_is_kept_free() -> None:
    """No more tables are promised than there are, however many wait at once."""
    world = World(HallConfig(capacity=2))
    inside = peak = 0

    async def use() -> None:
        nonlocal inside, peak
        async with world.hall.slot():
            inside += 1
            peak = max(peak, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.wait_for(asyncio.gather(*(use() for _ in range(6))), 5.0)
    assert peak == 2


async def test_draining_hands_back_at_the_end_of_a_deal() -> None:
    """Draining refuses what is new, tells the bots, and hands matches back with a checkpoint at their deal's end."""
    world = World()
    order, unbegun = order_of(two_deals(deals=4)), order_of(match="unbegun", bots=["b0", "b1", "b2", "nobody"])
    bots = await world.table(order)
    world.hall.host(unbegun)
    for _ in range(3):
        for bot in bots:
            bot.turn()
    drained = asyncio.ensure_future(world.hall.drain(30.0))
    await asyncio.sleep(0)
    assert world.sink.released == [(unbegun.match, "the referee goes away")]
    with pytest.raises(HallFull):
        world.hall.host(order_of(match="late"))
    with pytest.raises(SessionRefused) as refusal:
        await world.connect("late")
    assert refusal.value.reason == "DRAINING"
    await world.settle()
    await asyncio.wait_for(drained, 5.0)
    assert world.sink.released[1:] == [(order.match, "the referee goes away")]
    ((_, checkpoint),) = world.sink.checkpoints
    assert len(checkpoint.deals) == 1
    assert all(bot.draining for bot in bots)
    assert all("voided" in [closing.reason for closing in bot.closed] for bot in bots)
    assert world.hall.tables == 0
    assert world.sink.outcomes == {}
    other = World()
    again = order_of(two_deals(deals=4), attempt=2, checkpoint=checkpoint)
    await other.table(again)
    await other.settle()
    assert_record(again, other.sink.outcomes[again.match])


async def test_draining_does_not_wait_for_the_slow() -> None:
    """After the grace what has not come to its deal's end is given back as it is."""
    world, order = World(), order_of()
    await world.table(order, lambda decision: None)
    await world.settle()
    await asyncio.wait_for(world.hall.drain(0.01), 5.0)
    assert world.sink.released == [(order.match, "the referee goes away")]
    await world.hall.drain(0.01)


async def test_a_stream_that_is_not_read_is_ended() -> None:
    """A frame that gRPC cannot get rid of ends its session after a while, so that its seats do not wait for ever."""
    world, order = World(HallConfig(stall=0.05)), order_of()
    bots = await world.table(order, lambda decision: None)
    await world.settle()
    running = asyncio.ensure_future(world.hall.run())
    cut = asyncio.Event()
    bots[0].session.cut = cut.set
    world.hall.flusher.sent(bots[0].session, asyncio.get_running_loop().time())
    await asyncio.wait_for(cut.wait(), 10.0)
    assert bots[0].session.end is not None
    assert bots[0].session.end.reason == "STREAM_STALLED"
    assert "b0" not in world.hall.presences()
    running.cancel()


async def test_heartbeats() -> None:
    """Every session is woken for an empty frame once a heartbeat."""
    world = World(HallConfig(heartbeat=0.05))
    bot = await world.connect("b0")
    woken = asyncio.Event()
    bot.session.wake = woken.set
    running = asyncio.ensure_future(world.hall.run())
    await asyncio.wait_for(woken.wait(), 10.0)
    assert bot.session.has_something
    bot.listen()
    assert not bot.session.has_something
    running.cancel()


async def test_an_error_at_a_deadline_voids_its_match_and_spares_the_clocks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The clocks of other tables go on when a substitute cannot be played at one."""
    world = World()
    broken, sound = order_of(match="x"), order_of(match="y")
    await world.table(broken, lambda decision: None)
    world.hall.host(sound)
    await world.settle()
    del world.hall._matches[broken.match].table.passes
    world.pass_time(30.0)
    assert world.sink.released == [(broken.match, "internal error")]
    assert world.hall.tally.decisions[Source.TIMEOUT] >= 4
    assert "table_broke" in capsys.readouterr().out


async def test_sessions_that_end_with_much_to_say() -> None:
    """Flushing after a session has ended, or that has no writer yet, is harmless."""
    world = World()
    bots: list[Bot] = await world.table(order_of())
    for bot in bots:
        world.hall.flusher.touch(bot.session)
    bots[0].drop()
    bots[0].drop()
    await asyncio.sleep(0.01)
    assert world.hall.tally.sessions == 3


async def test_a_finished_match_is_let_go() -> None:
    """The deadlines may hold seats for a while, but not the log and the deals of their matches."""
    world = World()
    order = order_of(resolve("standard", overrides={"target": None, "deals": 2}))
    await world.table(order)
    seat = world.hall._matches[order.match].seats[0]
    await world.settle()
    assert seat.match.table.log == []
    assert seat.match._deals == []


async def test_handles_are_not_used_again_by_another_referee() -> None:
    """A bot that remembers seats of a referee that died cannot mistake another referee's seats for them."""
    handles = set[int]()
    for _ in range(8):
        world = World()
        await world.table(order_of())
        handles |= {handle for bot in world.bots for handle in bot.session.seats}
    assert len(handles) == 8 * 4
