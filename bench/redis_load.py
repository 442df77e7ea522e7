"""What the arena asks of Redis, read from Redis' own counters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis

_SOCKET = re.compile(r'^unixsocket "?([^"\n]+)"?$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RedisUsage:
    """Commands processed (those inside scripts too) and bytes moved so far."""

    commands: int
    moved: int


def usage(data: Path) -> RedisUsage:
    """Read the counters of the embedded Valkey of the data directory *data*."""
    found = _SOCKET.search((data / "valkey" / "valkey.conf").read_text())
    assert found is not None
    with Redis(unix_socket_path=found[1]) as client:
        stats: dict[str, Any] = client.info("stats")
    return RedisUsage(
        commands=int(stats["total_commands_processed"]),
        moved=int(stats["total_net_input_bytes"]) + int(stats["total_net_output_bytes"]),
    )
