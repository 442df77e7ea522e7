"""`arena owners`."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import all_owners, connect
from arena.cli.options import DEFAULT_SERVER, Json, Server, TokenFile
from arena.cli.output import note, print_json, stdout, table
from arena.cli.plain import plain
from arena.cli.style import example_text, new_group

app = new_group(
    "Register and list owners: the people or teams that bots belong to.",
    """
    arena owners create alice
    arena owners list --json
    """,
)


@app.command(epilog=example_text("arena owners create alice"))
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The owner's name.")],
    *,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Register an owner, and print its id. Needs an admin's or an organiser's token."""
    with connect(server, token_file) as api:
        owner = api.ask(api.stub.CreateOwner, pb.CreateOwnerRequest(name=name)).owner
    if as_json:
        print_json(plain(owner))
    else:
        typer.echo(owner.owner)
        note(f"next: arena bots create BOT --owner {shlex.quote(name)}")


@app.command("list", epilog=example_text("arena owners list"))
def list_owners(*, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False) -> None:
    """List owners. An owner sees itself."""
    with connect(server, token_file) as api:
        owners = all_owners(api)
    if as_json:
        print_json([plain(owner) for owner in owners])
    else:
        stdout().print(table(("id", "name"), [(owner.owner, owner.name) for owner in owners]))
