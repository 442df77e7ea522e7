"""Logs: JSON, and no secrets in them."""

from __future__ import annotations

import json
import subprocess
import sys

from arena.app.logs import without_secrets

PROGRAM = """
import logging, structlog
from arena.app.logs import configure
configure("info", "referee")
structlog.get_logger("x").info("hello", token="arena_bot_" + "a" * 43)
structlog.get_logger("x").debug("not shown")
structlog.get_logger("x").info("deep", found=[{"unix://u:hunter2@/s": ("arena_ticket_" + "c" * 43,)}])
logging.getLogger("docket").warning("redis://:hunter2@h/0 is away")
try:
    raise RuntimeError("arena_admin_" + "b" * 43)
except RuntimeError:
    logging.getLogger("y").exception("broke")
"""


def test_lines_are_json_without_secrets() -> None:
    """Whatever logs, each line is one JSON object, marked with the role, tokens and passwords blotted out."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert [(line["event"], line["role"]) for line in lines] == [
        ("hello", "referee"),
        ("deep", "referee"),
        ("redis://:***@h/0 is away", "referee"),
        ("broke", "referee"),
    ]
    assert "RuntimeError" in lines[3]["exception"]
    assert "aaaa" not in ran.stderr
    assert "bbbb" not in ran.stderr
    assert "cccc" not in ran.stderr
    assert "hunter2" not in ran.stderr


def test_other_values_pass() -> None:
    """Ordinary texts are logged as they are."""
    assert without_secrets(None, "info", '{"a": 1, "b": "arena_bot"}') == '{"a": 1, "b": "arena_bot"}'
