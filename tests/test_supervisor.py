"""`arena serve` as real processes: what it writes, what it restarts, and that nothing of it stays."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.arena_service_pb2_grpc import ArenaServiceStub

PROGRAM = """
import asyncio, sys
from pathlib import Path
from arena.app import logs
from arena.app.lifecycle import Stop
from arena.config import from_env
from arena.supervisor import serve

async def main():
    stop = Stop(5)
    stop.on_signals()
    await serve(Path(sys.argv[1]), from_env(dict(word.split("=") for word in sys.argv[2:])), stop)

logs.configure("info", "supervisor")
asyncio.run(main())
"""
ANY_PORTS = tuple(f"ARENA_{name}=0" for name in ("PORT", "REFEREE_PORT", "METRICS_PORT", "REFEREE_METRICS_PORT"))
SECONDS = 30.0


def until(probe: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever the probe returns
    """Ask *probe* until its answer is true, and return that."""
    deadline = time.monotonic() + SECONDS
    while not (value := probe()):
        assert time.monotonic() < deadline, "not so in time"
        time.sleep(0.05)
    return value


class Server:
    """A server process on a data directory."""

    def __init__(self, data_dir: Path, log: Path, *settings: str) -> None:
        self.data_dir = data_dir
        self.log = log
        command = [sys.executable, "-c", PROGRAM, str(data_dir), *(settings or ANY_PORTS)]
        # A file, because a pipe would stay open as long as any of the family lives.
        with log.open("wb") as file:
            self.process = subprocess.Popen(command, stderr=file)

    def facts(self) -> dict[str, Any]:
        """Return what server.json says, once it does."""
        file = self.data_dir / "server.json"

        def read() -> dict[str, Any] | None:
            assert self.process.poll() is None, self.said()
            facts: dict[str, Any] = json.loads(file.read_bytes()) if file.exists() else {}
            return facts if facts.get("pid") == self.process.pid else None

        found: dict[str, Any] = until(read)
        return found

    def said(self) -> str:
        """Wait until it has ended, and return what it wrote to stderr."""
        self.process.wait(SECONDS)
        return self.log.read_text()

    def stop(self) -> int:
        """Stop it and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        self.said()
        return self.process.returncode

    def kill(self) -> None:
        """Kill it with -9."""
        self.process.kill()
        self.said()

    def tell(self) -> pb.ListTournamentsResponse:
        """Ask its API something with the first token."""
        facts = self.facts()
        token = Path(facts["token_file"]).read_text().strip()
        with grpc.insecure_channel(facts["api"]) as channel:
            return ArenaServiceStub(channel).ListTournaments(
                pb.ListTournamentsRequest(),
                metadata=(("authorization", f"Bearer {token}"),),
                timeout=SECONDS,
                wait_for_ready=True,
            )


def family(data_dir: Path) -> dict[str, int]:
    """Return the process ids of the roles and the Valkey of the server on *data_dir*, by name."""
    found: dict[str, int] = {}
    url = f"{data_dir}/"
    for proc in Path("/proc").glob("[0-9]*"):
        try:
            command = (proc / "cmdline").read_bytes().decode().split("\0")
            where = str((proc / "cwd").resolve())
            settings = (proc / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if where.startswith(url) and "valkey" in command[0]:
            found["valkey"] = int(proc.name)
        elif "arena.app" in command and f"HEARTS_TEST={data_dir}" in settings:
            found[command[command.index("arena.app") + 1]] = int(proc.name)
    return found


@pytest.fixture
def servers(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Server]]:
    """Return what starts servers on one data directory; at the end none of their processes is left."""
    data_dir = scratch / "data"
    monkeypatch.setenv("HEARTS_TEST", str(data_dir))  # so that the family is known, whatever becomes of its parent
    started: list[Server] = []

    def start(*settings: str) -> Server:
        started.append(Server(data_dir, scratch / f"log-{len(started)}", *settings))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.stop()
    left = family(data_dir)
    for pid in left.values():
        os.kill(pid, signal.SIGKILL)
    assert not left


def ready(address: str) -> bool:
    """Return whether the role with its metrics at *address* says that it is ready."""
    try:
        with urllib.request.urlopen(f"http://{address}/ready", timeout=5) as answer:
            return bool(answer.status == 200)
    except urllib.error.URLError:
        return False


def shows(address: str, line: bytes) -> bool:
    """Return whether *line* is among the metrics at *address*."""
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as answer:
        return line in answer.read()


def test_a_server_from_start_to_stop(servers: Callable[..., Server], scratch: Path) -> None:
    """It says where it listens, gives its token to its user alone, gets ready, and stops whole."""
    server = servers()
    facts = server.facts()
    token_file = Path(facts["token_file"])
    assert stat.S_IMODE(token_file.stat().st_mode) == 0o600
    assert list(server.tell().tournaments) == []
    for address in facts["metrics"].values():
        until(partial(ready, address))
    until(partial(shows, facts["metrics"]["control"], b"arena_referees 1.0"))
    with pytest.raises(AssertionError, match="in use by another server"):
        servers().facts()
    assert set(family(scratch / "data")) == {"valkey", "referee", "control"}
    assert server.stop() == 0
    assert not (scratch / "data" / "server.json").exists()
    assert family(scratch / "data") == {}


@pytest.mark.full
def test_a_settings_token_and_data_stay(servers: Callable[..., Server]) -> None:
    """A server started again on the same directory has the same token and the same data."""
    first = servers()
    token = Path(first.facts()["token_file"]).read_text()
    assert first.stop() == 0
    second = servers()
    assert Path(second.facts()["token_file"]).read_text() == token
    second.tell()


@pytest.mark.full
@pytest.mark.parametrize("name", ["referee", "control", "valkey"])
def test_what_dies_is_started_again(servers: Callable[..., Server], scratch: Path, name: str) -> None:
    """A role or a Valkey killed with -9 is started again, on the port it had, and the server is ready again."""
    server = servers()
    facts = server.facts()
    for address in facts["metrics"].values():
        until(partial(ready, address))
    before = family(scratch / "data")
    os.kill(before[name], signal.SIGKILL)
    until(lambda: family(scratch / "data").get(name, before[name]) != before[name])
    for address in facts["metrics"].values():
        until(partial(ready, address))
    assert server.facts() == facts
    server.tell()


@pytest.mark.full
def test_a_supervisor_that_is_killed(servers: Callable[..., Server], scratch: Path) -> None:
    """Its roles stop by themselves, Valkey stays, and the next server adopts it, on the same ports at once."""
    server = servers()
    facts = server.facts()
    valkey = family(scratch / "data")["valkey"]
    ports = [facts["api"], facts["referee"], facts["metrics"]["control"], facts["metrics"]["referee"]]
    settings = [
        f"{setting[:-1]}{address.rpartition(':')[2]}" for setting, address in zip(ANY_PORTS, ports, strict=True)
    ]
    server.kill()
    again = servers(*settings)
    assert again.facts()["api"] == facts["api"]
    assert family(scratch / "data")["valkey"] == valkey
    again.tell()
    again.kill()
    until(lambda: set(family(scratch / "data")) == {"valkey"})
    servers().facts()


@pytest.mark.full
def test_a_port_in_use(servers: Callable[..., Server]) -> None:
    """A port that somebody else has is told in one line, and nothing is left running."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = servers(f"ARENA_PORT={port}", *ANY_PORTS[1:])
        said = server.said()
    assert server.process.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in said.splitlines()[-1]
    before = said.partition("Traceback")[0]  # of the program here; `arena serve` tells the last line alone
    assert all(line.startswith("{") for line in before.splitlines()), "a role said something beside its log"
