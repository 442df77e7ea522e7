"""One connection: what goes into a frame, and when something is to be sent."""

from __future__ import annotations

from referee.host import attendance
from referee.host.session import FRAME_ITEMS, Closing, Note
from tests.host.world import World, at_random, order_of, two_deals


async def test_a_frame_holds_so_many_updates_and_the_rest_follows() -> None:
    """More updates than fit go out in further frames, in order, and closes come after all of them."""
    world = World()
    bot = await world.connect("b0", max_tables=400, max_open=1000)
    for number in range(FRAME_ITEMS + 20):
        await world.table(order_of(match=f"m{number}"))
        for each in world.bots[1:]:
            each.session.max_tables = 400
    for each in world.bots:
        each.listen()
        each.get_ready()
    session = bot.session
    assert session.max_tables == 400
    first = session.take(world.hall.clock.now())
    assert len(first) == FRAME_ITEMS
    session.close(Closing(1, "voided"))
    assert session.take_closings() == []
    second = session.take(world.hall.clock.now())
    assert len(second) == 20
    handles = [update[0].handle for update in first + second]
    assert len(set(handles)) == len(handles)
    assert [closing.handle for closing in session.take_closings()] == [1]
    assert not session.has_something
    assert session.open == FRAME_ITEMS + 20


async def test_what_makes_a_frame() -> None:
    """Each thing that may be said makes a frame due, but decisions beyond the limit do not."""
    world = World()
    bot = await world.connect("b0", max_open=1)
    session = bot.session
    assert not session.has_something
    session.notes.append(Note("X", "x"))
    assert session.has_something
    session.notes.clear()
    session.beat = True
    assert session.has_something
    session.beat = False
    session.draining = 0.0
    assert session.has_something


async def test_a_decision_made_otherwise_is_told_without_asking() -> None:
    """An update whose decision was substituted while it waited brings its news, but no question."""
    world, order = World(), order_of(two_deals(pass_cycle=["hold"]))
    bots = await world.table(order, at_random)
    for bot in bots:
        bot.listen()
        bot.get_ready()
    (due,) = (bot for bot in bots if bot.session.outbox)
    ((_, number, *_),) = due.session.outbox
    assert number == 1
    attendance.leave(next(iter(due.session.seats.values())))
    (update, *_) = due.session.take(world.hall.clock.now())
    assert update[1:3] == (0, 0)
    assert update[4]
    assert due.session.open == 0
