"""The scheduler on real storage: from the start to the end, absent bots, and what organisers are told."""

from __future__ import annotations

import asyncio

import pytest

from arena.app.lifecycle import cancelled
from arena.service.spec import NoShow
from arena.storage.ports import MatchState, TournamentRow, TournamentState
from tests.service.builders import ADMIN, REFEREE, World, world_on
from tests.support.waiting import until


async def look(world: World, seconds: float = 0.0) -> int:
    """Let time pass and the scheduler look; return how many matches it put in line."""
    world.monotonic += seconds
    return len((await world.control.scheduler.look()).ready)


async def test_from_start_to_end(world: World) -> None:
    """Matches come in line as those before are done, no number twice, and the last result ends the tournament."""
    row = await world.started(passes=2)
    assert await look(world) == 0
    await world.attend(row)
    played: list[int] = []
    while (row := await world.row(row)).state is TournamentState.RUNNING:
        await look(world)
        keys = await world.in_line(row)
        played += [key.number for key in keys]
        await world.play(keys)
    assert sorted(played) == list(range(row.matches_total))
    assert row.state is TournamentState.FINISHED
    assert row.ended == world.epoch
    assert row.attention == ""


async def test_looking_costs_a_fifth_of_a_core_at_most(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much changes meanwhile, a look is followed by a rest of four times its length."""
    scheduler, loop = world.control.scheduler, asyncio.get_running_loop()
    looks: list[float] = []

    async def slow() -> None:
        looks.append(loop.time())
        world.monotonic += 0.05

    monkeypatch.setattr(scheduler, "look", slow)
    monkeypatch.setattr(world.control.news, "watch", lambda: lambda _: asyncio.sleep(0))  # there is always something
    running = asyncio.create_task(scheduler.run())

    async def often() -> bool:
        return len(looks) > 4

    await until(often)
    await cancelled([running])
    assert looks[4] - looks[0] >= 4 * 4 * 0.05


async def test_the_loop_goes_on_by_itself(world: World) -> None:
    """Run as a loop with real wakeups, the scheduler plays a tournament out while results come in."""
    row = await world.started()
    await world.attend(row)
    loops = [asyncio.create_task(run()) for run in (world.control.news.run, world.control.scheduler.run)]

    async def over() -> bool:
        await world.play(await world.in_line(row))
        return (await world.row(row)).state is TournamentState.FINISHED

    await until(over)
    await cancelled(loops)


async def test_two_schedulers(world: World) -> None:
    """A second scheduler, as after a restart, puts nothing in line twice."""
    row = await world.started(passes=3)
    await world.attend(row)
    other = world_on(world.storage)
    await asyncio.gather(world.control.scheduler.look(), other.control.scheduler.look())
    keys = await world.in_line(row)
    await world.play(keys)
    await asyncio.gather(world.control.scheduler.look(), other.control.scheduler.look())
    done = (await world.storage.tournaments.progress(row.id)).done
    assert done == len(keys)


async def test_pause_and_resume(world: World) -> None:
    """A paused tournament gets no new matches; resumed, it goes on."""
    row = await world.started(passes=2)
    await world.attend(row)
    row = await world.change(row, "pause")
    assert await look(world, 2) == 0
    row = await world.change(row, "resume")
    assert await look(world, 2) > 0


async def absent(world: World, no_show: NoShow) -> TournamentRow:
    """Start a tournament whose last entrant is absent, and let the scheduler see it."""
    row = await world.started(5, no_show=no_show, no_show_seconds=60)
    await world.attend(row, without=[4])
    await look(world)
    await world.play(await world.in_line(row))
    return row


async def remaining(world: World, row: TournamentRow, seconds: float) -> bool:
    """Let so many seconds pass while everything in line is played; return whether the tournament ended."""
    for _ in range(40):
        await look(world, seconds / 20)
        await world.play(await world.in_line(row))
    return (await world.row(row)).state is TournamentState.FINISHED


async def test_no_show_wait(world: World) -> None:
    """With the policy `wait` the matches of an absent bot wait for ever, and the organiser is told for whom."""
    row = await absent(world, NoShow.WAIT)
    assert not await remaining(world, row, 10_000)
    assert "waiting for owner-cup-4 to connect" in (await world.row(row)).attention
    await world.attend(row)
    assert await remaining(world, row, 1)
    assert (await world.row(row)).attention == ""


async def test_no_show_autopilot(world: World) -> None:
    """With the policy `autopilot` they are played after the wait, and the bot may come back."""
    row = await absent(world, NoShow.AUTOPILOT)
    assert not await remaining(world, row, 25)
    assert await remaining(world, row, 100)
    assert not any(entrant.withdrawn for entrant in (await world.row(row)).entrants)


async def test_no_show_withdraw(world: World) -> None:
    """With the policy `withdraw` the bot is withdrawn after the wait, and the rest is played."""
    row = await absent(world, NoShow.WITHDRAW)
    assert not await remaining(world, row, 25)
    assert await remaining(world, row, 100)
    assert [entrant.withdrawn for entrant in (await world.row(row)).entrants] == [False] * 4 + [True]


async def test_nobody_is_late_while_no_referee_runs(world: World) -> None:
    """A bot is not withdrawn for not being at a referee that is not there."""
    row = await world.started(no_show=NoShow.WITHDRAW, no_show_seconds=60)
    assert not await remaining(world, row, 10_000)
    row = await world.row(row)
    assert row.attention == "no referee is running that takes tables"
    assert not any(entrant.withdrawn for entrant in row.entrants)


async def test_parked_matches(world: World) -> None:
    """Matches given up are told to the organiser, do not stop others, and `resume` tries them again."""
    row = await world.started(passes=2)
    await world.attend(row)
    await look(world)
    first = (await world.in_line(row))[0]
    state = MatchState.READY
    for _ in range(3):
        taken = await world.storage.tournaments.take(first, REFEREE.id)
        assert taken is not None
        state = await world.storage.tournaments.release(first, taken.attempt, park_after=3)
    assert state is MatchState.PARKED
    assert not await remaining(world, row, 10)
    assert "1 matches were given up" in (await world.row(row)).attention
    view = await world.control.use_cases.views.tournament(await world.row(row))
    assert (view.parked, view.done) == (1, row.matches_total - 1)
    await world.change(row, "resume")
    assert await remaining(world, row, 10)


async def test_a_deleted_tournament_is_forgotten(world: World) -> None:
    """A tournament cancelled and deleted between two looks disturbs nothing."""
    row, other = await world.started(), await world.started(name="other")
    await world.attend(other)
    await look(world)
    await world.change(row, "cancel")
    await world.control.use_cases.tournaments.delete(ADMIN, row.id)
    loop = asyncio.create_task(world.control.scheduler.run())

    async def finished() -> bool:
        world.monotonic += 1
        await world.play(await world.in_line(other))
        return (await world.row(other)).state is TournamentState.FINISHED

    await until(finished)
    await cancelled([loop])
