"""A real arena for the benchmark: `arena serve` on a fresh data directory, bots in their own processes.

What is measured is read from the outside, as an operator would: the referee's `/metrics` and Redis' own counters.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1 import arena_service_pb2_grpc as pb_grpc

BOT = [sys.executable, "-m", "hearts_bot.bots.first_legal", "--max-tables", "1000", "--max-open-decisions", "4096"]
_SAMPLE = re.compile(r"^(\w+)(?:\{[^}]*\})? ([0-9.e+-]+)$", re.MULTILINE)


class NoProgress(RuntimeError):
    """The arena under test did not do what it was asked in time."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at the referee: decisions made, CPU seconds used, matches ended, and when."""

    at: float
    decisions: float
    cpu: float
    matches: float


@dataclass(slots=True)
class World:
    """A running arena with four bots of the same owner."""

    folder: Path
    address: str
    metrics: str
    stub: pb_grpc.ArenaServiceStub
    auth: tuple[tuple[str, str | bytes], ...]
    authority: Path | None = None  # who signed the arena's certificate, if it has one
    bots: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def register(self, count: int) -> None:
        """Register *count* bots, each with a token."""
        owner = self.stub.CreateOwner(pb.CreateOwnerRequest(name="bench"), metadata=self.auth).owner.owner
        for number in range(count):
            request = pb.CreateBotRequest(owner=owner, name=f"bot{number}")
            bot = self.stub.CreateBot(request, metadata=self.auth).bot.bot
            token = pb.CreateTokenRequest(role=pb.ROLE_BOT, subject=bot)
            self.bots.append(bot)
            self.tokens.append(self.stub.CreateToken(token, metadata=self.auth).secret)

    @contextlib.contextmanager
    def playing(self, command: Sequence[str] = BOT) -> Iterator[None]:
        """Keep one process a bot running."""
        trust = {"ARENA_CA_FILE": str(self.authority)} if self.authority else {}
        processes = [
            subprocess.Popen(
                command,
                env=os.environ | trust | {"ARENA_ADDRESS": self.address, "ARENA_TOKEN": token},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for token in self.tokens
        ]
        try:
            yield
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(10)

    def start(self, name: str, *, tables: int, matches: int, deals: int = 16) -> str:
        """Start a tournament of *matches* matches, at most *tables* at once, and return its id."""
        spec = pb.TournamentSpec(
            name=name,
            boards=pb.BOARDS_SINGLE,
            passes=matches,
            deals=deals,
            window=tables,
            concurrency=tables,
            seed="bench",
        )
        request = pb.CreateTournamentRequest(spec=spec)
        ident = self.stub.CreateTournament(request, metadata=self.auth).tournament.tournament
        for bot in self.bots:
            self.stub.EnterBot(pb.EnterBotRequest(tournament=ident, bot=bot), metadata=self.auth)
        self._change(ident, pb.TOURNAMENT_CHANGE_START)
        return ident

    def cancel(self, ident: str) -> None:
        """Stop a tournament and wait until its tables are gone."""
        self._change(ident, pb.TOURNAMENT_CHANGE_CANCEL)
        self.wait(lambda: self.value("referee_tables") == 0, 30)

    def _change(self, ident: str, change: pb.TournamentChange.ValueType) -> None:
        request = pb.ChangeTournamentRequest(tournament=ident, change=change)
        self.stub.ChangeTournament(request, metadata=self.auth)

    def values(self) -> dict[str, float]:
        """Return the referee's metrics, summed over their labels."""
        trust = ssl.create_default_context(cafile=self.authority) if self.authority else None
        with urllib.request.urlopen(self.metrics, timeout=10, context=trust) as page:  # noqa: S310 - our own address
            text = page.read().decode()
        sums: dict[str, float] = {}
        for name, value in _SAMPLE.findall(text):
            sums[name] = sums.get(name, 0.0) + float(value)
        return sums

    def value(self, name: str) -> float:
        """Return one metric, summed over its labels."""
        return self.values().get(name, 0.0)

    def sample(self) -> Sample:
        """Return what the referee has done so far."""
        values = self.values()
        return Sample(
            at=time.perf_counter(),
            decisions=values["referee_decisions_total"],
            cpu=values["process_cpu_seconds_total"],
            matches=values.get("referee_matches_total", 0.0),
        )

    @staticmethod
    def wait(done: object, seconds: float) -> None:
        """Wait until *done*() holds."""
        assert callable(done)
        deadline = time.monotonic() + seconds
        while not done():
            if time.monotonic() > deadline:
                raise NoProgress(f"nothing came of it within {seconds:.0f} s")
            time.sleep(0.05)


@contextlib.contextmanager
def world(*, encrypted: bool = False) -> Iterator[World]:
    """Run `arena serve` with an embedded Valkey in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        log = (folder / "serve.log").open("wb")
        command = [sys.executable, "-m", "arena.cli", "serve", "--data-dir", str(folder / "data")]
        command += ["--port", "0", "--referee-port", "0", "--metrics-port", "0"]
        command += ["--referee-metrics-port", "0"]
        authority = folder / "ca.pem" if encrypted else None
        if authority:
            arena = [sys.executable, "-m", "arena.cli"]
            subprocess.run([*arena, "cert", "--dir", name, "--as", "bench"], check=True, capture_output=True)
            command += ["--tls-cert", str(folder / "bench.pem"), "--tls-key", str(folder / "bench.key")]
        server = subprocess.Popen(command, stdout=log, stderr=log)
        described = folder / "data" / "server.json"
        try:
            World.wait(lambda: described.exists() or server.poll() is not None, 30)
            if server.poll() is not None:
                raise NoProgress((folder / "serve.log").read_text())
            facts = json.loads(described.read_text())
            token = Path(facts["token_file"]).read_text().strip()
            with _channel(facts["api"], authority) as channel:
                yield World(
                    folder=folder,
                    address=facts["referee"],
                    metrics=f"{'https' if authority else 'http'}://{facts['metrics']['referee']}/metrics",
                    stub=pb_grpc.ArenaServiceStub(channel),
                    auth=(("authorization", f"Bearer {token}"),),
                    authority=authority,
                )
        finally:
            server.terminate()
            server.wait(30)
            log.close()


def _channel(address: str, authority: Path | None) -> grpc.Channel:
    if authority is None:
        return grpc.insecure_channel(address)
    return grpc.secure_channel(address.removeprefix("tls://"), grpc.ssl_channel_credentials(authority.read_bytes()))
