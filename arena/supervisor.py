"""`arena serve`: a whole server as a family of processes.

The supervisor owns the data directory and an embedded Valkey, and runs two roles as child processes, so that page
loads and rankings never run on players' clocks. A role or a Valkey that dies is started again, on the port it had.

The family ends together. A stop goes to the API first, then to the referee, which lets deals end, and last to Valkey.
If the supervisor itself is killed, its roles notice, because it held the other end of their standard inputs, and stop
by themselves; Valkey stays, and the next server on the directory adopts it.

`server.json` in the data directory says where everything listens, once it does, and is gone when nothing does.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog

from arena.app.admin_token import ensure_admin_token, replace_file
from arena.app.exposure import certificates_of
from arena.app.lifecycle import Listening, Stop, cancelled, run_until
from arena.config import Config, SecretText, to_env
from arena.errors import ArenaError
from arena.storage.connect import open_registry
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import StorageUnfit

START_SECONDS: Final = 60.0
SHORTEST_WAIT: Final = 0.2
LONGEST_WAIT: Final = 5.0
STEADY_SECONDS: Final = 30.0
"""A role that has run for so long has recovered: its next death counts as the first."""

VALKEY_LOOK: Final = 0.25
KILL_SECONDS: Final = 5.0

ServerFacts = dict[str, object]


class ServeFailed(ArenaError):
    """A server that could not start; the text is what its part said."""


class RoleProcess:
    """A role as a child process, started again when it dies. `listening` is where it listens."""

    def __init__(self, role: str, config: Config) -> None:
        self.role = role
        self.config = config
        self.listening: Listening | None = None
        self._process: Process | None = None
        self._log = structlog.get_logger("supervisor")

    async def start(self) -> Listening:
        """Start the process and return where it listens; raise `ServeFailed` with its own words if it does not."""
        environ = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "arena.app", self.role, "--with-parent"),
            stdin=PIPE,
            stdout=PIPE,
            env=environ | to_env(self.config),
            # Ctrl-C at the terminal is for the supervisor, which stops its family in order.
            start_new_session=True,
        )
        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        try:
            async with asyncio.timeout(START_SECONDS):
                line = await self._process.stdout.readline()
        except TimeoutError:
            await self.stop(0)
            raise ServeFailed(f"the {self.role} did not start within {START_SECONDS:.0f} s") from None
        told = json.loads(line) if line else {}
        if "address" not in told:
            code = await self._process.wait()
            raise ServeFailed(told.get("error", f"the {self.role} ended with exit code {code} before it was ready"))
        self.listening = Listening(**told)
        # Whatever happens to it, its clients find it where it was.
        self.config = self._pinned(self.listening)
        return self.listening

    async def keep(self) -> None:
        """Start the process again whenever it dies, until cancelled."""
        wait = SHORTEST_WAIT
        while True:
            assert self._process is not None  # noqa: S101 - it was started
            begun = time.monotonic()
            code = await self._process.wait()
            if time.monotonic() - begun > STEADY_SECONDS:
                wait = SHORTEST_WAIT
            self._log.error("role_died", name=self.role, code=code, again_in=wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            try:
                await self.start()
            except ServeFailed as error:
                self._log.error("role_not_started", name=self.role, reason=str(error))

    async def stop(self, grace: float) -> None:
        """Stop the process with SIGTERM, and after *grace* seconds and some with SIGKILL."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace + KILL_SECONDS):
                await process.wait()
        except TimeoutError:
            self._log.error("role_killed", name=self.role)
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _pinned(self, listening: Listening) -> Config:
        port, metrics = (int(address.rpartition(":")[2]) for address in (listening.address, listening.metrics))
        if self.role == "referee":
            return replace(self.config, referee_port=port, referee_metrics_port=metrics)
        return replace(self.config, port=port, metrics_port=metrics)


async def serve(data_dir: Path, config: Config, stop: Stop) -> None:
    """Run a server on *data_dir* until *stop* asks for an end.

    With a Redis in *config* that one is used, else an embedded Valkey. Raises `ServeFailed`, `StorageUnfit`,
    `StorageUnavailable` or `ConfigError`, each with what to do, if it cannot start.
    """
    certificates_of(config)  # before anything is started
    facts_file = data_dir / "server.json"
    async with AsyncExitStack() as stack:
        if config.redis_url:
            _make(data_dir)
        else:
            config = replace(config, redis_url=await stack.enter_async_context(_embedded(data_dir)))
        _clear(facts_file)
        token_file = data_dir / "admin.token"
        await _ensure_token(config, token_file)
        referee, control = RoleProcess("referee", config), RoleProcess("control", config)
        try:
            await asyncio.gather(referee.start(), control.start())
            replace_file(facts_file, json.dumps(_facts(referee, control, token_file)).encode() + b"\n", 0o644)
            await cancelled(await run_until(stop, [referee.keep(), control.keep()]))
        finally:
            facts_file.unlink(missing_ok=True)
            hurry = stop.hurried.is_set()
            await control.stop(1.0)
            await referee.stop(0 if hurry else config.drain_seconds)


@asynccontextmanager
async def _embedded(data_dir: Path) -> AsyncIterator[SecretText]:
    """Run a Valkey on *data_dir* and give its URL; start it again when it dies."""
    valkey = EmbeddedValkey(data_dir)
    await asyncio.to_thread(valkey.start)
    keeper = asyncio.create_task(_keep(valkey))
    try:
        yield SecretText(valkey.url)
    finally:
        await cancelled([keeper])
        await asyncio.to_thread(valkey.stop)


async def _keep(valkey: EmbeddedValkey) -> None:
    log, wait = structlog.get_logger("supervisor"), SHORTEST_WAIT
    while True:
        await asyncio.sleep(VALKEY_LOOK)
        if valkey.alive():
            continue
        log.error("valkey_died", pid=valkey.pid, again_in=wait)
        try:
            await asyncio.to_thread(valkey.start)
        except (StorageUnfit, OSError) as error:
            log.warning("valkey_not_started", reason=str(error))
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
        else:
            wait = SHORTEST_WAIT


async def _ensure_token(config: Config, token_file: Path) -> None:
    """See to it that *token_file*, mode 0600, holds an admin token that is good."""
    async with open_registry(config.redis_url, require_aof=config.require_aof) as registry:
        await ensure_admin_token(registry, token_file)


def _facts(referee: RoleProcess, control: RoleProcess, token_file: Path) -> ServerFacts:
    assert referee.listening is not None  # noqa: S101 - both have started
    assert control.listening is not None  # noqa: S101
    return {
        "api": control.listening.address,
        "referee": referee.listening.address,
        "metrics": {"control": control.listening.metrics, "referee": referee.listening.metrics},
        "pid": os.getpid(),
        "token_file": str(token_file.absolute()),
    }


def _clear(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise ServeFailed(f"{file} cannot be replaced: {error.strerror}; move it away") from None


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ServeFailed(f"the data directory {directory} cannot be made: {error.strerror}; choose another") from None
