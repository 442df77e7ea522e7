"""Writes a tournament's records and standings."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.errors import Failure
from arena.cli.export import export, records_to
from arena.cli.output import counted, note

if TYPE_CHECKING:
    from arena.cli.client import Api
    from arena.cli.plain import Plain


def export_to(api: Api, tournament: str, out: Path | None, records: str | None) -> dict[str, Plain]:
    """Write both files to the directory *out*, or the records alone to *records*; return what was written."""
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"cannot make {out}: {error.strerror}") from None
        found = api.ask(api.stub.GetStandings, pb.GetStandingsRequest(tournament=tournament)).standings
        files = out / "records.jsonl", out / "standings.json"
        count = export(api, tournament, found, *files)
        note(f"{counted(count, 'record')} in {files[0]}, standings in {files[1]}")
        if count:
            note(f"next: arena record check {shlex.quote(str(files[0]))}")
        return {"records": count, "records_file": str(files[0]), "standings_file": str(files[1])}
    if records == "-":
        count = records_to(api, tournament, sys.stdout.buffer)
        return {"records": count}
    file = Path(records or "")
    count = export(api, tournament, None, file, None)
    note(f"{counted(count, 'record')} in {file}")
    return {"records": count, "records_file": str(file)}
