"""Visits between referees: who is called, who is sent, and what happens to those that do not come."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from arena.app.lifecycle import cancelled
from arena.service.admission import Admissions
from arena.service.attendance import Attendance
from arena.service.guests import CALL_AGAIN, FRESH, STUBBORN_SECONDS, Guests
from arena.service.news import News
from arena.service.people import digest_of
from arena.service.writer import Writer
from arena.storage.ports import BotId, Call, Referee, RefereeId, Role
from referee.host.hall import Hall, HallConfig, SessionRefused
from referee.host.metrics import HostMetrics
from referee.host.ports import BotId as HostBotId
from referee.host.ports import NotAdmitted
from referee.host.session import Greeting
from tests.service.builders import ADMIN, World
from tests.support.waiting import until


class Place:
    """A referee with its guests, on the world's storage."""

    def __init__(self, world: World, name: str) -> None:
        storage = world.storage
        self.world = world
        self.clock = 1_000.0
        self.referee = Referee(RefereeId(f"r_{name}"), f"{name}:1", 10)
        self.attendance = Attendance()
        self.admissions = Admissions(storage.registry, storage.visits, self.referee.id)
        writer = Writer(storage.tournaments, storage.wakeups, self.attendance, park_after=3)
        self.hall = Hall(self.admissions, writer, HallConfig(), HostMetrics(CollectorRegistry()))
        self.guests = Guests(
            self.hall, storage.visits, storage.fleet, storage.wakeups, self.referee, lambda: self.clock
        )

    async def beat(self) -> None:
        """Say that the referee lives and who is here."""
        await self.world.storage.fleet.beat(self.referee, lease=60)
        presences = self.attendance.presences(self.referee.id)
        await self.world.storage.fleet.set_presence(self.referee.id, presences)
        self.clock += FRESH + 0.1

    async def calls(self) -> list[Call]:
        """Take the calls that were left for this referee."""
        return list(await self.world.storage.visits.calls(self.referee.id))

    async def answer(self) -> None:
        """Answer the calls that were left for this referee."""
        for call in await self.calls():
            await self.guests._invite(call)


@pytest.fixture
async def places(world: World) -> tuple[Place, Place, Place]:
    """Give three referees that live."""
    found = Place(world, "ann"), Place(world, "ben"), Place(world, "cat")
    for place in found:
        await place.beat()
    return found


async def token(world: World) -> tuple[BotId, str, str]:
    """Register a bot and return it with its token's id and secret."""
    (bot,) = await world.bots(1)
    made, secret = await world.control.use_cases.people.create_token(ADMIN, Role.BOT, bot.id)
    return bot.id, made.id, secret


async def test_a_bot_is_called_and_comes(world: World, places: tuple[Place, Place, Place]) -> None:
    """The referee in need calls where the bot is; that one invites it, with a ticket that admits it there once."""
    ann, ben, _ = places
    bot, _, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret, instance="one"))
    await ann.beat()
    ben.clock += FRESH + 0.1
    await ben.guests.call({bot})
    await ann.answer()
    (invitation,) = session.invitations
    assert invitation.address == "ben:1"
    assert invitation.ticket not in repr(invitation)
    visit = await ben.hall.admit(Greeting(invitation.ticket, instance="one"))
    assert (BotId(visit.bot), visit.visiting, visit.credential) == (bot, True, digest_of(secret))
    with pytest.raises(NotAdmitted, match="good once"):
        await ben.hall.admit(Greeting(invitation.ticket, instance="one"))


async def test_a_ticket_is_for_one_instance(world: World, places: tuple[Place, Place, Place]) -> None:
    """Another instance than the one that was invited is not let in."""
    ann, ben, _ = places
    bot, _, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret, instance="one"))
    await ann.beat()
    ben.clock += FRESH + 0.1
    await ben.guests.call({bot})
    await ann.answer()
    with pytest.raises(NotAdmitted) as refused:
        await ben.hall.admit(Greeting(session.invitations[0].ticket, instance="two"))
    assert refused.value.reason == "TICKET_MISMATCH"


async def test_a_ticket_is_for_one_referee(world: World, places: tuple[Place, Place, Place]) -> None:
    """Another referee than the one that called does not let the bot in, and then nobody does: the ticket is used."""
    ann, ben, eve = places
    bot, _, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret, instance="one"))
    await ann.beat()
    ben.clock += FRESH + 0.1
    await ben.guests.call({bot})
    await ann.answer()
    for place in (eve, ben):
        with pytest.raises(NotAdmitted) as refused:
            await place.hall.admit(Greeting(session.invitations[0].ticket, instance="one"))
        assert refused.value.reason == "TICKET_UNKNOWN"


async def test_who_is_called(world: World, places: tuple[Place, Place, Place]) -> None:
    """Each instance that is not here is called once, where it is at home, and not again for a while."""
    ann, ben, cat = places
    bot, _, secret = await token(world)
    for instance in ("one", "two"):
        await ann.hall.admit(Greeting(secret, instance=instance))
    await ann.beat()
    cat.clock += FRESH + 0.1
    assert await cat.guests.elsewhere({bot, BotId("b_none")}) == {bot}
    await cat.guests.call({bot, BotId("b_none")})
    called = await ann.calls()
    assert sorted(call.instance for call in called) == ["one", "two"]
    assert {call.referee for call in called} == {cat.referee.id}
    await cat.guests.call({bot})
    assert await ann.calls() == []
    for call in called:
        await ann.guests._invite(call)
    for session in ann.hall._all_sessions():
        await cat.hall.admit(Greeting(session.invitations[0].ticket, instance=session.instance))
    await cat.beat()
    ben.clock += FRESH + 0.1
    await ben.guests.call({bot})
    assert len(await ann.calls()) == 2
    assert await cat.calls() == [], "a visitor was called where it is only visiting"
    cat.clock += CALL_AGAIN + 1
    await cat.guests.call({bot})
    assert await ann.calls() == []


async def test_who_has_left_is_not_invited(world: World, places: tuple[Place, Place, Place]) -> None:
    """A call for a session that is gone is dropped, and makes no ticket."""
    ann, ben, _ = places
    await ann.guests._invite(Call(BotId("b_gone"), "", ben.referee.id, "ben:1"))
    assert await world.storage.client.keys("arena:ticket:*") == []


async def test_all_are_sent_away(world: World, places: tuple[Place, Place, Place]) -> None:
    """A referee that goes away invites its bots to all others that take tables and where they are not yet."""
    ann, ben, cat = places
    _, _, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret))
    await ann.beat()
    await world.storage.fleet.beat(Referee(cat.referee.id, "cat:1", 10, draining=True), lease=60)
    await ann.guests.move_out()
    assert [each.address for each in session.invitations] == ["ben:1"]
    await ben.hall.admit(Greeting(session.invitations[0].ticket))
    await ben.beat()
    session.invitations.clear()
    await ann.guests.move_out()
    assert not session.invitations


async def test_a_revoked_token_ends_visits(world: World, places: tuple[Place, Place, Place]) -> None:
    """A visitor goes with the token of its home, also where it only visits."""
    ann, ben, _ = places
    bot, ident, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret))
    await ann.guests._invite(Call(bot, "", ben.referee.id, "ben:1"))
    await ben.hall.admit(Greeting(session.invitations[0].ticket))
    await world.control.use_cases.people.revoke_token(ADMIN, ident)
    void = await ben.admissions.recheck(ben.hall.credentials)
    assert void == {digest_of(secret): "TOKEN_REVOKED"}


async def test_the_stubborn_are_remembered_for_a_while(places: tuple[Place, Place, Place]) -> None:
    """A bot that did not follow is not waited for, until a minute has passed."""
    ann, _, _ = places
    bot = BotId("b_stubborn")
    assert not ann.guests.stubborn({bot})
    ann.guests.note_stubborn({bot})
    assert ann.guests.stubborn({bot, BotId("b_other")})
    assert not ann.guests.stubborn({BotId("b_other")})
    ann.clock += STUBBORN_SECONDS + 1
    assert not ann.guests.stubborn({bot})


async def test_calls_are_answered(world: World, places: tuple[Place, Place, Place]) -> None:
    """The loop that answers takes what is left for its referee, woken or not."""
    ann, ben, _ = places
    bot, _, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret))
    loop = asyncio.create_task(ann.guests.answer_for_ever(News(world.storage.wakeups)))
    await world.storage.visits.call(ann.referee.id, [Call(bot, "", ben.referee.id, "ben:1")])

    async def invited() -> bool:
        return bool(session.invitations)

    await until(invited)
    assert ann.hall.presences()[HostBotId(bot)][0].visiting is False
    await cancelled([loop])


async def test_a_visitor_never_takes_the_place_of_one_at_home(world: World, places: tuple[Place, Place, Place]) -> None:
    """A bot whose home has moved to where it was called keeps that stream; its own stream may end a visit."""
    ann, ben, _ = places
    bot, _, secret = await token(world)
    session = await ann.hall.admit(Greeting(secret))
    for _ in range(2):
        await ann.guests._invite(Call(bot, "", ben.referee.id, "ben:1"))
    first, second = (each.ticket for each in session.invitations)
    visit = await ben.hall.admit(Greeting(first))
    home = await ben.hall.admit(Greeting(secret))
    assert visit.end is not None
    assert visit.end.reason == "SESSION_REPLACED"
    with pytest.raises(SessionRefused) as refused:
        await ben.hall.admit(Greeting(second))
    assert (refused.value.reason, refused.value.retry) == ("ALREADY_HERE", None)
    assert home.end is None
