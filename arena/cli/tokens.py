"""`arena tokens`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Api, Refused, all_bots, all_owners, connect, find_bot, find_owner, pages
from arena.cli.errors import Failure, Misuse
from arena.cli.files import write_atomically
from arena.cli.options import DEFAULT_SERVER, Json, Server, TokenFile, path, whole_seconds
from arena.cli.output import note, print_json, stdout, table
from arena.cli.plain import plain, word
from arena.cli.spec import choice
from arena.cli.style import example_text, new_group

app = new_group(
    "Issue, list, rotate and revoke tokens. A secret is shown once, when it is issued, and stored nowhere.",
    """
    arena tokens create --role bot --bot shark --out shark.token
    arena tokens create --role owner --owner alice --lifetime 90d
    arena tokens list
    arena tokens rotate k_4f7q2m --out shark.token
    arena tokens revoke k_4f7q2m
    """,
)


@app.command(
    epilog=example_text(
        """
        arena tokens create --role bot --bot shark --out shark.token
        ARENA_ADDRESS=host:7071 ARENA_TOKEN=$(cat shark.token) ./shark
        arena tokens create --role organiser --label 'spring cup' --lifetime 30d
        """
    )
)
def create(
    *,
    role: Annotated[str, typer.Option(help="admin, organiser, owner, bot or reader.")],
    bot: Annotated[str, typer.Option(help="With role bot: the bot's id, name, or OWNER/NAME.")] = "",
    owner: Annotated[str, typer.Option(help="With role owner: the owner's id or name.")] = "",
    lifetime: Annotated[
        str | None, typer.Option(help="How long it is good for, like 12h or 30d.", show_default="for ever")
    ] = None,
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    out: Annotated[
        Path | None,
        typer.Option(parser=path, metavar="FILE", help="Write the secret to this file (mode 0600), not to stdout."),
    ] = None,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Issue a token, and print its secret: now or never."""
    number = choice(pb.Role.DESCRIPTOR, role, "--role")
    for wanted, option, value in ((pb.ROLE_BOT, "--bot", bot), (pb.ROLE_OWNER, "--owner", owner)):
        if (number == wanted) != bool(value):
            verb = "needs" if number == wanted else "takes no"
            raise Misuse(f"--role {role} {verb} {option}")
    if out is not None and out.exists():
        raise Misuse(f"{out} exists; choose another --out, so that no token is lost")
    seconds = 0 if lifetime is None else whole_seconds(lifetime, "--lifetime")
    with connect(server, token_file) as api:
        subject = find_bot(api, bot) if bot else find_owner(api, owner) if owner else ""
        request = pb.CreateTokenRequest(
            role=number,
            subject=subject,
            lifetime_seconds=seconds,
            label=label,
        )
        issued = api.ask(api.stub.CreateToken, request)
        referees = api.ask(api.stub.GetServer, pb.GetServerRequest()).referee_addresses
    _hand_over(issued, out, as_json=as_json)
    if out is not None and not as_json:
        file = shlex.quote(str(out))
        if number == pb.ROLE_BOT:
            address = shlex.quote(",".join(referees)) if referees else "HOST:7071"
            note(f"next: ARENA_ADDRESS={address} ARENA_TOKEN=$(cat {file}) YOUR_BOT")
        else:
            note(f"next: export ARENA_TOKEN_FILE={file}")


@app.command("list", epilog=example_text("arena tokens list --json"))
def list_tokens(*, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False) -> None:
    """List tokens, without their secrets."""
    with connect(server, token_file) as api:
        tokens = _all_tokens(api)
        if as_json:
            print_json([plain(token) for token in tokens])
            return
        try:
            names = {owner.owner: owner.name for owner in all_owners(api)}
            names |= {bot.bot: bot.name for bot in all_bots(api)}
        except Refused:  # not everybody may ask
            names = {}
    rows = [
        (
            token.token,
            word(pb.Role.DESCRIPTOR, token.role),
            names.get(token.subject, token.subject) or "-",
            token.label,
            token.expire_time.ToJsonString() if token.HasField("expire_time") else "never",
            "revoked" if token.revoked else "",
        )
        for token in tokens
    ]
    stdout().print(table(("id", "role", "subject", "label", "expires", ""), rows))


@app.command(
    epilog=example_text(
        """
        arena tokens rotate k_4f7q2m --out shark.token
        arena tokens rotate k_4f7q2m --lifetime 90d
        """
    )
)
def rotate(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, from 'arena tokens list'.")],
    *,
    lifetime: Annotated[
        str | None,
        typer.Option(help="How long the new one is good for.", show_default="as long as the old one was to be"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=path,
            metavar="FILE",
            help="Write the secret to this file (mode 0600), over what is in it, not to stdout.",
        ),
    ] = None,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Issue a token like an old one and revoke the old one at once. Sessions that that one opened end.

    The new secret is handed over before the old token is revoked, so that a failure on the way loses nothing.
    """
    _check_id(token)
    seconds = None if lifetime is None else whole_seconds(lifetime, "--lifetime")
    with connect(server, token_file) as api:
        old = next((each for each in _all_tokens(api) if each.token == token), None)
        if old is None:
            raise Failure(f"there is no token {token!r}; 'arena tokens list' shows those there are")
        if old.revoked:
            raise Failure(f"{token} is revoked, so there is nothing to rotate; issue a new one: 'arena tokens create'")
        request = pb.CreateTokenRequest(role=old.role, subject=old.subject, label=old.label)
        request.lifetime_seconds = _planned(old) if seconds is None else seconds
        issued = api.ask(api.stub.CreateToken, request)
        _hand_over(issued, out, as_json=as_json)
        api.ask(api.stub.RevokeToken, pb.RevokeTokenRequest(token=token))
    note(f"{token} is revoked, {issued.token.token} is in its place")


@app.command(epilog=example_text("arena tokens revoke k_4f7q2m"))
def revoke(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, from 'arena tokens list'.")],
    *,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
) -> None:
    """Revoke a token at once. Sessions that it opened end."""
    _check_id(token)
    with connect(server, token_file) as api:
        api.ask(api.stub.RevokeToken, pb.RevokeTokenRequest(token=token))
    note(f"{token} is revoked")


def _all_tokens(api: Api) -> list[pb.Token]:
    def fetch(after: str) -> tuple[list[pb.Token], str]:
        page = api.ask(api.stub.ListTokens, pb.ListTokensRequest(page_size=1000, page_token=after))
        return list(page.tokens), page.next_page_token

    return list(pages(fetch))


def _check_id(token: str) -> None:
    if token.startswith("arena_"):
        raise Misuse("that is a token's secret; name its id, from 'arena tokens list'")


def _planned(token: pb.Token) -> int:
    """Return how many seconds *token* was to be good for, 0 for ever."""
    if not token.HasField("expire_time"):
        return 0
    return max(1, round(token.expire_time.ToMilliseconds() / 1000 - token.create_time.ToMilliseconds() / 1000))


def _hand_over(issued: pb.CreateTokenResponse, out: Path | None, *, as_json: bool) -> None:
    """Show the secret, or write it to *out*."""
    shown = plain(issued.token)
    if out is None:
        shown["secret"] = issued.secret
    else:
        _write_secret(out, issued.secret)
    if as_json:
        print_json(shown)
    elif out is None:
        typer.echo(issued.secret)
    else:
        note(f"token {issued.token.token} is in {out}")


def _write_secret(out: Path, secret: str) -> None:
    try:
        write_atomically(out, f"{secret}\n".encode(), mode=0o600)
    except OSError as error:
        raise Failure(f"cannot write {out}: {error.strerror}; here is the token all the same: {secret}") from None
