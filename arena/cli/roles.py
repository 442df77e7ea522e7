"""Runs one role of the server in this process, its options on top of the environment's settings."""

from __future__ import annotations

import os
from typing import Annotated

import typer

RedisUrl = Annotated[
    str,
    typer.Option(
        "--redis-url",
        metavar="URL",
        help="Where Redis or Valkey is; a password belongs into ARENA_REDIS_URL.",
        show_default="ARENA_REDIS_URL",
    ),
]
Host = Annotated[
    str | None, typer.Option("--host", help="The address to listen on; 0.0.0.0: all.", show_default="127.0.0.1")
]

TlsCert = Annotated[
    str | None, typer.Option("--tls-cert", metavar="FILE", help="The certificate chain: everything is encrypted.")
]
TlsKey = Annotated[str | None, typer.Option("--tls-key", metavar="FILE", help="The certificate's private key.")]
TlsClientCa = Annotated[
    str | None,
    typer.Option("--tls-client-ca", metavar="FILE", help="Clients need a certificate that one of these has signed."),
]
Insecure = Annotated[
    bool, typer.Option("--insecure", help="Listen without a certificate where others can read and change everything.")
]


def settings(**options: object) -> dict[str, str]:
    """Return the options that were given, as the environment variables that they stand for."""
    given = {name: value for name, value in options.items() if value not in (None, "") and value is not False}
    return {f"ARENA_{name.upper()}": "true" if value is True else str(value) for name, value in given.items()}


def run_as(role: str, **options: object) -> None:
    """Run *role* until it is asked to stop; its exit code becomes ours."""
    from arena.app.__main__ import main  # noqa: PLC0415 - it imports the whole server, which the help does not need

    os.environ.update(settings(**options))
    raise typer.Exit(main([role]))
