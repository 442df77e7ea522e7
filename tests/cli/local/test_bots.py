"""How bots are given, and what they are called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from arena.cli.errors import Failure, Misuse
from arena.cli.local.bots import LocalBot, check_commands, derived_name, read_bots

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("./mybot", "mybot"),
        ("./mybot --fast --level 3", "mybot"),
        ("python -m hearts_bot.bots.random", "random"),
        ("python3.11 -u bots/shark.py", "shark"),
        ("bots/alice/main.py", "alice"),
        ("python bots/bob/bot.py", "bob"),
        ("python -m carol.__main__", "carol"),
        ("node sample_bots/node/random.js", "random"),
        ("java -jar build/Shark.jar", "shark"),
        ("env FAST=1 ./eel", "eel"),
        ("uv run thing.py", "thing"),
        ("./My Bot.exe", "my"),
        ("'./My Bot.exe'", "my-bot"),
        ("python", "python"),
        ("./" + "x" * 60, "x" * 40),
        ("./---", "bot"),
    ],
)
def test_names_follow_from_commands(command: str, name: str) -> None:
    """A bot without a name is called after its script or module, not after the interpreter."""
    assert derived_name(command) == name


def test_derived_names_are_made_unique() -> None:
    """The same command four times gives four names; names that were given are never changed."""
    bots = read_bots(["./a", "./a", "a-2=./x", "./a"])
    assert [bot.name for bot in bots] == ["a", "a-3", "a-2", "a-4"]


def test_names_commands_and_wait() -> None:
    """`NAME=CMD` names a bot, `NAME=wait` leaves it to be started by hand, and a command may hold `=` itself."""
    bots = read_bots(["me=wait", "new=./bot --level=3", "./bot --level=3"])
    assert bots == [LocalBot("me", None), LocalBot("new", "./bot --level=3"), LocalBot("bot", "./bot --level=3")]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["a=./x", "a=./y"], "two bots are named 'a'"),
        (["wait"], "NAME=wait"),
        ([""], "has no command"),
        (["a="], "has no command"),
        (["./bot 'unclosed"], "check its quotes"),
    ],
)
def test_what_cannot_be_read(texts: list[str], told: str) -> None:
    """What names no bot is refused."""
    with pytest.raises(Misuse, match=told):
        read_bots(texts)


def test_our_bots_run_on_our_python() -> None:
    """`python -m hearts_bot...` means the Python that the arena runs on; any other `python` is the user's."""
    assert LocalBot("a", "python -m hearts_bot.bots.random").argv()[0] == sys.executable
    assert LocalBot("a", "python -m mybot").argv()[0] == "python"
    assert LocalBot("a", "/opt/python -m hearts_bot.bots.random").argv()[0] == "/opt/python"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    """A command that nothing could come of is told before anything is started."""
    (tmp_path / "here").touch(mode=0o755)
    check_commands([LocalBot("a", "./here"), LocalBot("b", "sh -c true"), LocalBot("c", None)], tmp_path)
    with pytest.raises(Failure, match=r"bot 'd' cannot start: there is no program './gone'"):
        check_commands([LocalBot("d", "./gone --x")], tmp_path)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("./file", r"may not be executed; 'chmod \+x' it"),
        (".", "there is no program '.' on your PATH"),
        ("./folder", "no program, but a directory"),
        ("program", r"no program 'program' on your PATH; for the one in .* write ./program"),
        ("nothing", "no program 'nothing' on your PATH; check the name"),
        ("./" + "x" * 300, "there is no program './x"),
        ("x" * 300, "there is no program 'x"),
        ("./file/x", "there is no program './file/x'"),
    ],
)
def test_what_no_process_can_be_made_of(tmp_path: Path, command: str, told: str) -> None:
    """Why a command cannot start is told before anything is started, with what to do."""
    (tmp_path / "file").touch(mode=0o644)
    (tmp_path / "program").touch(mode=0o755)
    (tmp_path / "folder").mkdir()
    with pytest.raises(Failure, match=told):
        check_commands([LocalBot("a", command)], tmp_path)


def test_a_directory_that_is_gone(tmp_path: Path) -> None:
    """A run that is resumed after its working directory went is told which that was."""
    with pytest.raises(Failure, match=r"is gone: .*nowhere"):
        check_commands([LocalBot("a", "true")], tmp_path / "nowhere")
