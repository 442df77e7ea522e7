"""The embedded Valkey keeps its data, survives its parent, and says clearly what is wrong."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

from arena.storage.embedded import DataDirBusy, EmbeddedValkey, is_busy
from arena.storage.ports import StorageUnfit

PARENT = """
import sys, time
from pathlib import Path
from arena.storage.embedded import EmbeddedValkey

server = EmbeddedValkey(Path(sys.argv[1]), runtime_dir=Path(sys.argv[2]))
server.start()
print(server.pid, flush=True)
time.sleep(600)
"""


def server_in(scratch: Path, **options: Path) -> EmbeddedValkey:
    """Return a server on a directory of the test's own."""
    return EmbeddedValkey(scratch / "data", runtime_dir=options.pop("runtime_dir", scratch / "run"), **options)


def test_it_answers_on_a_private_socket_only(scratch: Path) -> None:
    """A start gives a URL that answers; no port is open, the socket is ours alone, writes are synced."""
    server = server_in(scratch)
    server.start()
    with Redis.from_url(server.url) as client:
        assert client.ping()
        settings = client.config_get("*")
    assert settings["port"] == "0"
    assert (settings["appendonly"], settings["appendfsync"], settings["maxmemory-policy"]) == (
        *("yes", "always"),
        "noeviction",
    )
    assert Path(server.url.removeprefix("unix://")).stat().st_mode & 0o077 == 0
    assert (scratch / "run").stat().st_mode & 0o077 == 0
    server.stop()
    server.stop()
    assert not server.alive()
    assert server.pid == 0


def test_data_survives_stop_and_kill(scratch: Path) -> None:
    """What was acknowledged is there after SIGTERM and after SIGKILL."""
    server = server_in(scratch)
    for number in range(3):
        server.start()
        server.start()
        with Redis.from_url(server.url) as client:
            assert client.dbsize() == number
            client.set(f"key:{number}", b"value")
        if number == 1:
            os.kill(server.pid, signal.SIGKILL)
            while server.alive():
                pass
        else:
            server.stop()


def test_it_outlives_a_killed_parent_and_is_adopted(scratch: Path) -> None:
    """After kill -9 of the parent, the next server takes over the living Valkey with all it knows."""
    command = [sys.executable, "-c", PARENT, str(scratch / "data"), str(scratch / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        with pytest.raises(DataDirBusy, match=rf"in use by another server \(process {parent.pid}\)") as busy:
            server_in(scratch).start()
        assert busy.value.pid == parent.pid
        parent.kill()
    # The path of the socket is where it was, even if this server would choose another.
    server = server_in(scratch, runtime_dir=scratch / "elsewhere")
    server.start()
    assert (server.pid, server.adopted) == (pid, True)
    with Redis.from_url(server.url) as client:
        assert client.ping()
    server.stop()
    assert not server.alive()


def test_a_living_valkey_without_socket_is_replaced(scratch: Path) -> None:
    """When the socket was swept away, the old process is ended before a new one writes to the same files."""
    command = [sys.executable, "-c", PARENT, str(scratch / "data"), str(scratch / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        old = int(parent.stdout.readline())
        parent.kill()
    (socket_path,) = (scratch / "run").iterdir()
    with Redis(unix_socket_path=str(socket_path)) as client:
        client.set("key", b"value")
    socket_path.unlink()
    server = server_in(scratch)
    server.start()
    assert server.pid != old
    assert not server.adopted
    with Redis.from_url(server.url) as client:
        assert client.get("key") == b"value"
    server.stop()


def test_a_second_server_on_the_same_directory_is_refused(scratch: Path) -> None:
    """The refusal names the process that holds the directory; a stop gives it back."""
    first, second = server_in(scratch), server_in(scratch)
    first.start()
    with pytest.raises(DataDirBusy, match=str(os.getpid())):
        second.start()
    first.stop()
    second.start()
    second.stop()


def test_a_long_data_path_is_no_trouble(scratch: Path) -> None:
    """The socket is elsewhere, so the data directory may be as deep as the system allows."""
    server = EmbeddedValkey(scratch / ("d" * 120) / ("e" * 120), runtime_dir=scratch / "run")
    server.start()
    server.stop()


def test_too_long_a_socket_path_is_told(scratch: Path) -> None:
    """A runtime directory that is too long for a socket is refused with both numbers."""
    with pytest.raises(StorageUnfit, match=r"socket is too long: .* 107 are allowed.*XDG_RUNTIME_DIR"):
        server_in(scratch, runtime_dir=scratch / ("r" * 100)).start()


def test_too_long_a_data_path_is_told(scratch: Path) -> None:
    """A name that the file system refuses is told with what to do."""
    with pytest.raises(StorageUnfit, match=r"File name too long.*--data-dir"):
        EmbeddedValkey(scratch / ("d" * 300), runtime_dir=scratch / "run").start()


def test_a_directory_that_cannot_be_written_is_told(scratch: Path) -> None:
    """A data directory that cannot be made is refused with the system's reason."""
    (scratch / "file").write_text("")
    with pytest.raises(StorageUnfit, match=r"cannot be used: .*: Not a directory"):
        EmbeddedValkey(scratch / "file" / "data", runtime_dir=scratch / "run").start()


def test_an_unsafe_runtime_directory_is_refused(scratch: Path) -> None:
    """A socket does not go where others can put theirs."""
    (scratch / "run").mkdir()
    (scratch / "run").chmod(0o777)
    with pytest.raises(StorageUnfit, match="is not safe"):
        server_in(scratch).start()


def test_a_missing_binary_is_told(scratch: Path) -> None:
    """Without the server's program the refusal names the file and the alternative."""
    with pytest.raises(StorageUnfit, match=r"no file .*/none.*ARENA_REDIS_URL"):
        server_in(scratch, binary=scratch / "none").start()
    (scratch / "text").write_text("not a program")
    with pytest.raises(StorageUnfit, match="cannot be run"):
        server_in(scratch, binary=scratch / "text").start()


def test_damaged_data_is_told_and_left_alone(scratch: Path) -> None:
    """Valkey does not start on damaged data, and the refusal says where it is and how to repair it."""
    server = server_in(scratch)
    server.start()
    with Redis.from_url(server.url) as client:
        for number in range(100):
            client.set(f"key:{number}", b"value")
    server.stop()
    (log,) = (scratch / "data/valkey/appendonlydir").glob("*.incr.aof")
    damaged = bytearray(log.read_bytes())
    middle = len(damaged) // 2
    damaged[middle : middle + 40] = b"x" * 40
    log.write_bytes(damaged)
    with pytest.raises(StorageUnfit, match=r"is damaged.*Restore.*backup.*valkey-check-aof"):
        server.start()
    assert log.read_bytes() == bytes(damaged)
    with pytest.raises(StorageUnfit, match="is damaged"):
        server_in(scratch).start()


@pytest.mark.parametrize("name", ["*.manifest", "*.incr.aof", "*.base.rdb"])
def test_missing_data_is_told(scratch: Path, name: str) -> None:
    """Where a file of the data is gone or nonsense, the refusal says which directory to restore."""
    server = server_in(scratch)
    server.start()
    with Redis.from_url(server.url) as client:
        client.set("key", b"value")
    server.stop()
    (file,) = (scratch / "data/valkey/appendonlydir").glob(name)
    if name == "*.manifest":
        file.write_text("junk\n")
    else:
        file.unlink()
    with pytest.raises(StorageUnfit, match=r"appendonlydir is incomplete or damaged.*Restore.*backup"):
        server.start()


def test_a_cut_off_last_write_is_no_damage(scratch: Path) -> None:
    """A write that was being written when the machine died was never acknowledged, and is dropped."""
    server = server_in(scratch)
    server.start()
    with Redis.from_url(server.url) as client:
        client.set("first", b"value")
        client.set("second", b"value")
    server.stop()
    (log,) = (scratch / "data/valkey/appendonlydir").glob("*.incr.aof")
    log.write_bytes(log.read_bytes()[:-5])
    server.start()
    with Redis.from_url(server.url) as client:
        assert client.keys() == [b"first"]
    server.stop()


def test_a_stale_socket_and_a_foreign_pid_do_no_harm(scratch: Path) -> None:
    """Leftovers of a crash are not taken for a living Valkey, and no stranger's process is ended."""
    server = server_in(scratch)
    server.start()
    path = Path(server.url.removeprefix("unix://"))
    server.stop()
    with socket.socket(socket.AF_UNIX) as left_over:
        left_over.bind(str(path))
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        (scratch / "data/valkey/valkey.pid").write_text(str(stranger.pid))
        server.start()
        assert not server.adopted
        server.stop()
        assert stranger.poll() is None
        stranger.kill()


@pytest.mark.parametrize(
    "name", ['quo"te', "new\nline", "back\\slash x41", "\udcff", "ünï ♥", " space ", "%s {x} $HOME #"]
)
def test_any_name_of_a_directory_will_do(scratch: Path, name: str) -> None:
    """Whatever the file system takes for a name, Valkey finds its directory and its socket, and is adopted there."""
    directory = scratch / name
    server = EmbeddedValkey(directory, runtime_dir=directory / "run")
    server.start()
    assert (directory / "valkey" / "appendonlydir").is_dir()
    second = EmbeddedValkey(directory, runtime_dir=directory / "run")
    server._drop_lock()  # as if its process had been killed
    second.start()
    assert second.adopted
    assert second.url == server.url
    second.stop()
    server.stop()


@pytest.mark.parametrize("name", ["lock", "valkey.conf", "valkey.log", ".writable"])
def test_a_directory_where_a_file_should_be(scratch: Path, name: str) -> None:
    """What is in the way is told by name, and the directory is given back."""
    server = server_in(scratch)
    blocked = server.directory / name
    blocked.mkdir(parents=True)
    with pytest.raises(StorageUnfit, match=rf"cannot be used: .*{name}: Is a directory.*--data-dir"):
        server.start()
    blocked.rmdir()
    server.start()
    server.stop()


@pytest.mark.parametrize("content", [b"9" * 30, b"-1", b"0", b"\xff", b"", b"2147483647"])
def test_a_process_number_that_is_none(scratch: Path, content: bytes) -> None:
    """Whatever stands in the file of the process number, a new Valkey is started where none is."""
    server = server_in(scratch)
    server.directory.mkdir(parents=True)
    (server.directory / "valkey.pid").write_bytes(content)
    (server.directory / "valkey.conf").write_bytes(b"unixsocket \xff\n")
    server.start()
    assert not server.adopted
    server.stop()


def test_a_runtime_directory_of_somebody_else(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the usual runtime directory is not safe, one in XDG_RUNTIME_DIR is used."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(scratch))
    scratch_run = scratch / "hearts-arena"
    scratch_run.mkdir()
    ours = scratch_run.stat().st_ino
    monkeypatch.setattr("arena.storage.embedded._is_safe", lambda found: found.st_ino == ours)
    server = EmbeddedValkey(scratch / "data")
    server.start()
    assert server.url.startswith(f"unix://{scratch_run}/")
    server.stop()


def test_what_a_killed_server_left_is_swept(scratch: Path) -> None:
    """A Valkey that nobody holds any more is ended; one that is in use is let be, and so is an empty directory."""
    server = server_in(scratch)
    server_in(scratch).sweep()
    server.start()
    assert is_busy(server.data_dir)
    server_in(scratch).sweep()
    assert server.alive()
    server._drop_lock()  # as if its process had been killed
    assert not is_busy(server.data_dir)
    server_in(scratch).sweep()
    assert not server.alive()
    server.stop()
