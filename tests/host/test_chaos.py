"""Bots that do anything at any time: matches end all the same, with sound records and nothing left over."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.host import attendance
from referee.host.hall import HallConfig
from referee.host.ports import Clock
from referee.host.seat import SENT
from tests.host.world import Action, Bot, World, assert_record, at_random, order_of, two_deals

CLOCK = Clock(decision=0.2, bank=0.5, network=0.02, watchdog=2.0, ready=1.0, reconnect_grace=1.0)
NUMBERS = (0, 1, 5, 52, 53, 9999, 2**31 - 1, -1, -(2**31))


def anything(rng: Random, bot: Bot) -> Action:
    """Return an action that the wire can carry: mostly near a right one, seldom right."""
    handles = [*bot.session.seats, *(handle for handle, _ in bot.opened), 0, 1, 2**64 - 1]
    handle = rng.choice(handles)
    seat = bot.session.seats.get(handle)
    number = seat.number + rng.choice((-1, 0, 0, 0, 0, 1)) if seat else rng.choice((0, 1, 2**32 - 1))
    cards = [rng.choice(NUMBERS) for _ in range(rng.choice((0, 0, 1, 3, 4, 200)))]
    return Action(handle, number, rng.choice(NUMBERS), cards, rng.choice((0, 1, 2, 3, -1)))


def check_invariants(world: World) -> None:
    """Check what must hold at any time between two frames."""
    for known in world.hall._sessions.values():
        for session in known.values():
            sent = sum(seat.state == SENT for seat in session.seats.values())
            assert session.open == sent <= session.max_open
            assert all(seat.session is session for seat in session.seats.values())
    for match in world.hall._matches.values():
        for seat in match.seats:
            assert seat.bank >= seat.reserve >= 0.0
            assert 0.0 <= seat.grace <= CLOCK.reconnect_grace
            assert 0.0 < seat.limit <= seat.full_limit
            assert seat.session is None or seat.session.seats[seat.handle] is seat
            assert not seat.plain or (seat.session is not None and not seat.autopilot)
    assert not world.sink.released


class Crowd:
    """Six bots that misbehave at random, and four matches for them."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.world = World(HallConfig(sessions_per_bot=3))
        self.live: list[Bot] = []
        self.orders = [
            order_of(match="a", clock=CLOCK, auto_play_forced=True),
            order_of(two_deals("classic", 3), "b", bots=["b3", "b1", "b2"], clock=CLOCK),
            order_of(two_deals("hoemke-3344"), "c", bots=["b1", "b4", "b0", "b2"], clock=CLOCK, fault_limit=50),
            order_of(two_deals("cancellation", 6), "d", bots=[f"b{number}" for number in range(6)], clock=CLOCK),
        ]
        self.waiting = list(self.orders)

    async def connect(self) -> None:
        """Let some bot connect, perhaps in the place of an older session of its own."""
        rng = self.rng
        name, instance = f"b{rng.randrange(6)}", rng.choice(("", "", "second"))
        self.live = [bot for bot in self.live if (bot.session.bot, bot.session.instance) != (name, instance)]
        self.live.append(await self.world.connect(name, instance=instance, max_open=rng.choice((0, 1, 2))))

    async def step(self) -> None:
        """Let something happen."""
        rng = self.rng
        if not self.live or rng.random() < 0.08:
            await self.connect()
        moves = (self.host, self.drop, self.leave, self.wait, self.babble, Bot.listen, Bot.get_ready, Bot.turn)
        (move,) = rng.choices(moves, (4, 4, 1, 18, 10, 15, 10, 30))
        move(rng.choice(self.live))
        check_invariants(self.world)
        await asyncio.sleep(0)

    def host(self, _: Bot) -> None:
        """Host the next match."""
        if self.waiting:
            self.world.hall.host(self.waiting.pop())

    def drop(self, bot: Bot) -> None:
        """Let the stream of *bot* break."""
        bot.drop()
        self.live.remove(bot)

    def leave(self, bot: Bot) -> None:
        """Let *bot* give a seat up."""
        if bot.session.seats:
            attendance.leave(self.rng.choice(list(bot.session.seats.values())))

    def wait(self, _: Bot) -> None:
        """Let time pass."""
        self.world.pass_time(self.rng.choice((0.02, 0.1, 0.4, 1.2)))

    def babble(self, bot: Bot) -> None:
        """Let *bot* send nonsense."""
        bot.send(*(anything(self.rng, bot) for _ in range(self.rng.randint(1, 5))))

    async def finish(self) -> None:
        """Let everybody behave from now on, until all matches are over."""
        world = self.world
        while self.waiting:
            world.hall.host(self.waiting.pop())
        for number in range(6):
            await world.connect(f"b{number}")
        for _ in range(2000):
            if not world.hall.tables:
                break
            await world.settle()
            world.pass_time(0.2)
            check_invariants(world)


async def chaos(seed: int, steps: int) -> None:
    """Run four matches while bots misbehave at random, then let everybody behave and the matches end."""
    crowd = Crowd(seed)
    for _ in range(steps):
        await crowd.step()
    await crowd.finish()
    world = crowd.world
    assert world.hall.tables == 0
    assert world.hall._unserved == {}
    for order in crowd.orders:
        outcome = world.sink.outcomes[order.match]
        assert_record(order, outcome)
        for position in range(len(order.seats)):
            faulted = any(row[position] for row in outcome.faulted)
            assert faulted == bool(outcome.faults[position])
    for known in world.hall._sessions.values():
        assert all(session.open == 0 and not session.seats for session in known.values())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 400))
def test_matches_end_whatever_bots_do(seed: int, steps: int) -> None:
    """Bots come, go, leave, stay silent, send nonsense: every match ends in a sound record, nobody is left waiting."""
    asyncio.run(chaos(seed, steps))


@pytest.mark.full
@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 1500))
def test_matches_end_whatever_bots_do_for_long(seed: int, steps: int) -> None:
    """The same, more of it."""
    asyncio.run(chaos(seed, steps))


async def test_a_bot_of_nonsense_hurts_nobody_else() -> None:
    """Beside a bot that sends only nonsense, the others are never at fault."""
    rng = Random(7)
    for match in ("x", "y", "z"):
        world, order = World(), order_of(match=match, clock=CLOCK)
        bots = await world.table(order, at_random)
        bad = bots[2]
        while world.hall.tables:
            for bot in bots:
                if bot is not bad:
                    bot.turn()
            bad.listen()
            bad.get_ready()
            bad.send(*(anything(rng, bad) for _ in range(3)))
            world.pass_time(0.02)
        outcome = world.sink.outcomes[order.match]
        assert_record(order, outcome)
        assert [bool(faults) for faults in outcome.faults] == [False, False, True, False]
