"""Tournaments from draft to end, on real storage."""

from __future__ import annotations

import asyncio
from hashlib import sha256

import pytest

from arena.errors import Invalid, NotAllowed, WrongState
from arena.schedule.plan import Boards
from arena.service.commitment import Chain, root_of_seed
from arena.service.spec import from_stored, stored_rounds
from arena.service.tournaments import Change
from arena.storage.ports import AlreadyExists, MatchState, NotFound, TournamentState
from tests.service.builders import ADMIN, ORGANISER, READER, World, spec

DRAFT, OPEN, RUNNING, PAUSED, FINISHED, CANCELLED = TournamentState
MOVES = {
    (DRAFT, Change.OPEN): OPEN,
    (DRAFT, Change.START): RUNNING,
    (OPEN, Change.START): RUNNING,
    (RUNNING, Change.PAUSE): PAUSED,
    (RUNNING, Change.RESUME): RUNNING,
    (PAUSED, Change.RESUME): RUNNING,
    **{(state, Change.CANCEL): CANCELLED for state in (DRAFT, OPEN, RUNNING, PAUSED, CANCELLED)},
}
PATHS: dict[TournamentState, tuple[Change, ...]] = {
    DRAFT: (),
    OPEN: (Change.OPEN,),
    RUNNING: (Change.OPEN, Change.START),
    PAUSED: (Change.START, Change.PAUSE),
    CANCELLED: (Change.CANCEL,),
}


async def in_state(world: World, state: TournamentState) -> str:
    """Bring a tournament of four bots into *state* and return its id."""
    tournaments = world.control.use_cases.tournaments
    row = await tournaments.create(ORGANISER, spec())
    for bot in await world.bots(4):
        await world.control.use_cases.entries.enter(ORGANISER, "cup", bot.id)
    for change in PATHS.get(state, (Change.START,)):
        row = await tournaments.change(ORGANISER, row.id, change)
    if state is FINISHED:
        await world.attend(row)
        while (row := await world.row(row)).state is RUNNING:
            await world.play((await world.control.scheduler.look()).ready)
    assert row.state is state
    return row.id


@pytest.mark.parametrize("change", Change)
@pytest.mark.parametrize("state", TournamentState)
async def test_moves(world: World, state: TournamentState, change: Change) -> None:
    """Every state and every change: either it leads where it should, or it is refused and nothing has changed."""
    ident = await in_state(world, state)
    tournaments = world.control.use_cases.tournaments
    if (state, change) in MOVES:
        assert (await tournaments.change(ADMIN, ident, change)).state is MOVES[state, change]
        return
    before = await tournaments.get(ADMIN, ident)
    with pytest.raises(WrongState, match=f"is {state.value}"):
        await tournaments.change(ADMIN, ident, change)
    assert await tournaments.get(ADMIN, ident) == before


@pytest.mark.parametrize("state", TournamentState)
async def test_deleting(world: World, state: TournamentState) -> None:
    """A tournament that is being played cannot be deleted; any other is gone with all it had, and its name is free."""
    ident = await in_state(world, state)
    tournaments = world.control.use_cases.tournaments
    if state in (RUNNING, PAUSED):
        with pytest.raises(WrongState):
            await tournaments.delete(ADMIN, "cup")
        return
    await tournaments.delete(ADMIN, "cup")
    with pytest.raises(NotFound):
        await tournaments.get(ADMIN, ident)
    assert not [key for key in await world.storage.client.keys("*") if ident.encode() in key and b":queue:" not in key]
    await tournaments.create(ADMIN, spec())


async def test_what_the_start_freezes(world: World) -> None:
    """The start resolves rules and boards, makes the schedule, and commits to a secret unless there is a seed."""
    row = await world.started(8, seed="", boards=None)
    frozen = from_stored(row.spec)
    assert frozen.boards is not None
    assert row.matches_total == len((await world.control.use_cases.views.matches(row, 0, 1000))[0]) > 0
    root = await world.storage.tournaments.secret(row.id)
    for _ in range(stored_rounds(row.spec)):
        root = sha256(root).digest()
    assert row.commitment == root.hex()
    seeded = await world.started(4, name="seeded")
    assert seeded.commitment == ""
    assert await world.storage.tournaments.secret(seeded.id) == root_of_seed("seeded", "7")


async def test_starting_needs_a_table(world: World) -> None:
    """With fewer entrants than seats the start says how many are missing."""
    tournaments = world.control.use_cases.tournaments
    row = await tournaments.create(ADMIN, spec())
    for bot in await world.bots(3):
        await world.control.use_cases.entries.enter(ADMIN, "cup", bot.id)
    with pytest.raises(WrongState, match="enter 1 more"):
        await tournaments.change(ADMIN, row.id, Change.START)


async def test_boards_need_a_second_table(world: World) -> None:
    """Boards that no other table would play are refused at the start, with what to choose instead."""
    with pytest.raises(Invalid, match="choose rotations, balanced or single, or enter 1 more") as refused:
        await world.started(7, boards=Boards.BOARDS)
    assert refused.value.field == "spec.boards"


@pytest.mark.parametrize("players", range(3, 12))
@pytest.mark.parametrize("boards", [None, *Boards])
async def test_tables_of_every_size_start(world: World, players: int, boards: Boards | None) -> None:
    """Every use of boards is planned for every size of table, with entrants for two tables."""
    preset = "classic" if players < 8 else "cancellation"
    row = await world.started(2 * players, preset=preset, options={"players": str(players)}, boards=boards)
    assert row.state is RUNNING
    assert row.matches_total > 0
    chosen = from_stored(row.spec).boards
    assert chosen is (boards or Boards.BOARDS)


async def test_a_schedule_has_bounds(world: World) -> None:
    """A schedule of more matches than can be kept is refused at the start."""
    with pytest.raises(Invalid) as refused:
        await world.started(8, passes=100_000)
    assert refused.value.field == "spec.passes"


async def test_cancelling_voids_what_is_in_flight(world: World) -> None:
    """A cancel ends matches in line and at tables, keeps what has a result, and reveals the secret."""
    row = await world.started(seed="", passes=2)
    await world.attend(row)
    first, *rest = (await world.control.scheduler.look()).ready
    await world.play([first])
    assert rest
    row = await world.change(row, "cancel")
    progress = await world.storage.tournaments.progress(row.id)
    assert (progress.done, dict(progress.in_flight)) == (1, {})
    states = await world.storage.tournaments.match_rows(row.id, [first.number, *(key.number for key in rest)])
    assert [states[key.number][0] for key in (first, *rest)] == [MatchState.DONE] + [MatchState.VOID] * len(rest)
    view = await world.control.use_cases.views.tournament(row)
    assert view.revealed == await world.storage.tournaments.secret(row.id)
    assert view.revealed_round == 2
    world.monotonic += 2
    assert (await world.control.scheduler.look()).ready == ()


async def test_who_sees_what(world: World) -> None:
    """A draft is there for organisers only; an open one for readers too, by id and by name."""
    tournaments = world.control.use_cases.tournaments
    row = await tournaments.create(ORGANISER, spec())
    assert await tournaments.list(READER) == []
    with pytest.raises(NotFound):
        await tournaments.get(READER, "cup")
    with pytest.raises(NotAllowed):
        await tournaments.create(READER, spec(name="other"))
    row = await tournaments.change(ORGANISER, "cup", Change.OPEN)
    assert await tournaments.list(READER) == [row]
    assert await tournaments.get(READER, row.id) == await tournaments.get(READER, "cup") == row
    with pytest.raises(AlreadyExists):
        await tournaments.create(ORGANISER, spec())
    with pytest.raises(Invalid):
        await tournaments.get(READER, "no such name")


async def test_two_starts_at_once(world: World) -> None:
    """Of several starts at once one succeeds, and the cards are those that it committed to."""
    tournaments = world.control.use_cases.tournaments
    row = await tournaments.create(ADMIN, spec(seed=""))
    for bot in await world.bots(4):
        await world.control.use_cases.entries.enter(ADMIN, "cup", bot.id)
    starts = (tournaments.change(ADMIN, row.id, Change.START) for _ in range(8))
    ended = await asyncio.gather(*starts, return_exceptions=True)
    assert sum(not isinstance(end, BaseException) for end in ended) == 1
    assert all(isinstance(end, WrongState) for end in ended if isinstance(end, BaseException))
    row = await world.row(row)
    chain = Chain(await world.storage.tournaments.secret(row.id), stored_rounds(row.spec))
    assert row.commitment == chain.commitment


async def test_a_start_and_a_deletion_at_once(world: World) -> None:
    """A tournament that is started while somebody deletes it is either gone, secret and all, or runs on."""
    tournaments = world.control.use_cases.tournaments
    bots = await world.bots(4)
    for _ in range(5):
        row = await tournaments.create(ADMIN, spec(seed=""))
        for bot in bots:
            await world.control.use_cases.entries.enter(ADMIN, "cup", bot.id)
        start, deletion = await asyncio.gather(
            tournaments.change(ADMIN, row.id, Change.START),
            tournaments.delete(ADMIN, row.id),
            return_exceptions=True,
        )
        assert isinstance(start, BaseException) != isinstance(deletion, BaseException)
        if isinstance(start, BaseException):
            with pytest.raises(NotFound):
                await world.storage.tournaments.secret(row.id)
        else:
            await tournaments.change(ADMIN, row.id, Change.CANCEL)
            await tournaments.delete(ADMIN, row.id)
