"""`arena standings`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from hearts.v1 import arena_service_pb2 as pb
from rich.text import Text

from arena.cli.client import connect
from arena.cli.errors import Misuse
from arena.cli.options import DEFAULT_SERVER, Json, Server, TokenFile
from arena.cli.output import print_json, stdout
from arena.cli.ranking import legend, ranking, standings_json
from arena.cli.style import example_text, new_app

app = new_app()


@app.command(
    epilog=example_text(
        """
        arena standings spring-cup
        arena standings spring-cup --json | jq '.rows[0].name'
        arena standings spring-cup --canonical > standings.json
        """
    )
)
def standings(
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's name or id.")],
    *,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Print the canonical JSON: equal tournaments give equal bytes.")
    ] = False,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Print the standings, from the longest complete run of blocks from the schedule's beginning."""
    if canonical and as_json:
        raise Misuse("--canonical is JSON already; leave out --json")
    with connect(server, token_file) as api:
        found = api.ask(api.stub.GetStandings, pb.GetStandingsRequest(tournament=tournament)).standings
    if canonical:
        sys.stdout.buffer.write(found.canonical_json + b"\n")
    elif as_json:
        print_json(standings_json(found))
    else:
        stdout().print(ranking(found))
        stdout().print(Text(legend(found), style="dim"))
