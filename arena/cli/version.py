"""`arena version`."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import version as version_of

from arena.cli.options import Json
from arena.cli.style import new_app

app = new_app()


@app.command(epilog="\b\nExamples:\n  arena version\n  arena version --json")
def version(*, as_json: Json = False) -> None:
    """Print the version of the arena, of the bot protocol, and of Python."""
    facts = {"version": version_of("hearts-arena"), "protocol": 1, "python": platform.python_version()}
    if as_json:
        text = json.dumps(facts)
    else:
        text = f"arena {facts['version']} (bot protocol {facts['protocol']}, Python {facts['python']})"
    sys.stdout.write(text + "\n")
