"""Rankings, records and what readers see, on real storage."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from arena.errors import Invalid
from arena.schedule.plan import Boards
from arena.service.planning import Plans
from arena.service.standings import Ranking, Rankings
from arena.storage.ports import MatchKey, MatchState, TournamentRow
from tests.service.builders import ADMIN, World, spec


async def ready(world: World, row: TournamentRow) -> list[MatchKey]:
    """Put all matches in line that can be, and return them."""
    world.monotonic += 2
    await world.attend(row)
    await world.control.scheduler.look()
    return await world.in_line(row)


async def finish(world: World, row: TournamentRow) -> TournamentRow:
    """Play a tournament out; entrant n takes n points a deal."""
    while keys := await ready(world, row):
        for key in keys:
            seating = (await world.control.use_cases.views.matches(row, key.number, 1))[0][0].seating
            await world.play([key], seating)
    await ready(world, row)
    return await world.row(row)


async def test_rankings_are_kept_until_there_is_more(world: World) -> None:
    """A ranking reads complete blocks, is made again when there are more results, and costs nothing otherwise."""
    row = await world.started(passes=2)
    views = world.control.use_cases.views
    assert (await views.ranking(row)).blocks_used == 0
    await world.play((await ready(world, row))[:1])
    before = await views.ranking(row)
    assert (before.blocks_used, before.blocks_total) == (0, 2)
    assert await views.ranking(row) is before
    row = await finish(world, row)
    after = await views.ranking(row)
    assert (after.blocks_used, len(after.rows)) == (2, 4)
    assert [rank.entrant for rank in after.rows] == [0, 1, 2, 3]
    assert json.loads(after.canonical)["rows"][0]["name"] == after.rows[0].name
    assert [(rank.matches, rank.deals, rank.faults) for rank in after.rows] == [(8, 16, 0)] * 4


async def test_a_recent_ranking_may_be_a_little_old(world: World) -> None:
    """A watcher gets the ranking before rather than have each result cost a computation."""
    row = await world.started(passes=2)
    times = iter(range(1000))
    rankings = Rankings(world.storage.tournaments, Plans(), lambda: float(next(times)))
    first = await rankings.of(row)
    await world.play((await ready(world, row))[:1])
    assert await rankings.of(row, recent=True) is first
    assert await rankings.of(row) is not first


async def test_before_the_start_there_is_nothing(world: World) -> None:
    """A tournament that has not started has no matches, no records and no ranking."""
    row = await world.control.use_cases.tournaments.create(ADMIN, spec())
    views = world.control.use_cases.views
    assert await views.matches(row, 0, 10) == ([], 0)
    assert [item async for item in views.records(row, [])] == []
    assert await views.ranking(row) == Ranking()
    view = await views.tournament(row)
    assert (view.done, view.revealed_round, view.rules.deals) == (0, 0, 2)


@pytest.mark.parametrize("boards", [Boards.ROTATIONS, Boards.BALANCED])
async def test_records_are_sealed(world: World, boards: Boards) -> None:
    """No record is released while its deals are still played elsewhere; then all of the unit are."""
    row = await world.started(boards=boards, passes=2)
    views, unit = world.control.use_cases.views, 12 if boards is Boards.BALANCED else 4
    while True:
        keys = await ready(world, row)
        if not keys:
            break
        for key in keys:
            await world.play([key])
            done = (await world.storage.tournaments.result_numbers(row.id)) | set()
            complete = {
                n for n in range(row.matches_total) if done >= {*range(n // unit * unit, n // unit * unit + unit)}
            }
            seen = {number for number, _ in [item async for item in views.records(row, [])]}
            assert seen == complete
            matches, total = await views.matches(row, 0, 1000)
            assert total == row.matches_total
            assert {match.number for match in matches if match.released} == complete
            assert {match.number for match in matches if match.state is MatchState.DONE} == done


async def test_records_are_canonical(world: World) -> None:
    """Records come in schedule order, say where they belong, and are the same from two runs."""
    records = []
    row = None
    for _ in range(2):
        await world.storage.client.flushall()
        world.control = type(world.control)(world.storage, lambda: world.epoch, lambda: world.monotonic)
        row = await finish(world, await world.started(passes=2))
        records.append([item async for item in world.control.use_cases.views.records(row, [])])
    assert row is not None
    assert records[0] == records[1]
    assert [number for number, _ in records[0]] == list(range(8))
    record = json.loads(records[0][5][1])
    assert record["origin"]["tournament"] == "cup"
    assert record["origin"]["block"] == 1
    assert record["rules"]["preset"] == "standard"
    some = [item async for item in world.control.use_cases.views.records(row, [5, 1, 5])]
    assert some == [records[0][1], records[0][5]]
    with pytest.raises(Invalid):
        async for _ in world.control.use_cases.views.records(row, [8]):
            pass


async def test_a_cancelled_tournament_keeps_what_it_has(world: World) -> None:
    """After a cancel nothing is sealed any more."""
    row = await world.started(passes=2)
    await world.play((await ready(world, row))[:2])
    views = world.control.use_cases.views
    assert [item async for item in views.records(row, [])] == []
    row = await world.change(row, "cancel")
    assert len([item async for item in views.records(row, [])]) == 2
    matches, _ = await views.matches(row, 0, 1000)
    assert {match.state for match in matches} == {MatchState.DONE, MatchState.PLANNED}


async def test_secrets_are_revealed_round_by_round(world: World) -> None:
    """A round's secret is told when all its matches are done, not before, and hashes back to the commitment."""
    row = await world.started(seed="", passes=3)
    views, revealed = world.control.use_cases.views, []
    while keys := await ready(world, row):
        view = await views.tournament(row)
        revealed.append(view.revealed_round)
        complete = (await views.ranking(row)).blocks_used
        assert view.revealed_round == complete
        secret = view.revealed
        for _ in range(view.revealed_round):
            secret = sha256(secret).digest()
        assert secret.hex() == row.commitment or view.revealed_round == 0
        await world.play(keys)
    assert revealed[0] == 0
    view = await views.tournament(await world.row(row))
    assert view.revealed_round == 3
    assert (view.done, view.deals, view.running) == (12, 24, 0)
