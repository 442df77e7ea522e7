"""Writes what a tournament leaves behind: records and standings, byte for byte as the server has them, and tables."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.errors import Failure
from arena.cli.files import write_atomically
from arena.cli.tables import write_tables

if TYPE_CHECKING:
    from pathlib import Path

    from arena.cli.client import Api


def records_to(api: Api, tournament: str, file: IO[bytes]) -> int:
    """Write all released records, one a line in schedule order, and return how many."""
    count = 0
    for item in api.stream(api.stub.ListRecords, pb.ListRecordsRequest(tournament=tournament)):
        file.write(item.record + b"\n")
        count += 1
    return count


def export(
    api: Api, tournament: str, standings: pb.Standings | None, records_file: Path, standings_file: Path | None
) -> int:
    """Write the files, each whole or not at all, and return the number of records.

    Beside the standings go the tables of `arena.cli.tables`.
    """
    part = records_file.with_name(records_file.name + ".part")
    try:
        with part.open("wb") as file:
            count = records_to(api, tournament, file)
        part.replace(records_file)
        if standings is not None and standings_file is not None:
            write_atomically(standings_file, standings.canonical_json + b"\n")
            write_tables(api, tournament, standings, standings_file.parent)
    except OSError as error:
        raise Failure(f"cannot write {error.filename or records_file}: {error.strerror}") from None
    return count
