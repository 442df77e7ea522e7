"""Child processes, and that nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.cli.local.logs import CappedLog
from arena.cli.local.process import Child

Start = Callable[..., Child]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CappedLog]:
    """Give a log."""
    log = CappedLog(tmp_path / "child.log")
    yield log
    log.close()


@pytest.fixture
def start(log: CappedLog) -> Iterator[Start]:
    """Give a way to start children that do not outlive the test."""
    with contextlib.ExitStack() as stack:

        def start(*command: str, grace: float = 3.0, scope: str = "group") -> Child:
            child = Child(command, log, env=os.environ, grace=grace, scope=scope)
            stack.callback(child.close)
            return child

        yield start


def wait_for(probe: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until *probe* returns something true."""
    deadline = time.monotonic() + seconds
    while not probe():
        assert time.monotonic() < deadline, "it did not come to be"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Return whether process *pid* runs; one that only waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def read_pids(file: Path, count: int) -> list[int]:
    """Wait until *count* process ids stand in *file*, and return them."""
    wait_for(lambda: file.exists() and len(file.read_text().split()) >= count)
    return [int(word) for word in file.read_text().split()]


def test_output_and_exit_code(start: Start, log: CappedLog) -> None:
    """Both outputs of a command are in the log by the time its exit code is known."""
    child = start("sh", "-c", "echo out; echo err >&2; exit 3")
    wait_for(lambda: child.poll() is not None)
    assert child.poll() == 3
    assert sorted(log.last_lines()) == ["err", "out"]


@pytest.mark.parametrize(
    ("command", "reason"), [("/nonesuch/bot", "No such file"), ("/etc/passwd", "Permission denied")]
)
def test_a_command_that_cannot_start(start: Start, log: CappedLog, command: str, reason: str) -> None:
    """It is exit code 127, with the reason as its output."""
    child = start(command)
    assert child.wait(10)
    assert child.poll() == 127
    assert log.last_lines() == [f"cannot start {command!r}: {reason}" + (" or directory" if "such" in reason else "")]


def test_death_by_signal(start: Start) -> None:
    """A command that a signal ended has 128 and its number as exit code, as in a shell."""
    child = start("sh", "-c", "kill -9 $$")
    assert child.wait(10)
    assert child.poll() == 128 + 9


def test_a_polite_end(start: Start, log: CappedLog) -> None:
    """SIGTERM reaches the command, which may end as it likes."""
    child = start("sh", "-c", "trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done")
    wait_for(log.last_lines)
    child.terminate()
    assert child.wait(10)
    assert child.poll() == 5
    assert log.last_lines()[-1] == "bye"


def test_a_stubborn_command_is_killed(start: Start, log: CappedLog) -> None:
    """What ignores SIGTERM is killed after its grace."""
    child = start("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done", grace=0.2)
    wait_for(log.last_lines)
    child.terminate()
    assert child.wait(10)
    assert child.poll() == 128 + 9


def test_a_hurry_does_not_wait(start: Start, log: CappedLog) -> None:
    """Asking again means now; closing does not ask again, but waits for the grace."""
    child = start("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done", grace=60)
    wait_for(log.last_lines)
    child.terminate()
    child.terminate()
    assert not child.wait(0.3)
    child.hurry()
    assert child.wait(10)


def test_a_leader_may_hurry_by_itself(start: Start, log: CappedLog) -> None:
    """A server gets the second SIGTERM too, and only a third request kills it."""
    script = "trap 'echo TERM' TERM; echo ready; while :; do sleep 0.05; done"
    child = start("sh", "-c", script, grace=60, scope="leader")
    wait_for(log.last_lines)
    for count in (1, 2):
        child.hurry()
        wait_for(lambda count=count: log.last_lines().count("TERM") == count)  # type: ignore[misc]
    child.hurry()
    assert child.wait(10)
    assert child.poll() == 128 + 9


def test_grandchildren_end_with_the_command(start: Start, tmp_path: Path) -> None:
    """What a command started in the background does not outlive it, whether it ends by itself or is ended."""
    for number, ending in enumerate(("sleep 0.2", "sleep 1000")):
        file = tmp_path / f"pids{number}"
        child = start("sh", "-c", f"sleep 1000 & echo $! $$ > {file}; {ending}")
        pids = read_pids(file, 2)
        if "1000" in ending:
            child.terminate()
        assert child.wait(10)
        wait_for(lambda pids=pids: not any(map(alive, pids)))  # type: ignore[misc]


DAEMON = """
import os, pathlib, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    if sys.argv[2] == "polite":
        import signal
        signal.signal(signal.SIGTERM, lambda *_: (pathlib.Path(sys.argv[1] + ".bye").touch(), os._exit(0)))
    with pathlib.Path(sys.argv[1]).open("a") as file:
        file.write(f"{os.getpid()} ")
    time.sleep(1000)
os.wait()
while sys.argv[3] == "stay" or not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.05)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to whom one likes")
@pytest.mark.parametrize("ending", ["go", "stay"])
@pytest.mark.parametrize("scope", ["group", "leader"])
def test_daemons_end_with_the_command(start: Start, tmp_path: Path, scope: str, ending: str) -> None:
    """What leaves the command's group and session is found all the same; what a server left may end politely."""
    file = tmp_path / "pids"
    child = start(sys.executable, "-c", DAEMON, str(file), "polite" if scope == "leader" else "", ending, scope=scope)
    pids = read_pids(file, 1)
    if ending == "stay":
        child.terminate()
    assert child.wait(10)
    assert not any(map(alive, pids))
    assert (tmp_path / "pids.bye").exists() == (scope == "leader")


def orphan(tmp_path: Path, script: str, grace: float) -> list[int]:
    """Kill a program with threads that has started *script*; return the process ids that it wrote to `pids`."""
    program = (
        "import os, pathlib, threading, time\n"
        "from arena.cli.local.logs import CappedLog\n"
        "from arena.cli.local.process import Child\n"
        "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
        f"log = CappedLog(pathlib.Path({str(tmp_path / 'log')!r}))\n"
        f"child = Child(['sh', '-c', {script!r}], log, env=os.environ, grace={grace})\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as parent:
        pids = read_pids(tmp_path / "pids", 2)
        assert all(map(alive, pids))
        parent.send_signal(signal.SIGKILL)
    return pids


def test_nothing_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    """Killed with -9, the program that started a command takes it along, with all that the command started."""
    script = f"sleep 1000 & echo $! $$ > {tmp_path / 'pids'}; trap '' TERM; while :; do sleep 0.05; done"
    pids = orphan(tmp_path, script, 0.2)
    wait_for(lambda: not any(map(alive, pids)))


def test_a_killed_parent_leaves_time_for_a_polite_end(tmp_path: Path) -> None:
    """A command whose parent was killed is ended as politely as any: it has its grace."""
    done = tmp_path / "done"
    script = f"exec 2>/dev/null; trap 'sleep 0.7; echo bye > {done}; exit' TERM; echo $$ $$ > {tmp_path / 'pids'}; "
    orphan(tmp_path, script + "while :; do sleep 0.05; done", 60)
    wait_for(done.exists)


def test_the_command_ends_when_its_keeper_is_killed(start: Start, tmp_path: Path) -> None:
    """The process between us and the command is no weak point."""
    file = tmp_path / "pids"
    child = start("sh", "-c", f"echo $$ > {file}; exec sleep 1000")
    pids = read_pids(file, 1)
    child._process.kill()
    wait_for(lambda: not alive(pids[0]))


def test_signals_of_the_terminal_do_not_reach_it(start: Start, log: CappedLog) -> None:
    """A command is in a session of its own, so that Ctrl-C is ours to handle."""
    start("sh", "-c", "ps -o sid= -p $$ 2>/dev/null || cut -d' ' -f6 /proc/$$/stat")
    wait_for(log.last_lines)
    assert int(log.last_lines()[0]) != os.getsid(0)
