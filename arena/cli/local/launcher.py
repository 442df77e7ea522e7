"""Runs one command in a process group of its own, and lets nothing of it survive whoever asked for it.

Usage: `python launcher.py PARENT GRACE SCOPE COMMAND...`, standard library only, without site packages.
SCOPE `group` sends a polite SIGTERM to the whole group (bots: the shell in front hands nothing on); `leader` only to
the command itself (a server stops its own children in its own order, and hurries when it gets a second one).
SIGTERM is passed on; one more, or GRACE seconds, end everything in the group with SIGKILL.
If PARENT dies, that counts as SIGTERM: on Linux the kernel says so, elsewhere it is looked for twice a second. If this
process is killed itself, the kernel kills the command.
What has left the group, as daemons do, is ended with the command (on Linux).
The exit code is the command's own, 128 + N if signal N ended it, 127 if it could not be started.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 2.0
_STEP = 0.01
_ORPHANED = signal.SIGUSR1
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def _tell_death_of_parent(signum: int) -> None:
    """Ask the kernel for *signum* when the parent dies; elsewhere than on Linux nothing happens.

    It may come more than once: a parent with threads dies thread by thread.
    """
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - only where it is used: it takes longer to import than all the rest

    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signum, 0, 0, 0)


def _adopt_orphans() -> None:
    """Ask the kernel to make ours what the command leaves behind, as daemons do that leave its group (Linux only)."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - as above

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """Return the processes whose parent we are."""
    found, me = [], str(os.getpid())
    with contextlib.suppress(FileNotFoundError):  # no /proc: nothing was adopted
        for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - pathlib takes long to import
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                if file.read().rpartition(b")")[2].split()[1].decode() == me:
                    found.append(int(name))
    return found


def _clear(grace: float) -> None:
    """End what the command has left behind, and what that leaves behind; politely, if there is a *grace*."""
    polite = time.monotonic() + grace
    last = polite + _PATIENCE
    asked: set[int] = set()
    while left := _children():
        late = time.monotonic() >= polite
        for pid in left:
            if late or pid not in asked:
                asked.add(pid)
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        time.sleep(_STEP)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if time.monotonic() > last:
            return


def _become(command: list[str]) -> None:
    """Replace this process, a fresh child, by *command*."""
    os.setsid()
    _tell_death_of_parent(signal.SIGKILL)
    signal.set_wakeup_fd(-1)
    for signum in (*_ENDING, _ORPHANED, signal.SIGCHLD, signal.SIGPIPE):
        signal.signal(signum, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is the point
    except OSError as error:
        os.write(2, f"cannot start {command[0]!r}: {error.strerror}\n".encode())
    os._exit(127)


class _Ending:
    """How far the command's end has come."""

    def __init__(self, child: int, grace: float, whole_group: bool) -> None:
        self.child, self.grace, self.whole_group = child, grace, whole_group
        self.deadline: float | None = None
        self.asked = 0

    def ask(self) -> None:
        """End politely the first time, and at once the second; a leader may hurry by itself, and is asked thrice."""
        self.asked += 1
        if self.asked > (1 if self.whole_group else 2):
            self.kill()
            return
        if self.deadline is None:
            self.deadline = time.monotonic() + self.grace
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if self.whole_group else os.kill)(self.child, signal.SIGTERM)

    def look(self, *, orphaned: bool) -> None:
        """End what is overdue, and what nobody waits for any more."""
        if self.deadline is None:
            if orphaned:
                self.ask()
        elif time.monotonic() >= self.deadline:
            self.kill()

    def kill(self) -> None:
        """End everything in the group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child, signal.SIGKILL)


def main(argv: list[str]) -> int:
    """Run the command to its end and return its exit code."""
    parent, grace, scope, command = int(argv[1]), float(argv[2]), argv[3], argv[4:]
    _tell_death_of_parent(_ORPHANED)
    wake = _wake_on_signals()
    if os.getppid() != parent:
        return 128 + signal.SIGTERM
    _adopt_orphans()
    child = os.fork()
    if child == 0:
        _become(command)
    for stream in (0, 1, 2):  # the pipe must end with the command, not with its keeper
        os.close(stream)
    ending = _Ending(child, grace, scope == "group")
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            ending.kill()
            _clear(0.0 if ending.whole_group else _PATIENCE)
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if pid:  # an orphan that has ended by itself
            continue
        readable, _, _ = select.select([wake], [], [], 0.5)
        signals = os.read(wake, 512) if readable else b""
        for _ in range(sum(signum in _ENDING for signum in signals)):
            ending.ask()
        ending.look(orphaned=os.getppid() != parent)


def _wake_on_signals() -> int:
    """Let signals do nothing but write their numbers to a pipe, and return its end to read from."""
    wake, write = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    for signum in (*_ENDING, _ORPHANED, signal.SIGCHLD):
        signal.signal(signum, lambda *_: None)
    return wake


if __name__ == "__main__":
    sys.exit(main(sys.argv))
