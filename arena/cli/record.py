"""`arena record check` and `arena record show`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import FAILED, Failure, Misuse
from arena.cli.options import Json
from arena.cli.streams import writable_json
from arena.cli.style import example_text, new_group

if TYPE_CHECKING:
    from arena.cli.records.checking import Report

app = new_group(
    "Check and show game records. Needs no server.",
    """
    arena record check arena-run/records.jsonl
    arena record show arena-run/records.jsonl --record 3 --deal 2
    """,
)

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...", help="Records: .json, .jsonl (one a line), a directory of those, or - for stdin."
    ),
]


@app.command(
    epilog=example_text(
        """
        arena record check arena-run/records.jsonl
        arena record check games/ more.json
        arena tournament export cup --records - | arena record check -
        arena record check --legal game.json | jq .legal
        """
    )
)
def check(
    files: Files,
    *,
    legal: Annotated[
        bool, typer.Option("--legal", help="Print one JSON line for every decision: what was legal, what was chosen.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Adjudicate records again, from the cards and the decisions alone.

    Exit code 0 when every decision is legal and every number right, else 1, with file, deal, trick, seat and the rule
    that was broken. A directory stands for all .json and .jsonl files in it and below it; that of a run or an exported
    tournament for its records.jsonl. Files of many records are read one record at a time.
    """
    from arena.cli.records.checking import Checker  # noqa: PLC0415
    from arena.cli.records.files import expand  # noqa: PLC0415

    if legal and as_json:
        raise Misuse("--legal prints JSON lines already; leave out --json")
    paths = expand(files)
    checker = Checker(legal=legal, several=len(paths) > 1)
    reports: list[Report] = []
    out = sys.stderr if legal else sys.stdout
    for path in paths:
        report = checker.check(path)
        reports.append(report)
        if not as_json:
            out.writelines(f"{line}\n" for line in report.lines())
    good = not any(report.problems for report in reports)
    if as_json:
        document = {"ok": good, "files": [report.as_json() for report in reports]}
        sys.stdout.write(json.dumps(document) + "\n")
    if not good:
        raise typer.Exit(FAILED)


@app.command(
    epilog=example_text(
        """
        arena record show game.json
        arena record show arena-run/records.jsonl --record 12
        arena record show arena-run/records.jsonl --record 12 --deal 3
        arena record show arena-run/records.jsonl --record 12 --json | jq .seats
        """
    )
)
def show(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of records, the directory of a run, or - for stdin.")
    ],
    *,
    record: Annotated[int, typer.Option("--record", min=1, help="Which record in the file.")] = 1,
    deal: Annotated[int | None, typer.Option("--deal", min=1, help="Only this deal, trick by trick.")] = None,
    as_json: Json = False,
) -> None:
    """Show a game: its seats, deals and totals; with --deal, the hands and every trick."""
    from arena.cli.records.files import Unreadable, expand, read_records  # noqa: PLC0415
    from arena.cli.records.showing import show_deal, show_game  # noqa: PLC0415

    file, *others = expand([file])
    if others:
        raise Misuse(f"there are {len(others) + 1} files of records: name one, for example {file}")
    texts = read_records(file)
    found = next((item for item in texts if item.number == record), None)
    if found is None:
        raise Failure(f"{file} has no record {record}; count them with 'arena record check {file}'")
    if isinstance(found, Unreadable):
        raise Failure(f"{file}: {found.reason}")
    if as_json:
        sys.stdout.write(writable_json(found.data.decode(errors="replace").strip()) + "\n")
    elif deal is None:
        show_game(found, file)
    else:
        show_deal(found, file, deal)
