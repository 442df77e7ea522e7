"""`arena bots`."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Refused, all_bots, all_owners, connect, find_owner
from arena.cli.options import DEFAULT_SERVER, Json, Server, TokenFile
from arena.cli.output import note, print_json, stdout, table
from arena.cli.plain import plain
from arena.cli.style import example_text, new_group

app = new_group(
    "Register and list bots.",
    """
    arena bots create shark --owner alice
    arena bots list --owner alice
    """,
)


@app.command(
    epilog=example_text(
        """
        arena bots create shark --owner alice
        arena tokens create --role bot --bot shark --out shark.token
        """
    )
)
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name, unique for its owner.")],
    *,
    owner: Annotated[str, typer.Option(help="The owner's id or name. An owner leaves it out.")] = "",
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Register a bot, and print its id. To play, it needs a token: see 'arena tokens create'."""
    with connect(server, token_file) as api:
        request = pb.CreateBotRequest(owner=find_owner(api, owner) if owner else "", name=name)
        bot = api.ask(api.stub.CreateBot, request).bot
    if as_json:
        print_json(plain(bot))
    else:
        typer.echo(bot.bot)
        note(f"next: arena tokens create --role bot --bot {bot.bot} --out {shlex.quote(f'{name}.token')}")


@app.command("list", epilog=example_text("arena bots list --owner alice"))
def list_bots(
    *,
    owner: Annotated[str, typer.Option(help="Only those of this owner: id or name.")] = "",
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """List bots, with the number of their sessions connected now. An owner sees its own."""
    with connect(server, token_file) as api:
        bots = all_bots(api, find_owner(api, owner) if owner else "")
        if as_json:
            print_json([plain(bot) for bot in bots])
            return
        try:
            names = {entry.owner: entry.name for entry in all_owners(api)}
        except Refused:  # not everybody may ask
            names = {}
    rows = [(bot.bot, bot.name, names.get(bot.owner, bot.owner), bot.sessions) for bot in bots]
    stdout().print(table(("id", "name", "owner", "sessions"), rows, right=("sessions",)))
