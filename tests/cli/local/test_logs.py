"""Bots' output on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.local.logs import CappedLog

if TYPE_CHECKING:
    from pathlib import Path


def test_short_output_is_kept_whole(tmp_path: Path) -> None:
    """What fits is there at once, byte for byte."""
    log = CappedLog(tmp_path / "a.log")
    log.write(b"one\n")
    log.write(b"\xfftwo\n")
    assert log.path.read_bytes() == b"one\n\xfftwo\n"
    log.close()
    assert log.path.read_bytes() == b"one\n\xfftwo\n"


def test_long_output_is_kept_at_both_ends(tmp_path: Path) -> None:
    """Of too much output the first and the last bytes are kept, with a note of how many are not."""
    log = CappedLog(tmp_path / "a.log", half=10)
    text = bytes(range(65, 65 + 50))
    for start in range(0, 50, 7):
        log.write(text[start : start + 7])
    log.close()
    assert log.path.read_bytes() == text[:10] + b"\n--- arena: 30 bytes left out ---\n" + text[-10:]


def test_output_that_just_fits(tmp_path: Path) -> None:
    """Nothing is left out of twice the half."""
    log = CappedLog(tmp_path / "a.log", half=10)
    log.write(b"x" * 20)
    log.close()
    assert log.path.read_bytes() == b"x" * 20


def test_a_resumed_run_adds_to_the_log(tmp_path: Path) -> None:
    """An earlier run's output stays."""
    for text in (b"first\n", b"second\n"):
        log = CappedLog(tmp_path / "a.log")
        log.write(text)
        log.close()
    assert (tmp_path / "a.log").read_bytes() == b"first\nsecond\n"


def test_last_lines(tmp_path: Path) -> None:
    """The last lines of the bot's own are there for messages, whatever was capped."""
    log = CappedLog(tmp_path / "a.log", half=4)
    log.line("started: ./a")
    log.write(b"one\ntwo\n\nthree")
    log.line("ended")
    assert log.last_lines() == ["one", "two", "three"]
    assert log.last_lines(2) == ["two", "three"]
    log.close()


def test_last_lines_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    """What a bot prints to colour, clear or rename a terminal is in its log, and blank where it is shown."""
    log = CappedLog(tmp_path / "a.log")
    log.write(b"\x1b[31mred\x1b]0;title\x07\tx\x00\xff\n")
    assert log.last_lines() == [" [31mred ]0;title  x \ufffd"]
    log.close()
    assert b"\x1b" in log.path.read_bytes()


def test_writing_after_the_end_is_harmless(tmp_path: Path) -> None:
    """A process that still prints while its log is closed disturbs nobody."""
    log = CappedLog(tmp_path / "a.log")
    log.close()
    log.write(b"late")
    log.close()
    assert log.path.read_bytes() == b""
