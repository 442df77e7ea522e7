"""What readers make a process keep is bounded, however many tournaments they read."""

from __future__ import annotations

import pytest

from arena.service import ledgers, standings
from arena.service.ledgers import Ledgers
from arena.service.planning import Plans
from arena.service.standings import Rankings
from arena.storage.ports import TournamentRow
from tests.service.builders import World


async def rows_of(world: World, count: int) -> list[TournamentRow]:
    """Return so many tournaments, each with one result."""
    rows = []
    for number in range(count):
        row = await world.started(name=f"cup-{number}")
        await world.attend(row)
        world.monotonic += 2
        (first, *_) = (await world.control.scheduler.look()).ready
        await world.play([first])
        rows.append(await world.change(row, "cancel"))
    return rows


async def test_the_latest_ledgers_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the latest ledgers that were asked for are kept, and one that is asked for again is as it was."""
    rows = await rows_of(world, 4)
    monkeypatch.setattr(ledgers, "READ", 2)
    reading = Ledgers(world.storage.tournaments, Plans(), bounded=True)
    for row in (*rows, rows[0]):
        plan, ledger = await reading.of(row)
        assert (plan.tournament, len(ledger.done)) == (row.id, 1)
        assert len(reading.kept) <= 2
    assert reading.kept == (rows[3].id, rows[0].id)


async def test_results_that_are_kept_are_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long tournaments count for more; the one just asked for is kept in any case."""
    rows = await rows_of(world, 3)
    reading = Ledgers(world.storage.tournaments, Plans(), bounded=True)
    for most, kept in ((2, rows[1:]), (0, rows[2:])):
        monkeypatch.setattr(ledgers, "READ_MATCHES", most)
        for row in rows:
            await reading.of(row)
        assert reading.kept == tuple(row.id for row in kept)


async def test_plans_in_play_are_not_made_again(world: World) -> None:
    """A process that looks after more tournaments than plans are kept for makes no plan twice."""
    rows = await rows_of(world, 3)
    plans = Plans(kept=1)
    playing = Ledgers(world.storage.tournaments, plans)
    first = [(await playing.of(row))[0] for row in rows]
    again = [(await playing.of(row))[0] for row in rows]
    assert all(one is other for one, other in zip(first, again, strict=True))
    playing.forget({rows[0].id})
    assert playing.kept == (rows[0].id,)


async def test_the_latest_rankings_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the latest rankings that were asked for are kept."""
    rows = await rows_of(world, 3)
    monkeypatch.setattr(standings, "KEPT", 2)
    rankings = Rankings(world.storage.tournaments, Plans())
    for row in (*rows, rows[1]):
        assert (await rankings.of(row)).rows
        assert len(rankings.kept) <= 2
    assert rankings.kept == (rows[2].id, rows[1].id)
