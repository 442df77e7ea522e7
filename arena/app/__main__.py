"""One role as a process: `python -m arena.app ROLE [--with-parent]`, settings from the environment.

With `--with-parent` it stops when its standard input ends, and tells on standard output where it listens, or why it
could not start.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from typing import Final

import structlog
import uvloop

from arena.app import logs
from arena.app.lifecycle import Listening, Stop, tell
from arena.app.open_files import raise_limit
from arena.config import from_env
from arena.errors import ArenaError, ConfigError
from arena.storage.ports import StorageUnavailable, StorageUnfit
from referee.transport.server import CannotListen

ROLES: Final = {
    "referee": "arena.app.referee",
    "control": "arena.app.control",
    "scheduler": "arena.app.control",
    "web": "arena.app.control",
}
"""Where the coroutine `run_<role>` of each role is; imported when it is known which is wanted."""

FAILED: Final = 1
MISUSED: Final = 2


async def run_role(role: str, *, with_parent: bool) -> None:
    """Run *role* until it is asked to stop. Raises `ConfigError` and what the role raises when it cannot start."""
    config = from_env(os.environ)
    if not config.redis_url:
        text = "set it to the URL of a Redis or Valkey, for example redis://127.0.0.1:6379/0"
        raise ConfigError("ARENA_REDIS_URL", text)
    logs.configure(config.log_level, role)
    raise_limit(config.streams if role == "referee" else config.calls)
    stop = Stop(config.drain_seconds)
    stop.on_signals()
    if with_parent:
        stop.with_parent()

    def ready(listening: Listening) -> None:
        if with_parent:
            tell(asdict(listening))

    await getattr(import_module(ROLES[role]), f"run_{role}")(config, stop, ready)
    structlog.get_logger("role").info("stopped")


def main(arguments: Sequence[str]) -> int:
    """Run the role that the command line names, and return the exit code."""
    role, *options = arguments
    with_parent = "--with-parent" in options
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(run_role(role, with_parent=with_parent))
    except (ArenaError, StorageUnavailable, StorageUnfit, CannotListen) as error:
        if with_parent:  # who says it to people
            tell({"error": str(error)})
        else:
            sys.stderr.write(f"arena: error: {error}\n")
        return MISUSED if isinstance(error, ConfigError) else FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
