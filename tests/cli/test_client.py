"""Calls without a server that answers."""

from __future__ import annotations

import io
import socket
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.calling import Caller


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    """Give a file with something that looks like a token."""
    file = tmp_path / "token"
    file.write_text("arena_admin_x\n")
    return str(file)


def test_no_token(call: Caller) -> None:
    """Without a token the way to one is told."""
    called = call("owners", "list")
    assert called.code == 2
    assert "ARENA_TOKEN_FILE" in called.err


@pytest.mark.parametrize("content", [b"", b"\n", b"two words", b"a\nb", b"\xff\xfe"])
def test_a_file_that_holds_no_token(call: Caller, tmp_path: Path, content: bytes) -> None:
    """A file that is something else is refused, and not sent anywhere."""
    file = tmp_path / "token"
    file.write_bytes(content)
    called = call("owners", "list", "--token-file", str(file))
    assert called.code == 2
    assert str(file) in called.err


def test_a_token_file_that_is_not_there(call: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The file is named."""
    monkeypatch.setenv("ARENA_TOKEN_FILE", str(tmp_path / "none"))
    called = call("bots", "list")
    assert called.code == 2
    assert "No such file" in called.err


@pytest.mark.parametrize("address", ["localhost", "localhost:", "localhost:0", ":7070", "http://a:7070", "a:70700"])
@pytest.mark.parametrize("scheme", ["", "tls://"])
def test_what_is_no_address(call: Caller, token_file: str, scheme: str, address: str) -> None:
    """An address that cannot be, encrypted or not, is refused before anything is tried."""
    called = call("tournament", "list", "--server", scheme + address, "--token-file", token_file)
    assert called.code == 2
    assert "HOST:PORT" in called.err


def test_no_server(call: Caller, token_file: str) -> None:
    """Where nobody listens, one line says where that is and how to start a server."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        called = call("standings", "cup", "--server", address, "--token-file", token_file)
    assert called.code == 1
    assert called.err.count("\n") == 1
    assert f"no arena answers at {address}" in called.err
    assert "arena serve" in called.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tokens", "create", "--role", "king"], "admin, organiser, owner, bot, reader"),
        (["tokens", "create", "--role", "bot"], "--role bot needs --bot"),
        (["tokens", "create", "--role", "admin", "--bot", "x"], "--role admin takes no --bot"),
        (["tokens", "revoke", "arena_admin_xyz"], "name its id"),
        (["tournament", "cancel", "cup"], "--yes"),
        (["tournament", "delete", "cup"], "--yes"),
        (["tournament", "export", "cup"], "--out DIR"),
        (["tournament", "export", "cup", "--records", "-", "--json"], "leave one out"),
        (["tournament", "create", "cup", "--no-show", "x"], "wait, autopilot, withdraw"),
        (["standings", "cup", "--canonical", "--json"], "leave out --json"),
    ],
)
def test_what_is_refused_without_asking(
    call: Caller, token_file: str, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    """What this side can see to be wrong, no server is asked."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    called = call(*words, "--token-file", token_file, "--server", "127.0.0.1:1")
    assert called.code == 2
    assert told in called.err
