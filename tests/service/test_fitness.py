"""Bots that say that they cannot play the rules: refused at entry, never seated, told why, and absent to the policy."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from arena.app.lifecycle import cancelled
from arena.errors import WrongState
from arena.service import topics
from arena.service.dispatch import Rooms
from arena.service.fitness import Fitness, lacks, unfit
from arena.service.news import News
from arena.service.spec import NoShow
from arena.storage.ports import Abilities, BotId, MatchState, Presence, Role, TournamentRow, TournamentState
from arena.storage.redis_store import rows
from arena.transport.convert import tournament_to_wire
from referee.host.capabilities import Capabilities
from referee.host.ports import Attending
from referee.host.ports import BotId as HostBotId
from referee.host.session import Greeting, Session
from referee.rules.presets import resolve
from tests.service.builders import ADMIN, REFEREE, World, spec
from tests.service.side import Side
from tests.support.waiting import until

NO_MOON = Abilities(kinds=("pass", "play"))
WHY = "it says that it cannot answer decisions of these kinds: moon"
MOON = {"moon_effect": "shooter_choice"}


async def attend(world: World, row: TournamentRow, able: Abilities | None = None, instance: str = "") -> None:
    """Let all entrants be there, the last one with these abilities."""
    await world.storage.fleet.beat(REFEREE, lease=60)
    *others, last = row.entrants
    present = [Presence(entrant.bot, REFEREE.id, "", 50, abilities=Abilities()) for entrant in others]
    present.append(Presence(last.bot, REFEREE.id, instance, 50, abilities=able))
    await world.storage.fleet.set_presence(REFEREE.id, present)
    world.control.news.tell("fleet")


async def played_out(world: World, row: TournamentRow, seconds: float) -> bool:
    """Let so many seconds pass while all that is put in line is played; return whether the tournament has ended."""
    for _ in range(20):
        world.monotonic += seconds / 20
        await world.control.scheduler.look()
        await world.play(await world.in_line(row))
    return (await world.row(row)).state is TournamentState.FINISHED


@pytest.mark.parametrize(
    ("preset", "players", "able", "why"),
    [
        ("standard", 4, None, ""),
        ("cancellation", 11, None, ""),
        ("standard", 4, Abilities(), ""),
        ("cancellation", 6, Abilities(), "with 1 pack, and the rules have 2"),
        ("cancellation", 8, Abilities(max_packs=2), "with 3 to 7 players, and the rules have 8"),
        ("classic", 3, Abilities(min_players=4), "with 4 to 7 players, and the rules have 3"),
        ("hoemke-3222", 4, Abilities(kinds=("play",)), "these kinds: pass, return"),
        ("hoemke-1222", 4, Abilities(kinds=("play",)), ""),
    ],
)
def test_what_a_session_lacks(preset: str, players: int, able: Abilities | None, why: str) -> None:
    """It is said in words; of a session of which nobody has said anything, nothing is known to lack."""
    text = lacks(able, resolve(preset, players=players))
    assert why in text
    assert bool(text) == bool(why)


def test_one_session_that_can_is_enough() -> None:
    """A bot is unfit when none of its sessions can play; one that is not connected is not said to be."""
    rules = resolve("standard", overrides={"moon_effect": "shooter_choice"})
    one, two = BotId("b_1"), BotId("b_2")
    sessions = [
        Presence(one, REFEREE.id, "a", 4, abilities=NO_MOON),
        Presence(two, REFEREE.id, "", 4, abilities=NO_MOON),
    ]
    assert unfit(sessions, [one, BotId("b_3")], rules) == {one: WHY}
    sessions.append(Presence(one, REFEREE.id, "b", 8, abilities=Abilities()))
    assert unfit(sessions, [one, two], rules) == {two: WHY}
    rooms = Rooms({one: 12, two: 4}, 100, sessions)
    assert rooms.under(rules, [one, two]) == {one: 8}
    assert rooms.under(resolve("standard"), [one, two]) == {one: 12, two: 4}


async def test_abilities_are_kept_with_the_presence(world: World) -> None:
    """They come back from storage as they were; presences that an older version has written have none."""
    able = Presence(BotId("b_1"), REFEREE.id, "x", 4, abilities=Abilities(2, 4, 11, ("moon", "play")))
    old = Presence(BotId("b_2"), REFEREE.id, "", 1)
    await world.storage.fleet.beat(REFEREE, lease=60)
    await world.storage.fleet.set_presence(REFEREE.id, [able, old])
    assert await world.storage.fleet.presences() == [able, old]
    assert rows.presences(b'[["b_2","r_test","",1,0]]') == [old]


async def test_entry_is_refused_to_a_bot_that_is_there_and_cannot(world: World) -> None:
    """The error says why and what to do; one that is not connected, or can, is entered."""
    use_cases = world.control.use_cases
    row = await use_cases.tournaments.create(ADMIN, spec(options=MOON))
    one, two, three = await world.bots(3)
    present = [Presence(one.id, REFEREE.id, "", 4, abilities=NO_MOON), Presence(two.id, REFEREE.id, "", 4)]
    await world.storage.fleet.beat(REFEREE, lease=60)
    await world.storage.fleet.set_presence(REFEREE.id, present)
    with pytest.raises(WrongState, match=f"{one.name} cannot play the rules of tournament cup: {WHY}; let it connect"):
        await use_cases.entries.enter(ADMIN, row.id, one.id)
    for bot in (two, three):
        await use_cases.entries.enter(ADMIN, row.id, bot.id)
    assert [entrant.bot for entrant in (await world.row(row)).entrants] == [two.id, three.id]


async def test_the_tournament_says_why(world: World) -> None:
    """Whoever may see the tournament sees which entrant will not be seated and why, before the start and after it."""
    row = await world.control.use_cases.tournaments.create(ADMIN, spec(options=MOON))
    for bot in await world.bots(4):
        await world.control.use_cases.entries.enter(ADMIN, row.name, bot.id)
    for state in ("draft", "start"):
        row = await (world.row(row) if state == "draft" else world.change(row, state))
        await attend(world, row, NO_MOON)
        wire = tournament_to_wire(await world.control.use_cases.views.tournament(row))
        assert [entrant.reason for entrant in wire.entrants] == ["", "", "", WHY]
        assert [entrant.present for entrant in wire.entrants] == [True] * 4


async def test_no_seat_and_waiting(world: World) -> None:
    """With the policy `wait` no match of such a bot is put in line until it connects with what is needed."""
    row = await world.started(4, options=MOON)
    await attend(world, row, NO_MOON)
    assert not await played_out(world, row, 10_000)
    assert (await world.row(row)).attention == f"owner-cup-3 is not seated: {WHY}"
    assert not (await world.storage.tournaments.progress(row.id)).in_flight
    await attend(world, row, Abilities())
    assert await played_out(world, row, 10)
    assert (await world.row(row)).attention == ""


async def test_no_seat_and_withdrawn(world: World) -> None:
    """With the policy `withdraw` it is withdrawn after the wait, with the reason."""
    row = await world.started(5, options=MOON, no_show=NoShow.WITHDRAW, no_show_seconds=60)
    await attend(world, row, NO_MOON)
    assert not await played_out(world, row, 50)
    assert await played_out(world, row, 100)
    last = (await world.row(row)).entrants[-1]
    assert (last.withdrawn, last.reason) == (True, WHY)


async def test_no_seat_and_autopilot(world: World, side: Side) -> None:
    """With the policy `autopilot` its matches are played after the wait, and at the table its seat waits for nobody."""
    row = await world.started(4, options=MOON, no_show=NoShow.AUTOPILOT, no_show_seconds=60)
    await attend(world, row, NO_MOON)
    for _ in range(3):
        world.monotonic += 50
        await world.control.scheduler.look()
    key = (await world.in_line(row))[0]
    for entrant in row.entrants:
        able = Capabilities(kinds=frozenset({"play", "pass"})) if entrant is row.entrants[-1] else Capabilities()
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4, capabilities=able)])
    await side.hosting.host_match(key)
    (match,) = side.hall._matches.values()
    present = {str(seat.order.bot) for seat in match.seats if seat.order.present}
    assert present == {entrant.bot for entrant in row.entrants[:-1]}


async def test_a_bot_that_has_come_back_with_less_is_not_seated(world: World, side: Side) -> None:
    """A match that was put in line before is handed back, not played with it."""
    row = await world.started(4, options=MOON)
    await world.attend(row)
    await world.control.scheduler.look()
    key = (await world.in_line(row))[0]
    for entrant in row.entrants:
        able = Capabilities(kinds=frozenset({"play", "pass"}))
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4, capabilities=able)])
    await side.hosting.host_match(key)
    assert side.hall.tables == 0
    assert (await world.storage.tournaments.match_rows(row.id, [key.number]))[key.number][0] is not MatchState.HOSTED


async def connected(world: World, side: Side, row: TournamentRow, able: Capabilities, instance: str = "") -> Session:
    """Let the first entrant connect to the referee."""
    _, secret = await world.control.use_cases.people.create_token(ADMIN, Role.BOT, row.entrants[0].bot)
    return await side.hall.admit(Greeting(secret, instance=instance, capabilities=able))


async def _noted(session: Session) -> bool:
    return bool(session.notes)


async def test_the_bot_is_told(world: World, side: Side) -> None:
    """A session that cannot play gets a notice, once for each connection, as soon as its bot is entered."""
    row = await world.control.use_cases.tournaments.create(ADMIN, spec(options=MOON))
    (bot,) = await world.bots(1)
    await world.control.use_cases.entries.enter(ADMIN, row.id, bot.id)
    row = await world.change(row, "open")
    news = News(world.storage.wakeups, (topics.TOURNAMENTS,))
    fitness = Fitness(side.hall, side.attendance, world.storage.tournaments)
    telling = asyncio.create_task(fitness.tell_for_ever(news))
    able = Capabilities(kinds=frozenset({"play", "pass"}))
    for _ in range(2):  # the second replaces the first
        session = await connected(world, side, row, able)
        await until(partial(_noted, session))
        fitness.tell()
        news.tell(topics.TOURNAMENTS)
        await fitness.read()
        fitness.tell()
        ((code, text),) = [(note.code, note.text) for note in session.notes]
        assert code == "NO_SEAT"
        assert text == f"this session will not be seated in tournament cup: {WHY}"
    other = await connected(world, side, row, Capabilities(), "other")
    fitness.tell()
    assert not other.notes
    await world.control.use_cases.entries.withdraw(ADMIN, row.id, bot.id)
    await fitness.read()
    third = await connected(world, side, row, able, "third")
    fitness.tell()
    assert not third.notes
    await cancelled([telling])
