"""What this process shows to the network: encrypted with certificates, or on this machine only, or as told."""

from __future__ import annotations

import ssl
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import structlog

from arena.config import Config
from arena.errors import ConfigError
from referee.transport.tls import Certificates, UnfitCertificate

SCHEME: Final = "tls://"
"""In front of an address of gRPC that is encrypted; without it, it is not."""


def certificates_of(config: Config) -> Certificates | None:
    """Return the certificates to listen with, None for none.

    Raises `ConfigError` for files that do not fit, and where others could listen in or change what is said.
    """
    if not config.tls_cert:
        for name in ("tls_key", "tls_client_ca"):
            if getattr(config, name):
                raise ConfigError(f"ARENA_{name.upper()}", "it is of no use without ARENA_TLS_CERT; set both or none")
        if not (config.insecure or is_loopback(config.host)):
            raise ConfigError(
                "ARENA_HOST",
                f"{config.host} can be reached by others, who could read tokens and cards and change them; give a "
                "certificate (--tls-cert and --tls-key; 'arena cert' makes one), or say --insecure if something else "
                "protects the network",
            )
        return None
    if not config.tls_key:
        raise ConfigError("ARENA_TLS_KEY", "a certificate needs its key; set both or none")
    client_ca = Path(config.tls_client_ca) if config.tls_client_ca else None
    try:
        return Certificates(Path(config.tls_cert), Path(config.tls_key), client_ca)
    except UnfitCertificate as error:
        raise ConfigError(f"ARENA_TLS_{error.which.upper()}", f"{error}; 'arena cert' makes such files") from None


def warn_of_exposure(config: Config, told: str = "") -> None:
    """Log what an operator may not have meant: clear text that others reach, and *told*, where nobody else gets.

    *told* is the address that bots are told, if any are.
    """
    log = structlog.get_logger("exposure")
    if not config.tls_cert and not is_loopback(config.host):
        log.warning("not_encrypted", host=config.host, advice="others can read and change everything; see --tls-cert")
    host = told.removeprefix(SCHEME).rpartition(":")[0]
    if told and is_loopback(host) and not is_loopback(config.host):
        log.warning("not_advertised", told=told, advice="bots elsewhere cannot follow; set ARENA_ADVERTISE")


def https(certificates: Certificates | None) -> ssl.SSLContext | None:
    """Return what pages are served over HTTPS with, None for plain HTTP."""
    return certificates.for_https() if certificates is not None else None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches *host*. Any name but `localhost` may lead elsewhere."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def announced(address: str, certificates: Certificates | None) -> str:
    """Return *address*, `HOST:PORT`, as clients are told it."""
    return SCHEME + address.removeprefix(SCHEME) if certificates is not None else address
