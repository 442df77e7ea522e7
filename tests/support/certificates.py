"""Certificates for the tests: an authority, a server's and a client's, as `arena cert` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.cli.certificates import Pair, make_authority, make_client, make_server
from referee.transport.tls import Certificates


class Papers:
    """The files of one private network in a folder. `authority` signs."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.authority = make_authority(1)
        self.ca = folder / "ca.pem"
        self.ca.write_bytes(self.authority.certificate_pem)
        self.server = self.write("server", make_server(self.authority, ["127.0.0.1", "localhost"], 1))
        self.client = self.write("client", make_client(self.authority, "client", 1))

    def write(self, name: str, pair: Pair) -> tuple[Path, Path]:
        """Write a certificate and its key, and return the files."""
        files = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        files[0].write_bytes(pair.certificate_pem)
        files[1].write_bytes(pair.key_pem)
        return files

    def renew(self, hosts: Sequence[str] = ("127.0.0.1",)) -> bytes:
        """Replace the server's certificate by one of a new authority, and return that authority as PEM."""
        authority = make_authority(1)
        self.write("server", make_server(authority, hosts, 1))
        return authority.certificate_pem

    def certificates(self, *, ask_clients: bool = False) -> Certificates:
        """Return what a server listens with."""
        return Certificates(*self.server, self.ca if ask_clients else None)

    def environ(self, *, client: bool = False) -> dict[str, str]:
        """Return what programs that connect are told."""
        own = {"ARENA_CLIENT_CERT": str(self.client[0]), "ARENA_CLIENT_KEY": str(self.client[1])}
        return {"ARENA_CA_FILE": str(self.ca), **(own if client else {})}


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    """Make a private network's certificates."""
    return Papers(tmp_path / "papers")
