"""Roles may have as many connections as the system lets them."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from arena.app.open_files import SPARE, raise_limit

FEW = 256


def low() -> None:
    """Begin with few open files, as a login shell would."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, hard))


@pytest.mark.parametrize("role", ["referee", "web"])
@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="limits of other processes are read from /proc")
def test_a_role_raises_its_limit(role: str, redis_url: str) -> None:
    """A role that was started with few open files takes all that it may have."""
    settings = dict.fromkeys(("ARENA_PORT", "ARENA_REFEREE_PORT", "ARENA_METRICS_PORT"), "0")
    settings |= {"ARENA_REFEREE_METRICS_PORT": "0", "ARENA_REDIS_URL": redis_url, "ARENA_REQUIRE_AOF": "false"}
    around = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    with subprocess.Popen(
        [sys.executable, "-m", "arena.app", role, "--with-parent"],
        env={**around, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=low,  # noqa: PLW1509 - there are no threads here that could mind
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert "error" not in json.loads(process.stdout.readline())
        lines = Path(f"/proc/{process.pid}/limits").read_text().splitlines()
        process.stdin.close()
    (line,) = [line for line in lines if line.startswith("Max open files")]
    soft, hard = line.split()[3:5]
    assert soft == hard != str(FEW)


def test_too_few_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Where the system lets a role have less than its limits of streams need, the log says so."""
    limit = raise_limit(0)
    if limit == resource.RLIM_INFINITY:
        pytest.skip("this system has no limit of open files")
    assert "few_open_files" not in "".join(capsys.readouterr())
    assert raise_limit(limit - SPARE) == limit
    assert "few_open_files" not in "".join(capsys.readouterr())
    assert raise_limit(limit) == limit
    assert "few_open_files" in "".join(capsys.readouterr())
