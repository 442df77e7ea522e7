"""What a session may do beside playing: floods, bots that do not read, and those that come too often."""

from __future__ import annotations

import pytest

from referee.host import conduct
from referee.host.buckets import Bucket
from referee.host.hall import HallConfig, SessionRefused
from referee.host.ports import BotId, Clock
from tests.host.world import Action, Bot, Decision, World, assert_record, at_random, order_of

CONFIG = HallConfig(waste_rate=10, waste_burst=20, unread_bytes=1000, arrival_rate=2, arrival_burst=4)


def mute(_: Decision) -> None:
    """Never answer."""


async def world_with(config: HallConfig, **fields: object) -> tuple[World, list[Bot]]:
    """Return a world with a table at which everybody has been asked what to pass."""
    world = World(config)
    bots = await world.table(order_of(**fields), mute)  # type: ignore[arg-type]
    await world.settle()
    for bot in bots:
        bot.strategy = at_random
        bot.declined.clear()
    return world, bots


def waste(world: World, bot: Bot, count: int) -> None:
    """Let *bot* send so many answers that nobody waits for, in one frame."""
    bot.send(*(Action(1, 1, card=1) for _ in range(count)))
    conduct.check_waste(world.hall, bot.session, world.hall.clock.now())


def test_a_bucket() -> None:
    """A bucket gives as many as it holds, fills up by time, and says when there is enough."""
    bucket = Bucket(2.0, 4.0, now=10.0)
    assert bucket.spend(4, 10.0)
    assert not bucket.spend(1, 10.25)
    assert bucket.wait(1) == pytest.approx(0.25)
    assert bucket.spend(1, 10.5)
    assert not bucket.spend(5, 1000.0)
    assert bucket.spend(4, 1000.0)
    bucket.drain(3.0)
    assert not bucket.spend(0, 1002.9)
    assert bucket.spend(0, 1003.1)


async def test_a_flood_ends_the_session_and_is_a_fault_of_its_seats() -> None:
    """Who sends too much has its stream ended, one fault a seat, a substitute for what was open, and is kept out."""
    world, bots = await world_with(CONFIG)
    waste(world, bots[0], 20)
    assert bots[0].session.end is None
    waste(world, bots[0], 1)
    assert bots[0].session.end is not None
    assert bots[0].session.end.reason == "TOO_MANY_MESSAGES"
    with pytest.raises(SessionRefused) as refusal:
        await world.connect("b0")
    assert refusal.value.reason == "TOO_MANY_SESSIONS"
    assert refusal.value.retry == pytest.approx(conduct.BAN + 0.5)
    world.pass_time(conduct.BAN + 1.0)
    await world.connect("b0")
    await world.settle()
    (outcome,) = world.sink.outcomes.values()
    assert outcome.faults == ({"flood": 1}, {}, {}, {})
    (entry,) = outcome.ledger
    assert (entry.kind, entry.decision, entry.came) == ("flood", "pass", "more messages than are allowed")
    assert_record(order_of(), outcome)


async def test_waste_is_forgiven_by_time() -> None:
    """Now and then a bot may send something that nobody waits for."""
    world, bots = await world_with(CONFIG)
    for _ in range(30):
        waste(world, bots[0], 10)
        world.time.seconds += 0.02
        world.pass_time(1.0)
    assert bots[0].session.end is None


async def test_answers_that_come_too_late_are_no_flood() -> None:
    """A bot that was frozen may answer all that it was asked in the meantime, and whatever was closed."""
    clock = Clock(decision=0.1, bank=0.0, network=0.1)
    world, bots = await world_with(CONFIG, clock=clock, fault_limit=100)
    frozen, late = bots[0], []
    for _ in range(30):
        frozen.listen()
        late += [at_random(decision) for decision in frozen.open.values()]
        frozen.open.clear()
        world.pass_time(0.3)
        await world.settle(bots[1:])
    assert len(late) > CONFIG.waste_burst
    frozen.send(*late)
    conduct.check_waste(world.hall, frozen.session, world.hall.clock.now())
    assert frozen.session.end is None


async def test_a_bot_that_answers_nothing_after_many_bytes() -> None:
    """Many bytes without an answer for long are a bot that does not read; one of both alone is not."""
    world, bots = await world_with(CONFIG)
    bots[0].session.unread = bots[1].session.unread = 1001
    bots[2].session.unread = 1000
    bots[3].answer()
    bots[3].session.unread = 1001
    conduct.end_stalled(world.hall, [bot.session for bot in bots], 0.0)
    assert [bot.session.end for bot in bots] == [None] * 4
    world.pass_time(CONFIG.stall - 1.0)
    bots[1].answer()
    world.pass_time(2.0)
    conduct.end_stalled(world.hall, [bot.session for bot in bots], 0.0)
    assert [bot.session.end and bot.session.end.reason for bot in bots] == [
        "STREAM_STALLED",
        None,
        None,
        "STREAM_STALLED",
    ]
    assert world.hall.tally.faults["stall"] == 2  # type: ignore[index]  # a StrEnum


async def test_a_bot_that_connects_too_often() -> None:
    """A bot that comes again and again is told when to; other bots are not concerned."""
    world = World(CONFIG)
    for _ in range(4):
        await world.connect("b0")
    with pytest.raises(SessionRefused) as refusal:
        await world.connect("b0")
    assert refusal.value.reason == "TOO_MANY_SESSIONS"
    assert refusal.value.retry == pytest.approx(0.5)
    await world.connect("b1")
    world.pass_time(0.6)
    await world.connect("b0")
    assert set(world.hall.presences()) == {BotId("b0"), BotId("b1")}


async def test_coming_and_going_is_no_way_to_win_time() -> None:
    """A bot that drops its stream at a decision again and again holds its table up no longer than its time allows."""
    clock = Clock(decision=1.0, bank=2.0, network=0.1, reconnect_grace=3.0)
    world, bots = await world_with(HallConfig(arrival_burst=10_000), clock=clock)
    bot, seconds = bots[0], 0.0
    seat = next(iter(bot.session.seats.values()))
    while not seat.faults:
        world.pass_time(0.06)  # less than the network's allowance
        bot.drop()
        bot = await world.connect("b0", mute)
        bot.listen()
        seconds += 0.06
        assert seconds < 7.0
    assert seconds > 5.0
