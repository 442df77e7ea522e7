"""The certificates of a server, read anew when their files change, so that a renewal needs no restart.

A handshake looks whether the files have changed, and takes what is there if it is whole. While it is not, because one
file has been replaced and the other has not yet, or because it is damaged, the last good one serves on.
"""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from threading import Lock
from typing import Final

import grpc
import structlog

Stamp = tuple[tuple[int, int, int], ...]


class UnfitCertificate(OSError):
    """Certificate, key or client authority cannot be read or do not fit together; the text says which.

    `which` is the part to look at: `cert`, `key` or `client_ca`.
    """

    def __init__(self, text: str, which: str) -> None:
        super().__init__(text)
        self.which: Final = which


class Certificates:
    """Certificate chain, private key and, if clients have to show certificates, the authority that signs those."""

    def __init__(self, chain: Path, key: Path, client_ca: Path | None = None) -> None:
        """Read the files, all PEM. Raises `UnfitCertificate`."""
        self._chain: Final = chain
        self._key: Final = key
        self._client_ca: Final = client_ca
        self._lock: Final = Lock()  # gRPC asks from threads of its own
        self._told = ""
        """Why what is in the files cannot be used, as last told: not again at every handshake."""

        self._stamp = self._stamped()
        self._context, self._configuration = self._load()

    def for_grpc(self) -> grpc.ServerCredentials:
        """Return what a gRPC server listens with."""
        credentials: grpc.ServerCredentials = grpc.dynamic_ssl_server_credentials(
            self._configuration, self._fetch, self._client_ca is not None
        )
        return credentials

    def for_https(self) -> ssl.SSLContext:
        """Return what any other server listens with. It asks no certificate of its clients."""

        def renew(handshake: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
            self._fetch()
            handshake.context = self._context

        context = _context_of(self._chain, self._key)
        context.sni_callback = renew  # called for every handshake, with a name or without
        return context

    def _fetch(self) -> grpc.ServerCertificateConfiguration:
        with self._lock:
            try:
                stamp = self._stamped()
                if stamp != self._stamp:
                    self._context, self._configuration = self._load()
                    self._stamp, self._told = stamp, ""
                    structlog.get_logger("tls").info("certificate_renewed", file=str(self._chain))
            except UnfitCertificate as error:
                if str(error) != self._told:
                    self._told = str(error)
                    structlog.get_logger("tls").warning("certificate_not_renewed", reason=self._told)
            return self._configuration

    def _stamped(self) -> Stamp:
        stats = [
            _readable(file, which)
            for file, which in ((self._chain, "cert"), (self._key, "key"), (self._client_ca, "client_ca"))
            if file is not None
        ]
        return tuple((each.st_mtime_ns, each.st_ino, each.st_size) for each in stats)

    def _load(self) -> tuple[ssl.SSLContext, grpc.ServerCertificateConfiguration]:
        context = _context_of(self._chain, self._key)
        try:
            if self._client_ca is not None:
                ssl.create_default_context(cafile=str(self._client_ca))
            authority = self._client_ca.read_bytes() if self._client_ca is not None else None
            pair = (self._key.read_bytes(), self._chain.read_bytes())
        except (OSError, ValueError) as error:
            raise UnfitCertificate(f"{self._client_ca} holds no certificates: {_why(error)}", "client_ca") from None
        return context, grpc.ssl_server_certificate_configuration([pair], authority)


def _readable(file: Path, which: str) -> os.stat_result:
    """Return what is known of a file that can be opened."""
    try:
        with file.open("rb") as opened:
            return os.fstat(opened.fileno())
    except OSError as error:
        raise UnfitCertificate(f"{error.filename} cannot be read: {error.strerror}", which) from None


def _context_of(chain: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # A key under a passphrase is refused; without the callback OpenSSL would ask at the terminal.
        context.load_cert_chain(chain, key, password=lambda: "")
    except (OSError, ValueError) as error:
        text = f"{chain} and {key} are no certificate and its key: {_why(error)}"
        raise UnfitCertificate(text, "cert") from None
    return context


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or "they are not PEM").replace("_", " ").lower()
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
