"""`arena demo` as a newcomer meets it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import call_process

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.full
@pytest.mark.timeout(300)
def test_the_demo(tmp_path: Path) -> None:
    """Six bots, in less than two minutes; counting beats caution beats chance, each gap clear of its interval."""
    out = tmp_path / "demo"
    began = time.monotonic()
    called = call_process("demo", "--out", str(out), "--json", timeout=240)
    assert called.code == 0, called.err
    assert time.monotonic() - began < 120
    document = json.loads(called.out)
    assert document["clear"] is True
    assert document["tournament"]["state"] == "finished"
    assert [row["name"].split("-")[0] for row in document["standings"]["rows"]] == [
        *("counter", "counter", "cautious", "cautious", "random", "random")
    ]
    assert sum(row["faults"] for row in document["standings"]["rows"]) == 0
    assert all(gap["gap"] > gap["interval"] > 0 for gap in document["gaps"])
    assert call_process("record", "check", str(out)).code == 0
