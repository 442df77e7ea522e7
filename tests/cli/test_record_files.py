"""Where `arena record check` finds records: directories, stdin, large files, text in other encodings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli.records import files
from referee.table.record import encode
from tests.cli.calling import Caller
from tests.cli.test_record import broken, game, put

MIB = 1 << 20
WHERE = ("--deal", "1", "--trick", "1", "--seat", "0")
ENOUGH = 400
"""MiB that the check of any file may take; Python and all modules need some 60 of them."""


def told(called_out: str) -> list[str]:
    """Return the file names at the beginning of the lines of a report."""
    return [line.split(": ")[0] for line in called_out.splitlines()]


def test_a_directory_with_all_below_it(call: Caller, tmp_path: Path) -> None:
    """A directory stands for its .json and .jsonl files, in order, those of its directories after them."""
    deep = tmp_path / "x" / "y"
    deep.mkdir(parents=True)
    (tmp_path / "notes.txt").write_text("no record")
    names = [put(tmp_path, "a.json", game(3)), put(tmp_path, "b.jsonl", game(1), game(2))]
    names += [put(tmp_path, "records.jsonl", game(4)), put(deep, "a.json", game(1))]
    called = call("record", "check", str(tmp_path))
    assert called.code == 0
    assert told(called.out) == names


@pytest.mark.parametrize("beside", ["run.json", "standings.json"])
def test_the_directory_of_a_run_is_its_records(call: Caller, tmp_path: Path, beside: str) -> None:
    """What else a run or an export has left beside its records, or below them, is not taken for records."""
    folder = tmp_path / "cup"
    (folder / "server").mkdir(parents=True)
    for other in (folder / beside, folder / "server" / "server.json"):
        other.write_text("{}")
    file = put(folder, "records.jsonl", game(1))
    for name in (tmp_path, folder):
        called = call("record", "check", str(name))
        assert (called.code, told(called.out)) == (0, [file])


def test_the_published_records(call: Caller) -> None:
    """The records made for bot authors are all right, in one call."""
    folder = Path(__file__).parents[1] / "vectors" / "records"
    called = call("record", "check", str(folder))
    assert called.code == 0
    assert told(called.out) == sorted(str(file) for file in folder.glob("*.json"))


def test_directories_that_give_nothing(call: Caller, tmp_path: Path) -> None:
    """A directory without records is not all right, nor is a link that leads nowhere; a pipe is not waited for."""
    called = call("record", "check", str(tmp_path))
    assert called.code == 1
    assert called.out == f"{tmp_path}: holds no .json and no .jsonl file\n"
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere")
    called = call("record", "check", str(tmp_path))
    assert called.code == 1
    assert called.out == f"{tmp_path}/gone.json: cannot be read: no such file or directory\n"


def test_what_may_not_be_read(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or a directory without permission is told of, and the rest is checked. Root may read all: it is played."""
    good, closed = put(tmp_path, "good.json", game()), put(tmp_path, "shut.json", game())
    shut = tmp_path / "shut"
    shut.mkdir()
    real_open, real_scan = Path.open, os.scandir

    def open_file(path: Path, mode: str) -> object:
        if path.name in ("shut.json", "shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, mode)

    def scan(path: str) -> object:
        if str(path) == str(shut):
            raise PermissionError(13, "Permission denied", str(path))
        return real_scan(path)

    monkeypatch.setattr(Path, "open", open_file)
    monkeypatch.setattr(os, "scandir", scan)
    called = call("record", "check", str(tmp_path))
    assert called.code == 1
    assert told(called.out) == [good, closed, str(shut)]
    assert called.out.count("cannot be read: permission denied") == 2


def test_what_may_not_be_looked_at(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory that may be listed but not entered, and a name that is too long, keep nothing else from its check."""
    good, inner = put(tmp_path, "good.json", game()), tmp_path / "inner"
    inner.mkdir()
    closed = put(inner, "a.json", game())
    real_stat, real_open = os.stat, Path.open

    def stat(path: str | Path, **how: Any) -> object:  # noqa: ANN401 - as it comes
        if str(path) == closed:
            raise PermissionError(13, "Permission denied", closed)
        return real_stat(path, **how)

    def open_file(path: Path, mode: str) -> object:
        if str(path) == closed:
            raise PermissionError(13, "Permission denied", closed)
        return real_open(path, mode)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(Path, "open", open_file)
    for words in ([str(tmp_path)], [good, closed]):
        called = call("record", "check", *words)
        assert (called.code, told(called.out), called.err) == (1, [good, closed], "")
        assert f"{closed}: cannot be read: permission denied" in called.out
    called = call("record", "check", "a" * 5000, good)
    assert (called.code, called.err) == (1, "")
    assert "cannot be read: file name too long" in called.out
    assert "all right" in called.out
    for words in (["record", "show", closed], ["rules", "explain", "--record", closed, *WHERE]):
        called = call(*words)
        assert called.code in (1, 2)
        assert f"{closed}: cannot be read: permission denied" in called.err


def test_names_that_are_no_text(call: Caller, tmp_path: Path) -> None:
    """A file whose name is no UTF-8 is checked and told of; a name that no file can have is a line too."""
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json")
    Path(name).write_bytes(encode(game()))
    for words in ([name], ["--legal", name, name], ["--json", name]):
        assert call("record", "check", *words).code == 0
    called = call("record", "check", "a\0b")
    assert (called.code, called.out.count("\n")) == (1, 1)


def test_a_stdin_that_is_closed() -> None:
    """There is nothing to read then."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", "record", "check", "-"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.close(0),
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "-: cannot be read: stdin is closed\n"


def test_encodings(call: Caller, tmp_path: Path) -> None:
    """UTF-8 is read with a byte order mark or without; other encodings are named."""
    file = tmp_path / "a.json"
    text = json.dumps(game(), indent=1)
    file.write_bytes(text.encode("utf-8-sig"))
    assert call("record", "check", str(file)).code == 0
    for encoding in ("utf-16", "utf-16-be", "utf-32"):
        for name, written in (("a.json", text), ("a.jsonl", encode(game()).decode())):
            (tmp_path / name).write_bytes(written.encode(encoding))
            called = call("record", "check", str(tmp_path / name))
            assert called.code == 1
            assert f"not JSON in UTF-8: it begins like {encoding.upper()}" in called.out


def test_keys_that_stand_twice(call: Caller, tmp_path: Path) -> None:
    """Of two equal keys readers would take another one, so they are refused wherever they stand."""
    file = tmp_path / "a.json"
    file.write_bytes(encode(game()).replace(b'"moon":null', b'"moon":null,"moon":null', 1))
    called = call("record", "check", str(file))
    assert called.code == 1
    assert "the key 'moon' stands twice in one object" in called.out


def test_what_is_longer_than_any_record(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up; the lines after one that is too long are read all the same."""
    good = encode(game())
    monkeypatch.setattr(files, "LIMIT", len(good) + 1)
    for name, content in (
        ("one.json", b"[" * 3 * len(good)),
        ("pretty.json", b"{\n" + b"1,\n" * 3 * len(good)),
        ("blank.json", b" " * 2 * len(good) + b"\n" + b"x" * 2 * len(good)),
    ):
        (tmp_path / name).write_bytes(content)
        called = call("record", "check", str(tmp_path / name))
        assert (called.code, called.out.count("\n")) == (1, 1)
        assert "this is no record: it is longer than" in called.out
    many = tmp_path / "many.jsonl"
    many.write_bytes(good + b"\n" + b"x" * 9 * len(good) + b"\n\n" + encode(broken(game())) + b"\n")
    called = call("record", "check", str(many))
    assert called.code == 1
    lines = called.out.splitlines()
    assert lines[0].startswith(f"{many}: record 2: this is no record: it is longer")
    assert lines[1].startswith(f"{many}: record 3: deal 2")
    (tmp_path / "exact.json").write_bytes(good + b"\n")
    assert call("record", "check", str(tmp_path / "exact.json")).code == 0


def test_a_file_of_nothing_but_nonsense_lines(call: Caller, tmp_path: Path) -> None:
    """Ten thousand problems are told, the others counted."""
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"x\n" * 10_003)
    called = call("record", "check", str(file))
    assert called.code == 1
    lines = called.out.splitlines()
    assert len(lines) == 10_001
    assert lines[-1] == f"{file}: 3 problems more"
    assert json.loads(call("record", "check", "--json", str(file)).out)["files"][0]["untold"] == 3


def check_in_process(file: Path) -> tuple[int, str, float]:
    """Check *file* in a process of its own; return exit code, output and the MiB of memory it took at most."""
    code = "import resource, sys; from arena.cli.main import run; code = run(sys.argv[1:]); " + (
        "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "record", "check", str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout, int(done.stderr) / (1024 if sys.platform == "linux" else MIB)


@pytest.mark.parametrize("name", ["big.json", "big.jsonl"])
@pytest.mark.parametrize("unit", [b"[", b"\0", b'{"a":[', b"[[],[]],\n"], ids=["deep", "zeros", "objects", "lines"])
def test_a_hundred_megabytes_of_nonsense(tmp_path: Path, name: str, unit: bytes) -> None:
    """They end with an error, in the memory of one record."""
    file = tmp_path / name
    block = unit * (MIB // len(unit))
    with file.open("wb") as out:
        for _ in range(100 if unit != b"[[],[]],\n" else 2):  # every short line is looked at
            out.write(block)
    code, out_text, memory = check_in_process(file)
    file.unlink()
    assert code == 1
    assert "this is no record" in out_text or "FORMAT" in out_text
    assert memory < ENOUGH


@pytest.mark.parametrize("unit", ['{"":0}', "[]", "{}"])
def test_the_largest_record_of_the_smallest_things(tmp_path: Path, unit: str) -> None:
    """The worst that a record may be for memory: nothing but tiny objects or lists."""
    file = tmp_path / "big.json"
    count = (files.LIMIT - 100) // (len(unit) + 1)
    file.write_text('{"deals":[' + ",".join([unit] * count) + "]}")
    code, text, memory = check_in_process(file)
    assert code == 1
    assert "the key format is missing" in text
    assert memory < ENOUGH


@pytest.mark.full
def test_a_hundred_megabytes_of_records(tmp_path: Path) -> None:
    """A large file of sound records needs no more memory than a small one."""
    file = tmp_path / "big.jsonl"
    block = b"".join(encode(game(seed, 16)) + b"\n" for seed in range(80))
    file.write_bytes(block)
    *_, little = check_in_process(file)
    with file.open("wb") as out:
        for _ in range(100 * MIB // len(block) + 1):
            out.write(block)
    code, text, memory = check_in_process(file)
    file.unlink()
    assert code == 0, text
    assert memory < little + 8
