"""An arena on one Valkey with its roles apart: referees, a scheduler, an API, and bots, each a process of its own.

The ports are chosen once, so that what is killed can be started again where it was. Whatever is left at the end is
killed.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Api, Refused, Unreachable, dial
from arena.cli.export import records_to
from arena.cli.local.enrol import get_tournament
from arena.storage.embedded import EmbeddedValkey
from tests.e2e.chaos.proxy import Proxy
from tests.e2e.local_run import until
from tests.support.acl import put_up, url_for

RANDOM = ("-m", "hearts_bot.bots.random")
TOURNAMENT = "cup"
OVER = (pb.TOURNAMENT_STATE_FINISHED, pb.TOURNAMENT_STATE_CANCELLED)


class Cluster:
    """The processes by name: `web`, `scheduler`, `referee-0` ..., `bot0` ..."""

    def __init__(
        self, folder: Path, referees: int, settings: Mapping[str, str], *, proxied: bool = False, logins: bool = False
    ) -> None:
        self.valkey = EmbeddedValkey(folder / "data", runtime_dir=folder / "run")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.referees = [f"referee-{number}" for number in range(referees)]
        self._folder = folder
        self._logins = logins
        self._settings = settings
        self._ports = _free_ports(3 * referees + 3)
        fronts = self._ports[2 * referees + 3 :]
        self.proxies = [Proxy(front, self._ports[3 + 2 * at]) for at, front in enumerate(fronts)] if proxied else []
        """In front of each referee, if wanted: where bots go instead."""

        self._token = folder / "admin.token"
        self._secrets: dict[str, str] = {}
        self._bots: dict[str, tuple[Sequence[str], int]] = {}

    # --- processes

    def start(self, name: str) -> None:
        """Start a role, and wait until it listens."""
        role, _, number = name.partition("-")
        at = 3 + 2 * int(number or 0)
        settings = {
            "ARENA_REDIS_URL": self._redis_url(role),
            "ARENA_PORT": str(self._ports[0]),
            "ARENA_METRICS_PORT": str(self._ports[1]),
            "ARENA_SCHEDULER_METRICS_PORT": str(self._ports[2]),
            **({"ARENA_ADMIN_TOKEN_FILE": str(self._token)} if role == "web" else {}),
            "ARENA_LEASE_SECONDS": "3",
            "ARENA_HEARTBEAT_SECONDS": "1",
            "ARENA_CHECKPOINT_SECONDS": "0",
            **self._settings,
        }
        if number:
            settings |= {
                "ARENA_REFEREE_PORT": str(self._ports[at]),
                "ARENA_REFEREE_METRICS_PORT": str(self._ports[at + 1]),
                "ARENA_ADVERTISE": self._address(int(number)),
            }
        process = self._launch(name, ("-m", "arena.app", role, "--with-parent"), settings, stdin=subprocess.PIPE)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, self.log(name)[-2000:]
        assert "error" not in json.loads(line), line

    def _redis_url(self, role: str) -> str:
        """Return where Valkey is, with the login of *role* if every role has one."""
        return url_for(self.valkey.url, "api" if role == "web" else role) if self._logins else self.valkey.url

    def start_bot(self, name: str, command: Sequence[str] = RANDOM, home: int = 0) -> None:
        """Start the bot *name*, at home at the referee with the number *home*, or if that is away at the next."""
        addresses = [self._address(number) for number in range(len(self.referees))]
        address = ",".join(addresses[home:] + addresses[:home])
        self._bots[name] = (command, home)
        self._launch(name, command, {"ARENA_ADDRESS": address, "ARENA_TOKEN": self._secrets[name]})

    def _address(self, referee: int) -> str:
        port = self.proxies[referee].port if self.proxies else self._ports[3 + 2 * referee]
        return f"127.0.0.1:{port}"

    def _launch(
        self, name: str, command: Sequence[str], settings: Mapping[str, str], stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        around = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
        with (self._folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command], env={**around, **settings}, stdin=stdin, stdout=subprocess.PIPE, stderr=log
            )
        self.processes[name] = process
        return process

    def start_known_bot(self, name: str) -> None:
        """Start a bot again as it was started before."""
        self.start_bot(name, *self._bots[name])

    def kill_valkey(self) -> None:
        """Kill Valkey with -9 and wait until it is gone."""
        self.signal_valkey(signal.SIGKILL)
        until(lambda: not self.valkey.alive())

    def signal_valkey(self, signum: signal.Signals) -> None:
        """Send a signal to Valkey."""
        os.kill(self.valkey.pid, signum)

    @property
    def secrets(self) -> dict[str, str]:
        """Return all tokens: the bots' by name, and the admin's."""
        return {**self._secrets, "admin": self._token.read_text().strip()}

    @property
    def ports(self) -> list[int]:
        """Return all ports that the roles listen on."""
        return self._ports[: 3 + 2 * len(self.referees)]

    def proxy(self, name: str) -> Proxy:
        """Return the proxy with that name, `proxy-0` ..."""
        return self.proxies[int(name.partition("-")[2])]

    def send(self, name: str, signum: signal.Signals) -> None:
        """Send a signal to a process."""
        self.processes[name].send_signal(signum)

    def kill(self, name: str) -> None:
        """Kill a process with -9 and wait until it is gone."""
        process = self.processes.pop(name)
        process.kill()
        _ended(process)

    def stop(self, name: str) -> int:
        """Stop a process in order, and return its exit code."""
        process = self.processes.pop(name)
        process.terminate()
        return _ended(process)

    def log(self, name: str) -> str:
        """Return what a process has written to stderr."""
        return (self._folder / f"{name}.log").read_text(errors="replace")

    def metrics(self, name: str) -> dict[str, float]:
        """Return the samples of a referee's metrics, by name with labels."""
        port = self._ports[4 + 2 * self.referees.index(name)]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
            lines = page.read().decode().splitlines()
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")}

    # --- the arena

    @contextlib.contextmanager
    def api(self) -> Iterator[Api]:
        """Talk to the API as admin."""
        until(self._token.exists)
        with dial(f"127.0.0.1:{self._ports[0]}", self._token.read_text().strip()) as api:
            yield api

    def enrol(self, names: Sequence[str]) -> dict[str, str]:
        """Register the bots *names* and return their ids."""
        ids: dict[str, str] = {}
        with self.api() as api:
            owner = api.ask(api.stub.CreateOwner, pb.CreateOwnerRequest(name="tests")).owner.owner
            for name in names:
                ids[name] = api.ask(api.stub.CreateBot, pb.CreateBotRequest(owner=owner, name=name)).bot.bot
                request = pb.CreateTokenRequest(role=pb.ROLE_BOT, subject=ids[name])
                self._secrets[name] = api.ask(api.stub.CreateToken, request).secret
        return ids

    def start_tournament(self, bots: Sequence[str], **spec: object) -> None:
        """Create and start a tournament of the bots with the ids *bots*."""
        wanted = pb.TournamentSpec(**({"name": TOURNAMENT, "seed": "7"} | spec))  # type: ignore[arg-type]
        with self.api() as api:
            with contextlib.suppress(Refused):
                api.ask(api.stub.DeleteTournament, pb.DeleteTournamentRequest(tournament=TOURNAMENT))
            api.ask(api.stub.CreateTournament, pb.CreateTournamentRequest(spec=wanted))
            for bot in bots:
                api.ask(api.stub.EnterBot, pb.EnterBotRequest(tournament=TOURNAMENT, bot=bot))
            change = pb.ChangeTournamentRequest(tournament=TOURNAMENT, change=pb.TOURNAMENT_CHANGE_START)
            api.ask(api.stub.ChangeTournament, change)

    def wait_done(self, matches: int, seconds: float = 180.0) -> None:
        """Wait until so many matches have a result."""
        with self.api() as api:

            def enough() -> bool:
                with contextlib.suppress(Unreachable):
                    return get_tournament(api, TOURNAMENT).matches_done >= matches
                return False

            until(enough, seconds)

    def wait_over(self, seconds: float = 240.0) -> pb.Tournament:
        """Wait for the end of the tournament."""
        with self.api() as api:
            found = pb.Tournament()

            def over() -> bool:
                with contextlib.suppress(Unreachable):
                    found.CopyFrom(get_tournament(api, TOURNAMENT))
                return found.state in OVER

            until(over, seconds)
            return found

    def faults(self) -> list[pb.Fault]:
        """Return the ledger of faults."""
        with self.api() as api:
            request = pb.ListFaultsRequest(tournament=TOURNAMENT)
            return [item.fault for item in api.stream(api.stub.ListFaults, request)]

    def results(self) -> tuple[bytes, bytes]:
        """Return all records, one a line, and the canonical standings."""
        with self.api() as api:
            file = io.BytesIO()
            records_to(api, TOURNAMENT, file)
            request = pb.GetStandingsRequest(tournament=TOURNAMENT)
            return file.getvalue(), api.ask(api.stub.GetStandings, request).standings.canonical_json


@contextlib.contextmanager
def cluster(
    folder: Path,
    *,
    referees: int,
    bots: int,
    settings: Mapping[str, str] | None = None,
    proxied: bool = False,
    logins: bool = False,
) -> Iterator[Cluster]:
    """Run a cluster with *bots* registered bots, `bot0` ..., none of which is started."""
    made = Cluster(folder, referees, settings or {}, proxied=proxied, logins=logins)
    made.valkey.start()
    if logins:
        put_up(made.valkey.url)
    for proxy in made.proxies:
        proxy.start()
    try:
        for name in ("web", "scheduler", *made.referees):
            made.start(name)
        made.enrol([f"bot{number}" for number in range(bots)])
        yield made
    finally:
        for process in made.processes.values():
            process.kill()
        for process in made.processes.values():
            _ended(process)
        for proxy in made.proxies:
            proxy.stop()
        made.valkey.stop()


def _ended(process: subprocess.Popen[bytes]) -> int:
    process.communicate(timeout=120)
    return process.returncode


def _free_ports(count: int) -> list[int]:
    """Return ports that are free now. None is given to anybody else meanwhile, as others ask the system, too."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
