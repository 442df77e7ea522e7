"""`arena faults`."""

from __future__ import annotations

from typing import Annotated

import typer
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import connect
from arena.cli.options import DEFAULT_SERVER, Json, Server, TokenFile
from arena.cli.output import print_json, stdout, table
from arena.cli.plain import plain
from arena.cli.style import example_text, new_app

app = new_app()

_COLUMNS = ("match", "deal", "bot", "fault", "decision", "expected", "came")


@app.command(
    epilog=example_text(
        """
        arena faults spring-cup
        arena faults spring-cup --bot alice
        arena faults spring-cup --json | jq -r '.[].kind' | sort | uniq -c
        """
    )
)
def faults(
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's name or id.")],
    *,
    bot: Annotated[str, typer.Option(metavar="BOT", help="Only this bot, by name or id.")] = "",
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Show what bots did wrong, in matches that have a result: an owner sees its own bots, an organiser all."""
    with connect(server, token_file) as api:
        request = pb.ListFaultsRequest(tournament=tournament, bot=bot)
        found = [item.fault for item in api.stream(api.stub.ListFaults, request)]
        row = api.ask(api.stub.GetTournament, pb.GetTournamentRequest(tournament=tournament)).tournament
    names = {entrant.number: entrant.name for entrant in row.entrants}
    if as_json:
        print_json([{**plain(fault), "name": names[fault.entrant]} for fault in found])
        return
    if not found:
        stdout().print("no faults")
        return
    cells = [
        (
            str(fault.match),
            str(fault.deal),
            names[fault.entrant],
            fault.kind,
            f"{fault.decision} {fault.play}" if fault.play else fault.decision,
            fault.expected,
            fault.came,
        )
        for fault in found
    ]
    stdout().print(table(_COLUMNS, cells, right=("match", "deal")))
