"""A child process that leaves nothing behind: see `launcher` for how.

Children must be started from the main thread: the kernel's notice of a parent's death goes by the thread that forked.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.cli.local.logs import CappedLog

_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
_CHUNK: Final = 65_536


class Child:
    """One run of a command, its output going to a log."""

    def __init__(
        self,
        command: Sequence[str],
        log: CappedLog,
        *,
        env: Mapping[str, str],
        cwd: Path | None = None,
        grace: float = 3.0,
        scope: str = "group",
    ) -> None:
        """Start *command*; at its end it has *grace* seconds from SIGTERM to SIGKILL."""
        self.started: Final = time.monotonic()
        self._log: Final = log
        self._grace: Final = grace
        self._asked = False
        self._process: Final = subprocess.Popen(  # noqa: S603 - running the user's commands is the purpose
            [sys.executable, "-I", "-S", str(_LAUNCHER), str(os.getpid()), str(grace), scope, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
        self._pump: Final = threading.Thread(target=self._copy, daemon=True)
        self._pump.start()

    @property
    def seconds(self) -> float:
        """How long ago it was started."""
        return time.monotonic() - self.started

    def poll(self) -> int | None:
        """Return the exit code once it has ended, its whole output logged by then."""
        code = self._process.poll()
        if code is not None:
            self._pump.join(timeout=1.0)
        return code

    def terminate(self) -> None:
        """Ask it to end. It has its grace from the first time on."""
        if not self._asked:
            self._asked = True
            self.hurry()

    def hurry(self) -> None:
        """Ask it again to end, now without delay."""
        if self._process.poll() is None:
            self._process.terminate()

    def wait(self, seconds: float) -> bool:
        """Wait for its end, and return whether it came."""
        try:
            self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        self._pump.join(timeout=1.0)
        return True

    def close(self) -> None:
        """End it for certain, after its grace."""
        self.terminate()
        if not self.wait(self._grace + 2.0):
            self._process.kill()
            self.wait(2.0)

    def _copy(self) -> None:
        stream = self._process.stdout
        if stream is None:
            return
        with stream:
            while data := os.read(stream.fileno(), _CHUNK):
                self._log.write(data)
