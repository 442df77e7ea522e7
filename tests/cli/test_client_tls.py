"""The command line over TLS."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Unreachable, connect
from arena.storage.connect import Storage
from arena.transport.interceptor import EdgeTally
from arena.transport.server import serve
from tests.service.builders import world_on
from tests.support.certificates import Papers


def ask(server: str, token_file: Path) -> str:
    """Return the version that the server tells, asked as any command asks."""
    with connect(server, token_file) as api:
        return api.ask(api.stub.GetServer, pb.GetServerRequest()).version


async def test_a_server_is_trusted_by_its_authority(
    storage: Storage, papers: Papers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is asked where ARENA_CA_FILE names its authority; else it is told why not, and what to set."""
    server = await serve(world_on(storage).control.use_cases, EdgeTally(), "127.0.0.1", 0, papers.certificates())
    address = f"tls://127.0.0.1:{server.port}"
    token_file = papers.folder / "token"
    token_file.write_text("arena_admin_x")
    monkeypatch.setenv("ARENA_CA_FILE", str(papers.ca))
    assert await asyncio.to_thread(ask, address, token_file)
    monkeypatch.setenv("ARENA_CA_FILE", str(Papers(papers.folder / "stranger").ca))
    with pytest.raises(Unreachable, match=r"is not trusted \([a-z ]*certificate[a-z ]*\); set ARENA_CA_FILE"):
        await asyncio.to_thread(ask, address, token_file)
    await server.stop(0)


@pytest.mark.parametrize(
    ("encrypted", "scheme", "client", "told"),
    [
        (True, "", False, "write tls://HOST:PORT"),
        (True, "tls://", False, "wants a certificate that it trusts, in ARENA_CLIENT_CERT"),
        (True, "tls://", True, "wants a certificate that it trusts, in ARENA_CLIENT_CERT"),
        (False, "tls://", False, "without tls://"),
    ],
)
async def test_a_connection_that_is_not_taken_is_explained(
    encrypted: bool,
    scheme: str,
    client: bool,
    told: str,
    storage: Storage,
    papers: Papers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where one side encrypts and the other does not, or a certificate is missing or strange, the error says so."""
    certificates = papers.certificates(ask_clients=True) if encrypted else None
    server = await serve(world_on(storage).control.use_cases, EdgeTally(), "127.0.0.1", 0, certificates)
    token_file = papers.folder / "token"
    token_file.write_text("arena_admin_x")
    if scheme:
        monkeypatch.setenv("ARENA_CA_FILE", str(papers.ca))
    if client:
        for name, value in Papers(papers.folder / "stranger").environ(client=True).items():
            if name != "ARENA_CA_FILE":
                monkeypatch.setenv(name, value)
    with pytest.raises(Unreachable, match=told):
        await asyncio.to_thread(ask, f"{scheme}127.0.0.1:{server.port}", token_file)
    await server.stop(0)


async def test_an_error_is_one_line(storage: Storage, tmp_path: Path) -> None:
    """Where TLS meets a server in the clear there is our line alone, and none of gRPC's own beside it."""
    server = await serve(world_on(storage).control.use_cases, EdgeTally(), "127.0.0.1", 0)
    token_file = tmp_path / "token"
    token_file.write_text("arena_admin_x")
    command = ("-m", "arena.cli", "tournament", "list", "--token-file", str(token_file))
    address = ("--server", f"tls://127.0.0.1:{server.port}")
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, *command, *address], capture_output=True, text=True, check=False
    )
    await server.stop(0)
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert "it is not encrypted" in lines[0]
