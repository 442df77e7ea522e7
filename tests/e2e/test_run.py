"""`arena run` as its users meet it: real bots, a real server, real signals."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import call_process
from tests.e2e.local_run import RANDOM, bots, results, run, start, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.calling import Called

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")

FOUR = bots(*[RANDOM] * 4)
SMALL = (*FOUR, "--seed", "7", "--passes", "2", "--deals", "4")
LONGER = (*FOUR, "--seed", "7", "--passes", "15", "--deals", "4", "--concurrency", "4")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Give records and standings of the longer run."""
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    ended = run(out, *LONGER)
    assert ended.code == 0, ended.err
    return results(out)


def check(out: Path) -> Called:
    """Check the records of a run."""
    return call_process("record", "check", str(out))


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """Records and standings are the same to the byte, run for run, whatever the concurrency."""
    runs = {}
    for name, more in (("first", ()), ("second", ()), ("serial", ("--concurrency", "1"))):
        ended = run(tmp_path / name, *SMALL, *more)
        assert ended.code == 0, ended.err
        runs[name] = results(tmp_path / name)
    assert runs["first"] == runs["second"] == runs["serial"]
    checked = check(tmp_path / "first")
    assert checked.code == 0
    assert "8 records, 32 deals, all right" in checked.out
    sources = {
        word
        for line in runs["first"][0].splitlines()
        for deal in json.loads(line)["deals"]
        for words in deal["sources"].values()
        for word in words or []
    }
    assert sources == {"bot"}


def test_what_a_run_tells(tmp_path: Path) -> None:
    """The end is a ranking on stdout, with the way to what is left behind; progress is on stderr."""
    out = tmp_path / "run"
    ended = run(out, *bots("a=" + RANDOM, RANDOM, RANDOM, RANDOM), "--passes", "1", "--deals", "2")
    assert ended.code == 0, ended.err
    assert "finished: 4 matches, 8 deals" in ended.out
    assert all(f" {name} " in ended.out for name in ("a", "random", "random-2", "random-3"))
    assert f"arena record check {out / 'records.jsonl'}" in ended.out
    assert "0/4 matches" in ended.err
    assert sorted(file.name for file in (out / "bots").glob("*.log")) == [
        *("a.log", "random-2.log", "random-3.log", "random.log"),
    ]
    assert "playing as a" in (out / "bots" / "a.log").read_text()
    again = call_process("run", "--out", str(out), *SMALL)
    assert again.code == 2
    assert "--resume" in again.err


def test_json(tmp_path: Path) -> None:
    """With --json stdout is one document; resuming a finished run gives it again, without playing."""
    out = tmp_path / "run"
    ended = run(out, *SMALL, "--json")
    assert ended.code == 0, ended.err
    document = json.loads(ended.out)
    assert document["tournament"]["state"] == "finished"
    assert [row["rank"] for row in document["standings"]["rows"]] == [1, 2, 3, 4]
    assert document["warnings"] == []
    before = results(out)
    with start(out, "--resume", str(out), "--json") as resumed:
        again = resumed.wait()
    assert again.code == 0, again.err
    assert json.loads(again.out)["standings"] == document["standings"]
    assert results(out) == before


@pytest.mark.parametrize(
    ("signum", "code"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.full),
    ],
)
def test_interrupted_and_resumed(
    tmp_path: Path, undisturbed: tuple[bytes, bytes], signum: signal.Signals, code: int
) -> None:
    """A signal ends everything and prints the command that goes on; the end is that of an undisturbed run."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *LONGER) as running:
        running.wait_done(5)
        running.send(signum)
        ended = running.wait()
        assert ended.code == code
        assert running.left() == []
    assert "Traceback" not in ended.err
    command = shlex.split(ended.err.strip().splitlines()[-1])
    assert command == ["arena", "run", "--resume", str(out)]
    with start(out, *command[2:]) as resumed:
        finished = resumed.wait()
        assert finished.code == 0, finished.err
        assert resumed.left() == []
    assert "resuming: 0 of" not in finished.err
    assert results(out) == undisturbed


@pytest.mark.full
def test_killed_and_resumed(tmp_path: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """Killed with -9, a run takes all its processes along, and is resumed like any other."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *LONGER) as running:
        running.wait_done(5)
        running.send(signal.SIGKILL)
        running.wait()
        running.wait_nothing_left()
    with start(out, "--resume", str(out)) as resumed:
        finished = resumed.wait()
    assert finished.code == 0, finished.err
    assert results(out) == undisturbed


@pytest.mark.full
def test_a_second_ctrl_c_does_not_wait(tmp_path: Path) -> None:
    """Who presses Ctrl-C twice gets an end at once, and still no process is left, and nothing lost."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *LONGER) as running:
        running.wait_done(5)
        running.send(signal.SIGINT)
        running.send(signal.SIGINT)
        ended = running.wait()
        assert running.left() == []
    assert ended.code == 130
    assert f"arena run --resume {out}" in ended.err
    with start(out, "--resume", str(out)) as resumed:
        assert resumed.wait().code == 0


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("bad=sh -c 'echo my last words; exit 3'", ("bot 'bad'", "exit code 3", "my last words")),
        ("bad=python -m hearts_bot.bots.nonesuch", ("bot 'bad'", "exit code 1", "No module named")),
        ("bad=./broken", ("bot 'bad'", "exit code 127", "cannot start './broken': No such file")),
    ],
)
def test_a_bot_that_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: str, told: tuple[str, ...]
) -> None:
    """The run fails with the bot's name, exit code and last words; nothing is left running."""
    (tmp_path / "broken").write_text("#!/nonesuch/interpreter\n")
    (tmp_path / "broken").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    ended = run(tmp_path / "run", *bots(RANDOM, RANDOM, RANDOM, bad))
    assert (ended.code, ended.out) == (1, "")
    assert all(words in ended.err for words in told)
    assert "Traceback" not in ended.err


def test_a_bot_that_never_connects(tmp_path: Path) -> None:
    """A bot that does nothing is told after the time for it."""
    ended = run(tmp_path / "run", *bots(RANDOM, RANDOM, RANDOM, "mute=sleep 1000"), "--start-timeout", "3s")
    assert ended.code == 1
    assert "bot 'mute' has not connected within 3 s" in ended.err


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (bots(RANDOM, RANDOM, RANDOM), 2, "3 bots cannot fill a table: standard is played by 4"),
        (bots("a=" + RANDOM, "a=" + RANDOM, RANDOM, RANDOM), 2, "two bots are named 'a'"),
        (bots(RANDOM, RANDOM, RANDOM, "./nonesuch --x"), 1, "there is no program './nonesuch'"),
        ([*FOUR, "--rules", "standart"], 2, "did you mean standard"),
        ([*FOUR, "--boards", "balancd"], 2, "balanced"),
        ([*FOUR, "--boards", "boards"], 2, "choose rotations, balanced or single, or enter 4 more"),
        ([*FOUR, "--boards", "rotations", "--target", "50"], 2, "choose boards = single"),
        ([*FOUR, "--rules", "classic", "--players", "5"], 2, "a smaller table with --players 4"),
        ([*FOUR, "--rules", "cancellation"], 2, "4 bots cannot fill a table: cancellation is played by 8 here"),
        (["--resume", "/nonesuch"], 2, "there is no run to resume"),
        (["--resume", "/nonesuch", "--seed", "7"], 2, "--resume takes its settings"),
    ],
)
def test_what_is_refused_before_anything_is_started(tmp_path: Path, options: list[str], code: int, told: str) -> None:
    """A run that cannot be leaves no directory behind."""
    called = call_process("run", *options, cwd=tmp_path)
    assert (called.code, called.out) == (code, "")
    assert told in called.err
    assert called.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_port_in_use(tmp_path: Path) -> None:
    """A port that somebody else has is told as the server told it."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        port = bound.getsockname()[1]
        ended = run(tmp_path / "run", *SMALL, "--referee-port", str(port))
    assert ended.code == 1
    assert f"127.0.0.1:{port}" in ended.err
    assert "choose another port" in ended.err


@pytest.mark.full
@pytest.mark.parametrize(
    ("part", "which"),
    [("arena.cli serve", min), ("arena.cli serve", max), ("arena.app referee", max), ("valkey-server", max)],
    ids=["keeper", "server", "referee", "valkey"],
)
def test_a_part_that_is_killed(
    tmp_path: Path, undisturbed: tuple[bytes, bytes], part: str, which: Callable[[list[int]], int]
) -> None:
    """Killed with -9, a part is started again, or the run ends and says by what, and how to go on; nothing is lost."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *LONGER) as running:
        running.wait_done(2)
        os.kill(which(running.pids(part)), signal.SIGKILL)
        ended = running.wait()
        running.wait_nothing_left()
    if ended.code:
        assert (ended.code, "Traceback" in ended.err) == (1, False)
        assert "arena: error: the server was killed by signal 9; see " in ended.err
        assert f"arena run --resume {out}" in ended.err
        with start(out, "--resume", str(out)) as resumed:
            assert resumed.wait().code == 0
    assert results(out) == undisturbed


@pytest.mark.full
def test_resumed_at_once_after_a_kill(tmp_path: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """Who resumes while the killed run's server still puts its matches away waits for that, and loses nothing."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *LONGER) as running:
        running.wait_done(2)
        running.send(signal.SIGKILL)
        running.wait()
        with start(out, "--resume", str(out)) as resumed:
            finished = resumed.wait()
    assert finished.code == 0, finished.err
    assert results(out) == undisturbed


@pytest.mark.full
def test_a_directory_that_was_meddled_with(tmp_path: Path) -> None:
    """What can be made again is, and a resumed run ends as the run did: tokens, bots' logs, even the whole server."""
    out = tmp_path / "run"
    assert run(out, *SMALL, "--seed", "7").code == 0
    expected = results(out)
    tokens = out / "bots" / "tokens.json"

    def spoil(content: bytes) -> Callable[[], object]:
        return lambda: tokens.write_bytes(content)

    def remove() -> None:
        for directory in (out / "bots", out / "server"):
            shutil.rmtree(directory)

    for meddle in (
        *map(spoil, (b"", b"junk", b"[]", b'{"a": 7}', b"\xff")),
        lambda: shutil.rmtree(out / "server"),
        remove,
    ):
        meddle()
        with start(out, "--resume", str(out)) as resumed:
            ended = resumed.wait()
        assert (ended.code, "Traceback" in ended.err) == (0, False), ended.err
        assert results(out) == expected


@pytest.mark.full
def test_a_directory_in_use(tmp_path: Path) -> None:
    """Two runs cannot share a directory; the first is not disturbed."""
    out = tmp_path / "run"
    with start(out, "--out", str(out), *LONGER) as running:
        running.wait_done(1)
        second = call_process("run", "--resume", str(out))
        assert second.code == 2
        assert "another 'arena run' is at work" in second.err
        ended = running.wait()
    assert ended.code == 0, ended.err


@pytest.mark.full
def test_a_bot_that_dies_is_started_again(tmp_path: Path) -> None:
    """A bot that dies after its hello is restarted, which is told, and the run goes on to its end."""
    program = tmp_path / "mortal.py"
    once = tmp_path / "died"
    program.write_text(
        "import os, pathlib, runpy, sys, threading\n"
        f"once = pathlib.Path({str(once)!r})\n"
        "def die():\n"
        "    once.touch()\n"
        "    os._exit(7)\n"
        "if not once.exists():\n"
        "    threading.Timer(1.5, die).start()\n"
        "sys.argv = ['bot']\n"
        "runpy.run_module('hearts_bot.bots.random', run_name='__main__')\n"
    )
    mortal = shlex.join(["mortal=" + sys.executable, str(program)])
    options = ("--passes", "30", "--deals", "4", "--json")
    ended = run(tmp_path / "run", *bots(RANDOM, RANDOM, RANDOM, mortal.replace("'", "")), *options)
    assert ended.code == 0, ended.err
    document = json.loads(ended.out)
    assert any("bot 'mortal' ended with exit code 7" in warning for warning in document["warnings"])
    assert document["tournament"]["state"] == "finished"
    assert check(tmp_path / "run").code == 0


def test_a_bot_started_by_hand(tmp_path: Path) -> None:
    """`NAME=wait` is waited for; what it needs stands in a file. The end tells who is still to be stopped.

    It also tells of errors in the server's log, wherever they come from.
    """
    out = tmp_path / "run"
    options = (*bots("me=wait", RANDOM, RANDOM, RANDOM), "--passes", "1", "--deals", "1", "--no-clock")
    with start(out, "--out", str(out), *options) as running:
        env = out / "bots" / "me.env"
        until(env.exists)
        script = f"set -a; . {shlex.quote(str(env))}; exec {shlex.quote(sys.executable)} -m hearts_bot.bots.random"
        with subprocess.Popen(["sh", "-c", script], stderr=subprocess.DEVNULL) as mine:
            with running.layout.server_log.open("ab") as log:
                log.write(b'{"level": "error", "event": "something_broke"}\n')
            ended = running.wait()
            mine.terminate()
    assert ended.code == 0, ended.err
    assert "waiting for bot 'me'" in ended.err
    assert "arena: warning: the server logged errors" in ended.err
    assert "something_broke (1)" in ended.err
    assert "started by hand, and so to be stopped by hand: me" in ended.err
