"""A tournament as tables, from a real API."""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import dial
from arena.cli.tables import write_tables
from arena.storage.connect import Storage
from arena.storage.ports import Role
from tests.service.builders import world_on
from tests.transport.arena_client import Arena, arena_on


def standings_of(arena: Arena) -> pb.Standings:
    """Return the standings as a reader gets them."""
    with dial(arena.address, arena.secrets[Role.READER]) as api:
        return api.ask(api.stub.GetStandings, pb.GetStandingsRequest(tournament="cup")).standings


async def test_a_score_without_faults_that_nobody_knows(storage: Storage, tmp_path: Path) -> None:
    """Where every block has a fault the clean score is missing everywhere, not 0; faults are decisions, not deals."""
    world = world_on(storage)
    async with arena_on(world) as arena:
        row = await world.started(passes=1)
        await world.attend(row)
        while (await world.row(row)).state.value != "finished":
            world.monotonic += 2
            await world.control.scheduler.look()
            await world.play(await world.in_line(row), faulted=(True, False, False, False))
        found = await asyncio.to_thread(standings_of, arena)

        def write() -> None:
            with dial(arena.address, arena.secrets[Role.READER]) as api:
                write_tables(api, "cup", found, tmp_path)

        await asyncio.to_thread(write)
    assert [row.HasField("score_clean") for row in found.rows] == [False] * 4
    assert [(row.faults, row.faulty_deals) for row in found.rows] == [(6, 2)] * 4
    table = csv.DictReader((tmp_path / "standings.csv").read_text().splitlines())
    assert {(each["score_clean"], each["faults"], each["faulty_deals"]) for each in table} == {("", "6", "2")}
    canonical = json.loads(found.canonical_json)["rows"][0]
    assert (canonical["score_clean"], canonical["faulty_deals"]) == (None, 2)


async def test_tables(storage: Storage, tmp_path: Path) -> None:
    """The tables tell of every match and entrant, and the document holds what deals the cards again."""
    world = world_on(storage)
    async with arena_on(world) as arena:
        row = await world.started(passes=1)
        await world.attend(row)
        for _ in range(row.matches_total + 1):
            world.monotonic += 2
            await world.control.scheduler.look()
            await world.play(await world.in_line(row))

        def write() -> None:
            with dial(arena.address, arena.secrets[Role.READER]) as api:
                found = api.ask(api.stub.GetStandings, pb.GetStandingsRequest(tournament="cup")).standings
                write_tables(api, "cup", found, tmp_path)

        await asyncio.to_thread(write)
    files = ("standings.csv", "matches.csv", "faults.csv")
    tables = {file: list(csv.DictReader((tmp_path / file).read_text().splitlines())) for file in files}
    names = {entrant.name for entrant in row.entrants}
    assert {each["name"] for each in tables["standings.csv"]} == names
    matches = tables["matches.csv"]
    assert [int(each["match"]) for each in matches] == [number for number in range(4) for _ in range(4)]
    assert [each["total"] for each in matches[:4]] == ["0", "10", "16", "26"]
    assert {(each["name"], each["matches"], each["faults"]) for each in tables["faults.csv"]} == {
        (name, "4", "0") for name in names
    }
    document = json.loads((tmp_path / "tournament.json").read_bytes())
    assert (document["spec"]["seed"], document["state"], document["revealed_round"]) == ("7", "finished", 1)
    assert len(document["revealed_secret"]) == 64
