"""Entering and withdrawing, on real storage."""

from __future__ import annotations

import asyncio

import pytest

from arena.errors import WrongState
from arena.service.tournaments import Change
from arena.storage.ports import NotFound, TournamentRow
from tests.service.builders import ADMIN, NOW, World, spec, world_on


async def cup(world: World, *, state: str = "open", close: float | None = None) -> TournamentRow:
    """Create a tournament and bring it into *state*."""
    row = await world.control.use_cases.tournaments.create(ADMIN, spec(entry_close=close))
    return row if state == "draft" else await world.change(row, state)


async def test_owners_enter_their_own_while_it_is_open(world: World) -> None:
    """An owner enters its own bot, once, into an open tournament; in a draft there is none for it."""
    entries, people = world.control.use_cases.entries, world.control.use_cases.people
    alice, bob = await world.owner("alice"), await world.owner("bob")
    mine, other = await people.create_bot(alice, "", "m"), await people.create_bot(bob, "", "o")
    row = await cup(world, state="draft")
    with pytest.raises(NotFound):
        await entries.enter(alice, "cup", mine.id)
    assert (await entries.enter(ADMIN, "cup", other.id)).number == 0
    await world.change(row, "open")
    assert (await entries.enter(alice, "cup", mine.id)).number == 1
    assert (await entries.enter(alice, row.id, mine.id)).number == 1
    for refused in (entries.enter(alice, "cup", other.id), entries.withdraw(alice, "cup", other.id)):
        with pytest.raises(NotFound):
            await refused
    assert len((await world.row(row)).entrants) == 2


async def test_all_enter_at_once(world: World) -> None:
    """Entries at the same time are all kept, each with a number of its own."""
    row = await cup(world)
    bots = await world.bots(12)
    entered = await asyncio.gather(*(world.control.use_cases.entries.enter(ADMIN, "cup", bot.id) for bot in bots))
    assert sorted(entrant.number for entrant in entered) == list(range(12))
    assert {entrant.bot for entrant in (await world.row(row)).entrants} == {bot.id for bot in bots}


async def test_two_processes_enter_at_once(world: World) -> None:
    """Entries through two API processes at the same time are all kept."""
    row = await cup(world)
    bots = await world.bots(8)
    other = world_on(world.storage)
    await asyncio.gather(
        *(
            (world if number % 2 else other).control.use_cases.entries.enter(ADMIN, "cup", bot.id)
            for number, bot in enumerate(bots)
        )
    )
    entrants = (await world.row(row)).entrants
    assert [entrant.number for entrant in entrants] == list(range(8))
    assert {entrant.bot for entrant in entrants} == {bot.id for bot in bots}


async def test_names_in_a_tournament_differ(world: World) -> None:
    """Bots of the same name are told apart by their owners'."""
    people, entries = world.control.use_cases.people, world.control.use_cases.entries
    await cup(world)
    names = []
    for owner in ("alice", "bob"):
        bot = await people.create_bot(await world.owner(owner), "", "counter")
        names.append((await entries.enter(ADMIN, "cup", bot.id)).name)
    assert names == ["counter", "counter (bob)"]


async def test_entry_closes(world: World) -> None:
    """After its time the entry is closed, and with the start as well."""
    entries = world.control.use_cases.entries
    bots = await world.bots(6)
    row = await cup(world, close=NOW + 60)
    for bot in bots[:4]:
        await entries.enter(ADMIN, "cup", bot.id)
    world.epoch += 61
    with pytest.raises(WrongState, match="closed"):
        await entries.enter(ADMIN, "cup", bots[4].id)
    await world.control.use_cases.tournaments.change(ADMIN, row.id, Change.START)
    with pytest.raises(WrongState, match="running"):
        await entries.enter(ADMIN, "cup", bots[5].id)


async def test_withdrawing_before_the_start(world: World) -> None:
    """Before the start an entrant leaves without a trace, and the others move up."""
    entries = world.control.use_cases.entries
    bots = await world.bots(3)
    row = await cup(world)
    for bot in bots:
        await entries.enter(ADMIN, "cup", bot.id)
    await entries.withdraw(ADMIN, "cup", bots[0].id)
    with pytest.raises(NotFound):
        await entries.withdraw(ADMIN, "cup", bots[0].id)
    row = await world.row(row)
    assert [(entrant.number, entrant.bot) for entrant in row.entrants] == [(0, bots[1].id), (1, bots[2].id)]


async def test_withdrawing_after_the_start(world: World) -> None:
    """After the start an entrant stays in the schedule, marked, however often it withdraws."""
    row = await world.started()
    for _ in range(2):
        await world.control.use_cases.entries.withdraw(ADMIN, "cup", row.entrants[2].bot)
    row = await world.row(row)
    assert [entrant.withdrawn for entrant in row.entrants] == [False, False, True, False]
    row = await world.change(row, "cancel")
    with pytest.raises(WrongState):
        await world.control.use_cases.entries.withdraw(ADMIN, "cup", row.entrants[1].bot)
