"""Encrypted streams: whom to trust, and how to show who we are.

`tls://host:port` is encrypted, and a plain `host:port` is not, unless ARENA_CA_FILE names whom to trust: who does that
wants nothing sent in the clear.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import grpc

TLS: Final = "tls://"
CA_FILE: Final = "ARENA_CA_FILE"
CLIENT_CERT: Final = "ARENA_CLIENT_CERT"
CLIENT_KEY: Final = "ARENA_CLIENT_KEY"
VARIABLES: Final = (CA_FILE, CLIENT_CERT, CLIENT_KEY)


class CannotRead(ValueError):
    """A file of certificates cannot be used; the text names the variable and what to do."""


def is_secure(address: str) -> bool:
    """Whether a stream to *address* is encrypted."""
    return address.startswith(TLS)


def secured(address: str, environ: Mapping[str, str]) -> str:
    """Return *address* as it is meant: encrypted if *environ* names whom to trust."""
    return TLS + address if environ.get(CA_FILE) and not is_secure(address) else address


def credentials(environ: Mapping[str, str]) -> grpc.ChannelCredentials:
    """Return what the files that *environ* names say, else the system's authorities and no certificate of our own.

    Raises `CannotRead`.
    """
    authority, certificate, key = (_read(environ, variable) for variable in VARIABLES)
    if (certificate is None) != (key is None):
        raise CannotRead(f"{CLIENT_CERT} and {CLIENT_KEY} go together: set both, or none")
    made: grpc.ChannelCredentials = grpc.ssl_channel_credentials(authority, key, certificate)
    return made


def hint(text: str, address: str) -> str:
    """Return what to look at where *text*, gRPC's own, says no more than that *address* did not take a connection.

    Empty where that is plain already.
    """
    if "WRONG_VERSION_NUMBER" in text:
        return f"it is not encrypted: write it without {TLS}, and unset {CA_FILE}"
    if "http1.x server" in text:
        return "that is no port of gRPC; perhaps it is the one of the metrics"
    if "failed to connect" not in text or "Socket closed" not in text:
        return ""
    if not is_secure(address):
        return f"it closes connections in the clear; if it is encrypted, write {TLS}HOST:PORT"
    return f"it closes the connection; perhaps it wants a certificate that it trusts, in {CLIENT_CERT} and {CLIENT_KEY}"


def _read(environ: Mapping[str, str], variable: str) -> bytes | None:
    name = environ.get(variable)
    if not name:
        return None
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise CannotRead(f"{variable}: {name} cannot be read: {error.strerror}") from None
    if b"-----BEGIN " not in data:  # gRPC would say no more than that it cannot connect
        raise CannotRead(f"{variable}: {name} is not in the format PEM; 'arena cert' writes files that are")
    return data
