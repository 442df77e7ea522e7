"""Runs `arena run` as a process, and sees to it that nothing of it is left."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Api, dial
from arena.cli.errors import Failure
from arena.cli.local.enrol import get_tournament
from arena.cli.local.layout import Layout

RANDOM = "python -m hearts_bot.bots.random"
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})
_MARK = "HEARTS_TEST_MARK"


@dataclass(slots=True)
class Ended:
    """How a run ended."""

    code: int
    out: str
    err: str


@dataclass(slots=True)
class Running:
    """A run that goes on. Everything that it started carries its mark in the environment."""

    process: subprocess.Popen[str]
    layout: Layout
    mark: str = field(default="")

    def wait(self, seconds: float = 240.0) -> Ended:
        """Wait for the end."""
        out, err = self.process.communicate(timeout=seconds)
        return Ended(self.process.returncode, out, err)

    def send(self, signum: signal.Signals) -> None:
        """Send a signal to `arena run` alone."""
        self.process.send_signal(signum)

    def left(self) -> list[str]:
        """Return the command lines of processes that are still there."""
        return [command for pid in _pids() if (command := self._command(pid))]

    def pids(self, part: str) -> list[int]:
        """Return the processes of this run whose command line holds *part*."""
        return [pid for pid in _pids() if part in self._command(pid)]

    def _command(self, pid: int) -> str:
        """Return the command line of a process of this run: one with its mark, or at work in its directory."""
        with contextlib.suppress(OSError):
            ours = f"{_MARK}={self.mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes()
            if ours or Path(f"/proc/{pid}/cwd").readlink().is_relative_to(self.layout.root):
                return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""

    def wait_nothing_left(self, seconds: float = 30.0) -> None:
        """Wait until no process is there any more."""
        until(lambda: not self.left(), seconds)

    @contextlib.contextmanager
    def api(self) -> Iterator[Api]:
        """Talk to the server of the run, once it is there."""
        facts = self.layout.server / "server.json"
        until(facts.exists)
        address = _facts(facts)["api"]
        with dial(address, (self.layout.server / "admin.token").read_text().strip()) as api:
            yield api

    def wait_done(self, matches: int) -> pb.Tournament:
        """Wait until so many matches are done."""
        with self.api() as api:
            found = pb.Tournament()

            def enough() -> bool:
                assert self.process.poll() is None, self.wait()
                with contextlib.suppress(Failure):
                    found.CopyFrom(get_tournament(api, "run"))
                return found.matches_done >= matches

            until(enough, 120.0)
            return found


def until(probe: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until *probe* returns true."""
    deadline = time.monotonic() + seconds
    while not probe():
        assert time.monotonic() < deadline, f"not so within {seconds} s"
        time.sleep(0.02)


@contextlib.contextmanager
def start(out: Path, *options: str, env: Mapping[str, str] = NO_SETTINGS) -> Iterator[Running]:
    """Start `arena run` with *options* and settings in *env*; whatever is left of it afterwards is killed."""
    mark = uuid.uuid4().hex
    command = [sys.executable, "-m", "arena.cli", "run", *options]
    around = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    around |= {_MARK: mark, **env}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=around) as process:
        running = Running(process, Layout(out), mark)
        try:
            yield running
        finally:
            process.kill()
            for pid in _pids():
                if running._command(pid):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)


def run(out: Path, *options: str) -> Ended:
    """Run `arena run --out OUT` to its end, and assert that it leaves no process."""
    with start(out, "--out", str(out), *options) as running:
        ended = running.wait()
        assert running.left() == []
        return ended


def bots(*commands: str) -> list[str]:
    """Return the options for bots."""
    return [word for command in commands for word in ("--bot", command)]


def results(out: Path) -> tuple[bytes, bytes]:
    """Return the bytes of records and standings."""
    layout = Layout(out)
    return layout.records.read_bytes(), layout.standings.read_bytes()


def _facts(file: Path) -> dict[str, str]:
    facts: dict[str, str] = json.loads(file.read_bytes())
    return facts


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
