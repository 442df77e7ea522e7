"""`arena cert`."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.certificates import Pair, make_authority, make_client, make_server, read_pair
from arena.cli.errors import Failure, Misuse
from arena.cli.options import path
from arena.cli.output import note
from arena.cli.style import example_text, new_app

app = new_app()

HERE: Final = ("localhost", "127.0.0.1", "::1")
AUTHORITY_DAYS: Final = 3650
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


@app.command(
    epilog=example_text(
        """
        arena cert games.example.org 10.0.0.2
        arena cert --as games-2 10.0.0.3
        arena cert --client alice
        """
    )
)
def cert(
    hosts: Annotated[
        list[str] | None, typer.Argument(metavar="[HOST]...", help="Names and addresses that clients will use.")
    ] = None,
    *,
    directory: Annotated[Path, typer.Option("--dir", parser=path, metavar="DIR", help="Where the files are.")] = Path(
        "certs"
    ),
    name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The name of the files.")] = None,
    client: Annotated[
        str | None, typer.Option(metavar="NAME", help="Make the certificate of a client, for --tls-client-ca.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=3650, help="How long it is good for.")] = 397,
) -> None:
    """Make a certificate for a server (or a client) of a private network, and the authority that signs it.

    The authority is DIR/ca.pem and DIR/ca.key; it is made the first time, and signs what is made later. Keys are for
    nobody but you to read (mode 0600), and no file is ever overwritten. localhost and 127.0.0.1 are always included.
    For a server that the public reaches take a certificate of a public authority instead.
    """
    if client is not None and (hosts or name):
        raise Misuse("--client takes neither hosts nor --as: a client's certificate is made out to its name")
    stem = client or name or "server"
    if not _NAME.fullmatch(stem) or stem == "ca":
        raise Misuse(f"{stem!r} cannot be the name of files; take letters, digits, '.', '_' and '-', and not 'ca'")
    certificate, key = directory / f"{stem}.pem", directory / f"{stem}.key"
    if there := [file for file in (certificate, key) if file.exists()]:
        raise Misuse(f"{there[0]} exists and is not overwritten; remove it first, or take another {_option(client)}")
    authority, is_new = _authority(directory)
    try:
        made = (
            make_client(authority, client, days)
            if client
            else make_server(authority, list(dict.fromkeys((*(hosts or ()), *HERE))), days)
        )
    except ValueError as error:
        raise Misuse(f"{error}; write names like games.example.org, or addresses like 10.0.0.2") from None
    _make(directory)
    if is_new:
        _write_pair(directory / "ca.pem", directory / "ca.key", authority)
        note(f"made the authority {directory / 'ca.pem'}; keep {directory / 'ca.key'} to yourself")
    _write_pair(certificate, key, made)
    ca = shlex.quote(str(directory / "ca.pem"))
    files = shlex.quote(str(certificate)), shlex.quote(str(key))
    if client:
        note(f"made {certificate} and {key}; the server asks for it with --tls-client-ca {ca}, and {client} says")
        note(f"  export ARENA_CA_FILE={ca} ARENA_CLIENT_CERT={files[0]} ARENA_CLIENT_KEY={files[1]}")
        return
    note(f"made {certificate} and {key}; next:")
    note(f"  arena serve --host 0.0.0.0 --tls-cert {files[0]} --tls-key {files[1]}")
    note(f"and where clients and bots run, with a copy of {directory / 'ca.pem'}:")
    note(f"  export ARENA_CA_FILE={ca}")


def _option(client: str | None) -> str:
    return "--client" if client else "--as"


def _authority(directory: Path) -> tuple[Pair, bool]:
    """Return the authority of *directory*, and whether it is new and is still to be written."""
    certificate, key = directory / "ca.pem", directory / "ca.key"
    there = [file.exists() for file in (certificate, key)]
    if not any(there):
        return make_authority(AUTHORITY_DAYS), True
    try:
        return read_pair(certificate.read_bytes(), key.read_bytes()), False
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Failure(
            f"{certificate} and {key} are no authority to sign with: {why}; put both back, or choose another --dir"
        ) from None


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make {directory}: {error.strerror}; choose another --dir") from None


def _write_pair(certificate: Path, key: Path, pair: Pair) -> None:
    for file, data, mode in ((key, pair.key_pem, 0o600), (certificate, pair.certificate_pem, 0o644)):
        try:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
                out.write(data)
        except OSError as error:
            raise Failure(f"cannot write {file}: {error.strerror}; nothing was overwritten") from None
