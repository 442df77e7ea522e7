"""Damaged rows in storage: what is damaged is told and left out, and everything else goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pytest
from structlog.testing import capture_logs

from arena.app.lifecycle import cancelled
from arena.app.standing import StandingWatch
from arena.service.admission import Admissions
from arena.service.fitness import Fitness
from arena.service.guests import Guests
from arena.service.people import digest_of
from arena.service.sweeping import sweep
from arena.storage import keys
from arena.storage.ports import Damaged, MatchState, Role, TournamentRow, TournamentState
from arena.storage.redis_store.db import Argument, Db
from referee.host.ports import NotAdmitted
from tests.service.builders import ADMIN, REFEREE, World
from tests.service.side import Side
from tests.support.waiting import until

BAD: Final = b"\xff\x00{garbage"
BARE: Final = '{"id":"T","name":"T","spec":{},"created":1,"started":1}'
Commands = tuple[tuple[Argument, ...], ...]

OF_ONE: Final[Mapping[str, Commands]] = MappingProxyType(
    {
        "row": (("HSET", "arena:tournament:T", "row", BAD),),
        "row-empty": (("HSET", "arena:tournament:T", "row", "{}"),),
        "row-list": (("HSET", "arena:tournament:T", "row", "[]"),),
        "row-bare": (("HSET", "arena:tournament:T", "row", BARE),),
        "state": (("HSET", "arena:tournament:T", "state", "odd"),),
        "revision": (("HSET", "arena:tournament:T", "revision", "x"),),
        "tournament-type": (("DEL", "arena:tournament:T"), ("SET", "arena:tournament:T", "x")),
        "tournament-gone": (("DEL", "arena:tournament:T"),),
        "deals": (("HSET", "arena:tournament:T", "deals", "x"),),
        "flight": (("HSET", "arena:flight:T", "0", BAD),),
        "flight-words": (("HSET", "arena:flight:T", "0", "hosted"),),
        "flight-number": (("HSET", "arena:flight:T", "x", "ready 0 0 - -"),),
        "flight-beyond": (("HSET", "arena:flight:T", "999999", "ready 0 0 - -"),),
        "flight-type": (("DEL", "arena:flight:T"), ("SET", "arena:flight:T", "x")),
        "ended-type": (("DEL", "arena:ended:T"), ("SET", "arena:ended:T", "x")),
        "result": (("HSET", "arena:results:T", "0", BAD),),
        "result-number": (("HSET", "arena:results:T", "x", BAD),),
        "results-type": (("DEL", "arena:results:T"), ("SET", "arena:results:T", "x")),
        "records-type": (("DEL", "arena:records:T"), ("SET", "arena:records:T", "x")),
        "checkpoints-type": (("DEL", "arena:checkpoints:T"), ("SET", "arena:checkpoints:T", "x")),
        "faulty": (("HSET", "arena:faulty:T", "b_x", "x"),),
        "faulty-type": (("DEL", "arena:faulty:T"), ("SET", "arena:faulty:T", "x")),
        "secret-gone": (("DEL", "arena:secret:T"),),
        "secret-type": (("DEL", "arena:secret:T"), ("SADD", "arena:secret:T", "x")),
    }
)
"""By kind the commands that damage the tournament whose id is T."""

OF_ALL: Final[Commands] = (
    ("ZADD", keys.READY, "1", BAD),
    ("ZADD", keys.QUEUED, "1", BAD, "1", "t_none.x"),
    ("LPUSH", keys.TOURNAMENT_ORDER, BAD),
    ("ZADD", keys.REFEREES, "9e15", "r_bad", "9e15", "r_odd", "1", "r_dead", "1", "r_type"),
    ("HSET", keys.REFEREE_ROWS, "r_bad", BAD, "r_odd", '{"id":"r_odd","address":5,"capacity":"many"}', "r_dead", BAD),
    ("HSET", keys.PRESENCES, "r_bad", BAD, "r_odd", '[["b",[],"","many",0,[1,"x","y",5]]]'),
    ("SADD", "arena:hosted:r_dead", BAD, "t_none.77", "nonsense"),
    ("SET", "arena:hosted:r_type", "x"),
    ("SADD", keys.hosted(REFEREE.id), BAD, "t_none.77", "nonsense"),
    ("RPUSH", keys.calls(REFEREE.id), BAD, "[]", "[1,2,3,4]", '{"a":1,"b":2,"c":3,"d":4}'),
    ("HSET", keys.SWEEP, "swept", "x", "since", "y"),
)
"""What damages rows that concern everybody."""


async def with_nobody(world: World, name: str, **given: object) -> TournamentRow:
    """Start a tournament all of whose bots withdraw, so that it is played by itself."""
    row = await world.started(name=name, **given)  # type: ignore[arg-type] # fields of the spec
    for entrant in row.entrants:
        await world.control.use_cases.entries.withdraw(ADMIN, row.id, entrant.bot)
    await world.attend(row)
    return await world.row(row)


async def damage(world: World, commands: Commands, ident: str = "") -> None:
    """Do damage, to the tournament *ident*."""
    db = Db(world.storage.client)
    for command in commands:
        await db.command(
            *(part.replace(":T", f":{ident}").replace('"T"', f'"{ident}"') if isinstance(part, str) else part
              for part in command)
        )  # fmt: skip


@pytest.fixture
async def loops(world: World, side: Side) -> Mapping[str, asyncio.Task[None]]:
    """Run all that a control and a referee run; their clocks go six times as fast as ours."""
    storage, control = world.storage, world.control
    guests = Guests(side.hall, storage.visits, storage.fleet, storage.wakeups, REFEREE)
    fitness = Fitness(side.hall, side.attendance, storage.tournaments)

    async def swept() -> None:
        await sweep(storage.fleet, lease=0.2, park_after=3)

    async def clock() -> None:
        while True:
            await asyncio.sleep(0.05)
            world.monotonic += 0.3
            side.clock += 0.3

    return MappingProxyType(
        {
            "hall": side.tasks[0],
            "writer": side.tasks[1],
            "clock": asyncio.ensure_future(clock()),
            "scheduler": asyncio.ensure_future(control.scheduler.run()),
            "standing": asyncio.ensure_future(StandingWatch(control.rankings, control.scheduler.state, 1000).run()),
            "beat": asyncio.ensure_future(side.hosting.beat_for_ever()),
            "guests": asyncio.ensure_future(guests.answer_for_ever(control.news)),
            "fitness": asyncio.ensure_future(fitness.tell_for_ever(control.news)),
            "work": asyncio.ensure_future(
                storage.queue.work(side.hosting.host_match, sweep=swept, sweep_every=0.1, grace=0.1)
            ),
        }
    )


async def test_damage_hurts_what_is_damaged(world: World, loops: Mapping[str, asyncio.Task[None]]) -> None:
    """With a tournament damaged in every way, and rows of all, no loop breaks, the others are played, lists answer."""
    names = [f"{when}-{kind}" for kind in OF_ONE for when in ("before", "meanwhile")]
    hurt = {name: await with_nobody(world, name) for name in names}
    for name, row in hurt.items():
        if name.startswith("before"):
            await damage(world, OF_ONE[name.partition("-")[2]], row.id)
    await damage(world, OF_ALL)
    healthy = await with_nobody(world, "healthy", passes=2)
    later = asyncio.get_running_loop().time() + 2
    done = False

    async def over() -> bool:
        nonlocal done
        assert not [f"{name}: {task.exception()!r}" for name, task in loops.items() if task.done()]
        if not done and asyncio.get_running_loop().time() > later:
            done = True
            for name, row in hurt.items():
                if name.startswith("meanwhile"):
                    await damage(world, OF_ONE[name.partition("-")[2]], row.id)
        return done and (await world.row(healthy)).state is TournamentState.FINISHED

    try:
        await until(over)
        views = await world.control.use_cases.views.tournaments(await world.control.use_cases.tournaments.list(ADMIN))
        assert "healthy" in {view.row.name for view in views}
        assert "left out" not in (await world.row(healthy)).attention
        told = await world.row(hurt["before-flight"])
        assert "cannot be read" in told.attention
        with pytest.raises(Damaged, match="backup"):
            await world.row(hurt["before-row"])
    finally:
        await cancelled(loops.values())


@pytest.mark.parametrize("kind", ["flight", "flight-words", "flight-number"])
async def test_a_damaged_tournament_can_be_cancelled_and_deleted(world: World, kind: str) -> None:
    """Rows of matches that cannot be read end like the others."""
    row = await with_nobody(world, "cup")
    await damage(world, OF_ONE[kind], row.id)
    await world.change(row, "cancel")
    await world.control.use_cases.tournaments.delete(ADMIN, row.id)
    assert not await world.control.use_cases.tournaments.list(ADMIN)


async def test_a_damaged_checkpoint(world: World, side: Side) -> None:
    """A match whose checkpoint cannot be read is played anew; it had been taken again and again, for ever."""
    row = await with_nobody(world, "cup")
    await world.control.scheduler.look()
    key = (await world.in_line(row))[0]
    await damage(world, (("HSET", keys.checkpoints(row.id), key.number, BAD),))
    with capture_logs() as lines:
        await side.hosting.host_match(key)
        await until(lambda: world.storage.tournaments.results(row.id))
    assert "checkpoint_damaged" in [line["event"] for line in lines]


async def test_a_result_that_cannot_be_written(world: World, side: Side) -> None:
    """The attempt is handed back, after three the match is given up, and the writer goes on."""
    row = await with_nobody(world, "cup")
    await world.control.scheduler.look()
    key = (await world.in_line(row))[0]
    await damage(world, OF_ONE["records-type"], row.id)
    for state in (MatchState.READY, MatchState.READY, MatchState.PARKED):
        await side.hosting.host_match(key)
        assert side.hall.tables or side.writer.waiting

        async def written() -> bool:
            return not side.hall.tables and not side.writer.waiting

        await until(written)
        assert (await world.storage.tournaments.match_rows(row.id, [key.number]))[key.number][0] is state


async def test_cards_are_dealt_from_the_secret_that_was_committed_to(world: World, side: Side) -> None:
    """With another secret no match is played: its cards would not be those of the commitment."""
    row = await with_nobody(world, "cup", seed="")
    assert row.commitment
    await world.control.scheduler.look()
    key = (await world.in_line(row))[0]
    await damage(world, (("SET", keys.secret(row.id), "x" * 32),))
    with pytest.raises(Damaged, match="committed"):
        await side.hosting.host_match(key)
    assert await world.in_line(row)


async def test_a_damaged_token(world: World) -> None:
    """A bot whose token cannot be read is not let in; one that is in stays, for that is not its fault."""
    people, (bot,) = world.control.use_cases.people, await world.bots(1)
    _, secret = await people.create_token(ADMIN, Role.BOT, bot.id)
    admissions = Admissions(world.storage.registry, world.storage.visits, REFEREE.id)
    await damage(world, (("HSET", keys.TOKENS, digest_of(secret), BAD),))
    with pytest.raises(NotAdmitted, match="cannot be read"):
        await admissions.admit(secret)
    assert await admissions.recheck([digest_of(secret)]) == {}
    assert await people.tokens(ADMIN) == []
