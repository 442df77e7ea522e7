"""The ledger of faults: who sees what, and who is withdrawn for spoiling matches."""

from __future__ import annotations

import pytest

from arena.errors import NotAllowed
from arena.service.access import Caller
from arena.service.faults import FoundFault
from arena.storage.ports import NotFound, Role, TokenId, TournamentRow
from tests.service.builders import ADMIN, READER, World

SEATS = 4


async def spoilt(world: World, position: int, matches: int, suspend_after: int = 3) -> TournamentRow:
    """Play so many matches of a tournament, in each of which whoever sits at *position* is at fault."""
    row = await world.started(passes=4, suspend_after=suspend_after)
    await world.attend(row)
    played = 0
    while played < matches:
        world.monotonic += 2
        await world.control.scheduler.look()
        for key in await world.in_line(row):
            if played < matches:
                await world.play([key], faulted=[seat == position for seat in range(SEATS)])
                played += 1
    world.monotonic += 2
    await world.control.scheduler.look()
    return await world.row(row)


async def listed(world: World, caller: Caller, row: TournamentRow, bot: str = "") -> list[FoundFault]:
    """Return the faults that *caller* sees."""
    return [found async for found in world.control.use_cases.faults.of(caller, row.id, bot)]


async def test_an_organiser_sees_all_in_schedule_order(world: World) -> None:
    """Every fault is there once, with its match and entrant, in the order of the schedule and of the game."""
    row = await spoilt(world, 2, 2, suspend_after=9)
    found = await listed(world, ADMIN, row)
    matches = sorted({each.match for each in found})
    assert len(matches) == 2
    assert [(each.match, each.entry.deal, each.entry.play) for each in found] == [
        (match, deal, play) for match in matches for deal in (1, 2) for play in (1, 2, 3)
    ]
    for each in found:
        assert each.entrant == world.seating(row, world.key(row, each.match))[2]
    one = row.entrants[found[0].entrant]
    for name in (one.name, one.bot):
        assert await listed(world, ADMIN, row, name) == [each for each in found if each.entrant == one.number]


async def test_an_owner_sees_its_own_bots_only(world: World) -> None:
    """Another owner's bot is not found, a reader may not ask, and without bots there is nothing to see."""
    row = await spoilt(world, 1, 1)
    owner = (await world.storage.registry.bots())[0].owner
    own = Caller(TokenId("k_own"), Role.OWNER, owner)
    assert len(await listed(world, own, row)) == 6
    stranger = await world.owner("stranger")
    assert await listed(world, stranger, row) == []
    with pytest.raises(NotFound):
        await listed(world, stranger, row, row.entrants[0].name)
    with pytest.raises(NotFound):
        await listed(world, ADMIN, row, "nobody")
    with pytest.raises(NotAllowed):
        await listed(world, READER, row)


async def test_before_the_start_there_are_none(world: World) -> None:
    """A tournament that has not begun has no faults."""
    row = await world.started()
    assert await listed(world, ADMIN, row) == []


async def test_who_spoils_matches_in_a_row_is_withdrawn(world: World) -> None:
    """After so many matches in a row a bot is withdrawn, with the reason; the others play on."""
    row = await spoilt_by_one(world, matches=3, suspend_after=3)
    assert [entrant.withdrawn for entrant in row.entrants] == [True, False, False, False]
    assert "3 matches in a row" in row.entrants[0].reason
    assert row.entrants[1].reason == ""


async def test_a_good_match_begins_the_count_anew(world: World) -> None:
    """Matches count only in a row."""
    row = await spoilt_by_one(world, matches=2, suspend_after=3)
    assert not any(entrant.withdrawn for entrant in row.entrants)
    (key, *_) = await world.in_line(row)
    await world.play([key])
    assert await world.storage.tournaments.faulty(row.id) == {}


async def spoilt_by_one(world: World, matches: int, suspend_after: int) -> TournamentRow:
    """Play so many matches, each of which the first entrant spoils."""
    row = await world.started(passes=4, suspend_after=suspend_after)
    await world.attend(row)
    played = 0
    while played < matches:
        world.monotonic += 2
        await world.control.scheduler.look()
        for key in (await world.in_line(row))[: matches - played]:
            await world.play([key], faulted=[number == 0 for number in world.seating(row, key)])
            played += 1
    world.monotonic += 2
    await world.control.scheduler.look()
    return await world.row(row)
