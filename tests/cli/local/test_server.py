"""What the server of a local run is asked."""

from __future__ import annotations

from pathlib import Path

from arena.cli.local.layout import Layout
from arena.cli.local.server import LocalServer


def test_errors_of_its_own_are_found_in_its_log(tmp_path: Path) -> None:
    """Errors and tracebacks of this life of the server are found; older ones, warnings and other lines are not."""
    layout = Layout(tmp_path)
    layout.server_log.write_bytes(b'{"level": "error", "event": "of_an_earlier_life"}\n')
    server = LocalServer(layout, 0, 0)
    try:
        server.wait_ready(lambda: None)
        server.log.write(b'{"level": "error", "event": "table_broke"}\n{"level": "warning", "event": "slow"}\n')
        server.log.write(b'Traceback (most recent call last):\n  File ...\n{"level": "critical"}\n["error"]\n{"level":')
    finally:
        server.child.close()
        server.log.close()
    assert server.errors() == ["table_broke", "an exception", "an error"]
