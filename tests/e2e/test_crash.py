"""A process of the server killed with -9 in mid-tournament: the end is that of a run that nothing happened to."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.cli.calling import call_process
from tests.e2e.local_run import RANDOM, Running, bots, results, run, start, until

pytestmark = [
    pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc"),
    pytest.mark.full,
]

# Matches long enough to be hit in the middle, with a checkpoint at every deal's end.
MATCHES = (*bots(*[RANDOM] * 4), "--seed", "7", "--passes", "4", "--deals", "30", "--concurrency", "3")
SETTINGS = {"ARENA_CHECKPOINT_SECONDS": "0"}
VICTIMS = {"referee": "arena.app referee", "control": "arena.app control", "valkey": "valkey-server"}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Give records and standings of the run that nothing happens to."""
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    ended = run(out, *MATCHES)
    assert ended.code == 0, ended.err
    return results(out)


def kill(running: Running, victim: str) -> None:
    """Kill a process of the run with -9."""
    (pid,) = running.pids(VICTIMS[victim])
    os.kill(pid, signal.SIGKILL)
    until(lambda: pid not in running.pids(VICTIMS[victim]))


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_part_is_killed(tmp_path: Path, undisturbed: tuple[bytes, bytes], victim: str) -> None:
    """The server starts the part again and the tournament goes on by itself; no match is lost or counted twice."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *MATCHES, env=SETTINGS) as running:
        running.wait_done(2)
        kill(running, victim)
        running.wait_done(6)
        kill(running, victim)
        ended = running.wait()
        assert ended.code == 0, ended.err
        assert running.left() == []
    assert results(out) == undisturbed
    assert call_process("record", "check", str(out)).code == 0


def test_the_whole_server_is_killed(tmp_path: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """Everything at once, Valkey too: what is started again on the same directory goes on from the checkpoints."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *MATCHES, env=SETTINGS) as running:
        running.wait_done(3)
        for victim in VICTIMS:
            kill(running, victim)
        running.send(signal.SIGKILL)
        running.wait()
        running.wait_nothing_left()
    with start(out, "--resume", str(out), env=SETTINGS) as resumed:
        ended = resumed.wait()
        assert ended.code == 0, ended.err
    assert results(out) == undisturbed
