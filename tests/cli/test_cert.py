"""`arena cert`: an authority and what it signs, in files that are never overwritten."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from tests.cli.calling import Caller


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, and return where certificates will be."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "certs"


def test_a_server_a_second_one_and_a_client(call: Caller, folder: Path) -> None:
    """The first call makes the authority; all that follow are signed by it, and say what to do next."""
    first = call("cert", "games.example.org", "10.0.0.2")
    assert first.code == 0
    assert "arena serve --host 0.0.0.0 --tls-cert certs/server.pem --tls-key certs/server.key" in first.err
    assert "export ARENA_CA_FILE=certs/ca.pem" in first.err
    authority = (folder / "ca.pem").read_bytes()
    assert call("cert", "--as", "second", "10.0.0.3").code == 0
    client = call("cert", "--client", "alice", "--days", "2")
    assert "ARENA_CLIENT_CERT=certs/alice.pem ARENA_CLIENT_KEY=certs/alice.key" in client.err
    assert (folder / "ca.pem").read_bytes() == authority
    issuer = x509.load_pem_x509_certificate(authority)
    for name in ("server", "second", "alice"):
        x509.load_pem_x509_certificate((folder / f"{name}.pem").read_bytes()).verify_directly_issued_by(issuer)
        ssl.create_default_context().load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    leaf = x509.load_pem_x509_certificate((folder / "alice.pem").read_bytes())
    assert leaf.not_valid_after_utc < datetime.now(UTC) + timedelta(days=2, minutes=1)


def test_names_and_addresses(call: Caller, folder: Path) -> None:
    """A certificate is made out to what was given, and to this machine; a client's to no host at all."""
    call("cert", "Games.example.org", "10.0.0.2", "fd00::2")
    call("cert", "--client", "alice")
    server = x509.load_pem_x509_certificate((folder / "server.pem").read_bytes())
    names = server.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["games.example.org", "localhost"]
    assert list(map(str, names.get_values_for_type(x509.IPAddress))) == ["10.0.0.2", "fd00::2", "127.0.0.1", "::1"]
    client = x509.load_pem_x509_certificate((folder / "alice.pem").read_bytes())
    with pytest.raises(x509.ExtensionNotFound):
        client.extensions.get_extension_for_class(x509.SubjectAlternativeName)


def test_keys_are_for_their_owner_only(call: Caller, folder: Path) -> None:
    """No key can be read by group or others, and none is shown."""
    said = call("cert")
    for key in folder.glob("*.key"):
        assert key.stat().st_mode & 0o777 == 0o600
        assert key.read_text().splitlines()[1] not in said.out + said.err


def test_nothing_is_overwritten(call: Caller, folder: Path) -> None:
    """A second certificate of a name is refused, and a key that is there stays, also without its certificate."""
    call("cert")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    (folder / "server.pem").unlink()
    for _ in range(2):
        called = call("cert")
        assert called.code == 2
        assert "is not overwritten" in called.err
    assert (folder / "server.key").read_bytes() == before["server.key"]


@pytest.mark.parametrize("lost", ["ca.key", "ca.pem"])
def test_half_an_authority_is_not_replaced(lost: str, call: Caller, folder: Path) -> None:
    """An authority of which a file is missing or another's signs nothing, and no new one takes its place."""
    call("cert")
    (folder / lost).unlink()
    called = call("cert", "--as", "second")
    assert called.code == 1
    assert "are no authority to sign with" in called.err
    assert not (folder / "second.pem").exists()
    assert not (folder / lost).exists()


@pytest.mark.parametrize(
    "arguments", [["a b"], ["-.example"], ["--client", "../x"], ["--as", "ca"], ["--client", "a", "h"]]
)
def test_what_cannot_be_named(arguments: list[str], call: Caller, folder: Path) -> None:
    """Hosts that are none and names that are no file's are refused before anything is made."""
    assert call("cert", *arguments).code == 2
    assert not folder.exists()
