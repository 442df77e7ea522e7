"""The server of a local run: `arena serve` as a child process, found through its `server.json`."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.cli.errors import Failure
from arena.cli.local.logs import CappedLog
from arena.cli.local.process import Child

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.cli.local.layout import Layout

GRACE: Final = 20.0
_START_SECONDS: Final = 60.0
_STEP: Final = 0.02


class LocalServer:
    """A running `arena serve`."""

    def __init__(self, layout: Layout, port: int, referee_port: int) -> None:
        self._where: Final = layout.server / "server.json"
        self._before = self._stamp()
        self.log: Final = CappedLog(layout.server_log)
        self._log_before: Final = layout.server_log.stat().st_size
        self.child: Final = Child(
            [
                *(sys.executable, "-m", "arena.cli", "serve", "--data-dir", str(layout.server)),
                *("--port", str(port), "--referee-port", str(referee_port)),
                *("--metrics-port", "0", "--referee-metrics-port", "0"),
            ],
            self.log,
            env={name: value for name, value in os.environ.items() if _is_handed_on(name)},
            grace=GRACE,
            scope="leader",
        )

    def wait_ready(self, look: Callable[[], None]) -> None:
        """Wait until it is up, calling *look* meanwhile. Raises `Failure` with its own words if it ends instead."""
        deadline = time.monotonic() + _START_SECONDS
        while (stamp := self._stamp()) is None or stamp == self._before:
            look()
            self.check()
            if time.monotonic() > deadline:
                raise Failure(f"the server did not start within {_START_SECONDS:.0f} s; see {self.log.path}")
            time.sleep(_STEP)

    def check(self) -> None:
        """Raise `Failure` if it has ended."""
        code = self.child.poll()
        if code is not None:
            raise Failure(self._last_words(code))

    @property
    def api(self) -> str:
        """Where the API is; it may move when the server restarts one of its parts."""
        return str(self._facts()["api"])

    @property
    def referee(self) -> str:
        """Where bots connect."""
        return str(self._facts()["referee"])

    @property
    def token(self) -> str:
        """The admin token."""
        return Path(self._facts()["token_file"]).read_text(encoding="utf-8").strip()

    def errors(self) -> list[str]:
        """Return what errors it has logged since it was started here, the log being closed: their names, in order."""
        with self.log.path.open("rb") as file:
            file.seek(self._log_before)
            found = [_error_of(line) for line in file]
        return [event for event in found if event]

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self._where.read_bytes())
        return facts

    def _stamp(self) -> tuple[int, bytes] | None:
        try:
            return self._where.stat().st_mtime_ns, self._where.read_bytes()
        except OSError:  # not there, or not to be read, which the server itself will tell
            return None

    def _last_words(self, code: int) -> str:
        lines = self.log.last_lines(40)
        for line in reversed(lines):
            _, marker, words = line.partition("arena: error: ")
            if marker:
                return words
        told = f": {lines[-1]}" if lines and not lines[-1].startswith("{") else ""
        signum = -code if code < 0 else code - 128
        how = f"was killed by signal {signum}" if signum > 0 else f"stopped with exit code {code}"
        return f"the server {how}{told}; see {self.log.path}"


def _is_handed_on(variable: str) -> bool:
    """Whether the server gets *variable*: what is meant for another server is none of its settings."""
    return not variable.startswith("ARENA_") or variable.startswith("ARENA_TLS_")


def _error_of(line: bytes) -> str:
    """Return the event of a log line of level error or above, or nothing."""
    try:
        logged = json.loads(line)
    except ValueError:  # not a line of the log, or cut where the log leaves something out
        return "an exception" if line.startswith(b"Traceback ") else ""
    if not isinstance(logged, dict) or logged.get("level") not in ("error", "critical"):
        return ""
    return str(logged.get("event") or "an error")
