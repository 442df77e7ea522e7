"""Who is let into the hall: tokens, limits, instances and sessions, and where a bot can be seated."""

from __future__ import annotations

import asyncio

import pytest

from referee.host.capabilities import Capabilities
from referee.host.hall import NO_SEAT, HallConfig, SessionRefused
from referee.host.ports import Attending, BotId, NotAdmitted
from referee.host.session import End
from referee.rules.variant import Variant
from tests.host.world import ABLE, World, assert_record, at_random, order_of, two_deals


async def test_a_token_that_does_not_admit() -> None:
    """The refusal of `Admission` is passed on, and leaves no session behind."""
    world = World()
    with pytest.raises(NotAdmitted, match="no token"):
        await world.connect("")
    assert world.hall.presences() == {}
    assert world.hall.tally.sessions == 0


async def test_limits_are_the_lesser_of_wish_and_configuration() -> None:
    """0 takes the default; a greater wish than the configuration allows is cut."""
    world = World(HallConfig(max_tables=10, default_tables=4, max_open=50, default_open=20))
    plain, greedy, modest = (
        await world.connect("a"),
        await world.connect("b", max_tables=99, max_open=99),
        await world.connect("c", max_tables=1, max_open=1),
    )
    assert [(bot.session.max_tables, bot.session.max_open) for bot in (plain, greedy, modest)] == [
        (4, 20),
        (10, 50),
        (1, 1),
    ]
    assert world.sink.presences == {
        "a": (Attending("", 4, capabilities=ABLE),),
        "b": (Attending("", 10, capabilities=ABLE),),
        "c": (Attending("", 1, capabilities=ABLE),),
    }


async def test_the_same_instance_replaces_the_older_session() -> None:
    """The second stream of an instance takes over the seats; the first is told why it ends."""
    world, order = World(), order_of()
    bots = await world.table(order, lambda decision: None)
    await world.settle()
    woken = []
    bots[0].session.wake = lambda: woken.append("wake")
    bots[0].session.cut = lambda: woken.append("cut")
    again = await world.connect("b0")
    assert woken[-2:] == ["wake", "cut"]
    assert bots[0].session.end is not None
    assert bots[0].session.end.reason == "SESSION_REPLACED"
    assert bots[0].session.seats == {}
    assert world.hall.presences()[BotId("b0")] == (Attending("", 64, capabilities=ABLE),)
    world.hall.left(bots[0].session)  # what its stream says when it ends
    assert world.hall.presences()[BotId("b0")] == (Attending("", 64, capabilities=ABLE),)
    assert world.hall.tally.sessions == 4
    for bot in world.bots:
        bot.strategy = at_random
        bot.declined.clear()
    await world.settle()
    assert_record(order, world.sink.outcomes[order.match])
    assert [again.closed[0].reason, bots[0].closed] == ["finished", []]
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_a_replaced_session_is_found_again_by_everything() -> None:
    """New matches, heartbeats and the end of a bot find the session that replaced another."""
    world = World()
    await world.connect("b0")
    again = await world.connect("b0")
    await world.table(order_of())
    again.listen()
    assert len(again.opened) == 1
    world.hall.end_bot(again.session.bot, End("TOKEN_REVOKED", "revoked"))
    assert again.session.end is not None
    assert "b0" not in world.hall.presences()


async def test_two_streams_of_one_instance_at_the_same_moment() -> None:
    """Of two streams that are let in together the later wins, and the other is told."""
    world = World()
    world.door.open.clear()
    tasks = [asyncio.ensure_future(world.connect("b0")) for _ in range(3)]
    await asyncio.sleep(0)
    world.door.open.set()
    bots = await asyncio.gather(*tasks)
    assert [bot.session.end is None for bot in bots] == [False, False, True]
    assert world.hall.tally.sessions == 1
    for bot in bots:
        world.hall.left(bot.session)
        world.hall.left(bot.session)
    assert world.hall.tally.sessions == 0
    assert world.hall.presences() == {}
    assert world.sink.presences[BotId("b0")] == ()


async def test_several_sessions_of_one_bot_share_its_matches() -> None:
    """Matches go to the session with the most room; each keeps its own seats when another goes."""
    world = World()
    small = await world.connect("b0", instance="small", max_tables=1)
    large = await world.connect("b0", instance="large", max_tables=3)
    orders = [order_of(match=f"m{number}") for number in range(4)]
    for order in orders:
        await world.table(order)
    small.listen()
    large.listen()
    assert (len(small.opened), len(large.opened)) == (1, 3)
    small.drop()
    again = await world.connect("b0", instance="other")
    again.listen()
    assert again.opened == []  # the seat waits for its own instance
    back = await world.connect("b0", instance="small")
    await world.settle()
    assert [again for _, again in back.opened] == [True]
    assert all(world.sink.outcomes[order.match].faults == ({},) * 4 for order in orders)


async def test_too_many_sessions() -> None:
    """A bot may not have more sessions than are allowed, but may replace one."""
    world = World(HallConfig(sessions_per_bot=2))
    await world.connect("b0", instance="1")
    await world.connect("b0", instance="2")
    with pytest.raises(SessionRefused) as refusal:
        await world.connect("b0", instance="3")
    assert refusal.value.reason == "TOO_MANY_SESSIONS"
    assert refusal.value.retry
    await world.connect("b0", instance="2")
    assert world.hall.presences() == {
        "b0": (Attending("1", 64, capabilities=ABLE), Attending("2", 64, capabilities=ABLE))
    }


@pytest.mark.parametrize(
    ("variant", "capabilities", "fits"),
    [
        (two_deals(), Capabilities(), True),
        (two_deals("cancellation", 6), Capabilities(), False),
        (two_deals("cancellation", 6), Capabilities(max_packs=2), True),
        (two_deals("cancellation", 8), Capabilities(max_packs=2), False),
        (two_deals("classic", 3), Capabilities(min_players=4), False),
        (two_deals(), Capabilities(kinds=frozenset({"play", "pass"})), True),
        (two_deals(), Capabilities(kinds=frozenset({"play"})), False),
        (two_deals(pass_cycle=["hold"]), Capabilities(kinds=frozenset({"play"})), True),
        (two_deals(moon_effect="shooter_choice"), Capabilities(kinds=frozenset({"play", "pass"})), False),
        (two_deals(moon_effect="shooter_choice"), Capabilities(kinds=frozenset({"play", "pass", "moon"})), True),
        (two_deals("hoemke-3344"), Capabilities(kinds=frozenset({"play", "pass", "moon"})), False),
        (two_deals("hoemke-4444"), Capabilities(kinds=frozenset({"play", "pass", "moon"})), True),
        (two_deals(), Capabilities(kinds=frozenset({"unknown"})), False),
    ],
)
async def test_capabilities(variant: Variant, capabilities: Capabilities, fits: bool) -> None:
    """A bot is seated only where it can answer all that it may be asked; otherwise its person is told."""
    world = World()
    bot = await world.connect("b0", capabilities=capabilities)
    world.hall.host(order_of(variant))
    bot.listen()
    assert len(bot.opened) == fits
    assert [note.code for note in bot.notes] == ([] if fits else [NO_SEAT])
    later = await world.connect("b0", capabilities=Capabilities(max_packs=2, max_players=11), instance="able")
    later.listen()
    assert len(later.opened) == (not fits)
