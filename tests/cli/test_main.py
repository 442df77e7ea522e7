"""The command line as a whole: its help, its speed, and how it fails."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import click
import pytest

from arena.cli.errors import Failure, Stopped
from arena.cli.main import COMMANDS, load
from tests.cli.calling import Caller, assert_golden, call_process

SUBCOMMANDS = {
    "owners": ("create", "list"),
    "bots": ("create", "list"),
    "tokens": ("create", "list", "rotate", "revoke"),
    "tournament": (
        *("create", "enter", "withdraw", "open", "start", "pause", "resume", "cancel", "delete"),
        *("list", "show", "watch", "export", "matches"),
    ),
    "rules": ("list", "show", "explain"),
    "record": ("check", "show"),
}


def test_help_golden(call: Caller) -> None:
    """`arena --help` names every command, what it does, examples and exit codes."""
    called = call("--help")
    assert called.code == 0
    assert all(f"  {name} " in called.out and line in called.out for name, line in COMMANDS.items())
    assert_golden("help.txt", called.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(call: Caller, name: str) -> None:
    """`arena COMMAND --help`, and that of its subcommands, says what it does and shows examples."""
    for words in ((name,), *((name, sub) for sub in SUBCOMMANDS.get(name, ()))):
        called = call(*words, "--help")
        assert called.code == 0
        assert called.err == ""
        assert "Examples:\n" in called.out
        assert f"arena {' '.join(words)}" in called.out.partition("Examples:")[2]


@pytest.mark.parametrize("words", [("run",), ("tournament", "create"), ("rules", "show"), ("rules", "explain")])
def test_rules_are_chosen_alike(call: Caller, words: tuple[str, ...]) -> None:
    """Wherever a rule set is chosen, the number of players and what differs are said by the same options."""
    told = call(*words, "--help").out
    assert "--players N" in told
    assert "--set, --option OPTION=VALUE" in told


def test_subcommands_are_all_known_here() -> None:
    """The list of subcommands that these tests go through is complete."""
    listed = {name: tuple(getattr(load(name), "commands", ())) for name in COMMANDS}
    assert {name: subs for name, subs in listed.items() if subs} == SUBCOMMANDS


@pytest.mark.parametrize("words", [["--help"], ["version"]])
def test_help_and_version_need_neither_grpc_nor_rich(words: list[str]) -> None:
    """They import nothing that takes long, and need little more than the library that reads their arguments."""
    program = (
        "import sys; from arena.cli.main import run; code = run(sys.argv[1:]); "
        "slow = sorted({'grpc', 'google.protobuf', 'rich', 'redis', 'numpy', 'docket'} & set(sys.modules)); "
        "sys.exit(f'imported {slow}' if slow else code)"
    )
    # Of each the best of three, in turns: a machine may be slow, and slower in one second than in the next.
    rounds = [
        (_seconds("import typer, pydantic; pydantic.TypeAdapter(int)"), _seconds(program, *words)) for _ in range(3)
    ]
    yardstick, spent = map(min, zip(*rounds, strict=True))
    assert spent < 3 * yardstick


def _seconds(program: str, *words: str) -> float:
    """Return the processor's time that a program takes, because a busy machine must not fail a test."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_version(call: Caller) -> None:
    """The version is one line, or one JSON object."""
    assert call("version").out.startswith("arena 0.")
    facts = json.loads(call("version", "--json").out)
    assert set(facts) == {"version", "protocol", "python"}
    assert facts["protocol"] == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tournamnt"], "No such command 'tournamnt'. Did you mean 'tournament'"),
        (["version", "--jsno"], "--jsno"),
        (["chaos-bot", "--fault", "ilegal"], "'ilegal' is not one of 'none', "),
        (["tournament", "create"], "NAME"),
        (["run", "--deals", "many"], "--deals"),
        (["run", "--passes", "0"], "--passes"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(call: Caller, words: list[str], told: str) -> None:
    """What typer refuses is told in one line, with the way to the help."""
    called = call(*words)
    assert called.code == 2
    assert called.out == ""
    assert told in called.err
    assert called.err.startswith("arena: error: ")
    assert "--help'" in called.err
    assert "?;" not in called.err
    assert "Value error" not in called.err
    assert called.err.count("\n") == 1


def test_nothing_asked_for_shows_the_help(call: Caller) -> None:
    """Without a command, the help comes on stderr, with exit code 2."""
    called = call()
    assert called.code == 2
    assert "Commands:" in called.err


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (Failure("it broke; mend it"), 1, "arena: error: it broke; mend it\n"),
        (Stopped(), 130, ""),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("by zero"), 1, "internal error: ZeroDivisionError: by zero"),
    ],
)
def test_errors_become_exit_codes_and_one_line(
    call: Caller, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, told: str
) -> None:
    """No error of a command is shown as a traceback."""

    def fail(_: str) -> str:
        raise error

    monkeypatch.setattr("arena.cli.version.version_of", fail)
    called = call("version")
    assert called.code == code
    assert told in called.err
    assert "Traceback" not in called.err


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    """`arena ... | head -1` ends quietly."""
    program = f"{sys.executable} -m arena.cli --help | head -1"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Usage: arena")
    assert done.stderr == ""


def test_as_a_process() -> None:
    """Exit code and streams are those of the process."""
    called = call_process("version", "--jsno")
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith("arena: error: ")


@pytest.mark.parametrize("words", [("run", "--seed", "\udcff"), ("rules", "show", "a\udcff"), ("tokens", "\udc80")])
def test_words_that_are_no_text_are_refused(call: Caller, words: tuple[str, ...]) -> None:
    """Bytes that are not UTF-8 are wrong usage, whatever the command and wherever they stand."""
    called = call(*words)
    assert called.code == 2
    assert called.err.startswith("arena: error: ")
    assert "UTF-8" in called.err


def test_a_setting_that_is_no_text_is_refused(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same holds of what the environment says."""
    monkeypatch.setenv("ARENA_TOKEN_FILE", "\udcff")
    called = call("version")
    assert (called.code, "ARENA_TOKEN_FILE" in called.err) == (2, True)


def test_what_the_system_refuses_names_the_file(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the operating system, wherever it is met, is told as one: the file, and what is wrong with it."""

    def fail(_: str) -> str:
        raise PermissionError(13, "Permission denied", "/some/file")

    monkeypatch.setattr("arena.cli.version.version_of", fail)
    called = call("version")
    assert called.code == 1
    assert called.err.startswith("arena: error: /some/file: Permission denied;")


def _options() -> list[tuple[tuple[str, ...], click.Option]]:
    """Return every option of every command, with the words of the command."""
    found = []
    for name in COMMANDS:
        command = load(name)
        for words, sub in [((name,), command), *(((name, s), c) for s, c in getattr(command, "commands", {}).items())]:
            found += [(words, param) for param in sub.params if isinstance(param, click.Option)]
    return found


def test_every_number_has_a_largest_value(call: Caller) -> None:
    """A number that no message could carry is wrong usage: every option that takes one says how large it may be.

    Those of reading records are as large as a record's file may be long, and go into no message.
    """
    for words, option in _options():
        if option.type.name.startswith("integer") and words[0] not in ("record", "rules"):
            called = call(*words, f"{option.opts[0]}=99999999999999999999")
            assert called.code == 2, (words, option.name, called.err)
            assert option.opts[0] in called.err, words


def test_an_empty_path_is_refused(call: Caller) -> None:
    """An empty text, as of a variable that is not set, is nowhere taken for the directory one happens to be in."""
    for words, option in _options():
        if option.name in ("out", "resume", "directory", "data_dir", "token_file"):
            called = call(*words, option.opts[0], "")
            assert called.code == 2, (words, option.name, called.err)
            assert "is empty" in called.err, (words, option.name)


def test_the_nearest_choice_is_named(call: Caller) -> None:
    """A word that is none of many is told with the one that was meant, if there is one."""
    assert "; did you mean 'illegal'? See 'arena chaos-bot --help'" in call("chaos-bot", "--fault", "ilegal").err
    assert "did you mean" not in call("chaos-bot", "--fault", "xyz").err


def test_the_version_as_an_option(call: Caller) -> None:
    """As of any program."""
    assert call("--version") == call("version")
