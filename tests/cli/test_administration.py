"""The organiser's commands, against a real server with real bots."""

from __future__ import annotations

import json
import os
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.calling import Called, Caller, call_process


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs: its data directory, and where it listens."""

    data_dir: Path
    api: str
    referee: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run `arena serve` for this module."""
    data_dir = tmp_path_factory.mktemp("served") / "data"
    ports = [f"--{name}=0" for name in ("port", "referee-port", "metrics-port", "referee-metrics-port")]
    command = [sys.executable, "-m", "arena.cli", "serve", "--data-dir", str(data_dir), *ports]
    env = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        facts_file = data_dir / "server.json"
        deadline = time.monotonic() + 60
        while not facts_file.exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        facts = json.loads(facts_file.read_bytes())
        try:
            yield Served(data_dir, facts["api"], facts["referee"])
        finally:
            process.send_signal(signal.SIGTERM)
            _, told = process.communicate(timeout=60)
            assert process.returncode == 0
            assert f"ARENA_SERVER={facts['api']}" in told
            assert str(data_dir / "admin.token") in told


@pytest.fixture
def admin(call: Caller, served: Served, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Give the command line, set to talk to the server as its admin."""
    monkeypatch.setenv("ARENA_SERVER", served.api)
    monkeypatch.setenv("ARENA_TOKEN_FILE", str(served.data_dir / "admin.token"))
    return call


def ok(called: Called) -> str:
    """Assert that a command succeeded, and return what it printed."""
    assert called.code == 0, called.err
    return called.out.strip()


def refused(called: Called, *words: str) -> None:
    """Assert that a command failed in one line that holds *words*."""
    assert (called.code, called.out) == (1, "")
    assert called.err.startswith("arena: error: ")
    assert called.err.count("\n") == 1
    assert all(word in called.err for word in words), called.err


def test_owners(admin: Caller) -> None:
    """Owners are registered once and listed."""
    ident = ok(admin("owners", "create", "ann"))
    assert ident.startswith("o_")
    owners = json.loads(ok(admin("owners", "list", "--json")))
    assert {"owner": ident, "name": "ann"}.items() <= owners[-1].items()
    assert ident in ok(admin("owners", "list"))
    refused(admin("owners", "create", "ann"), "an owner named 'ann'", "another name")
    assert json.loads(ok(admin("owners", "create", "ann2", "--json")))["name"] == "ann2"


def test_bots(admin: Caller) -> None:
    """Bots are registered for an owner, by name or id; what names none or several is refused."""
    owners = [ok(admin("owners", "create", name)) for name in ("bea", "bob")]
    first = ok(admin("bots", "create", "twin", "--owner", "bea"))
    second = json.loads(ok(admin("bots", "create", "twin", "--owner", owners[1], "--json")))
    assert [bot["bot"] for bot in json.loads(ok(admin("bots", "list", "--owner", "bob", "--json")))] == [second["bot"]]
    assert first in ok(admin("bots", "list"))
    refused(admin("bots", "create", "x", "--owner", "nobody"), "no owner 'nobody'")
    refused(admin("tokens", "create", "--role", "bot", "--bot", "twin"), "2 bots are named 'twin'", "OWNER/twin")
    refused(admin("tokens", "create", "--role", "bot", "--bot", "nobody"), "no bot 'nobody'")
    assert ok(admin("tokens", "create", "--role", "bot", "--bot", "bob/twin")).startswith("arena_bot_")
    assert ok(admin("tokens", "create", "--role", "bot", "--bot", first)).startswith("arena_bot_")


def test_what_comes_next_can_be_pasted(admin: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Names with blanks and signs of the shell lead from one command to the other as well."""
    monkeypatch.chdir(tmp_path)
    called = admin("owners", "create", "the 'blue' team")
    for name in ("go $(b) & c", ""):
        assert called.code == 0, called.err
        line = called.err.strip().removeprefix("next: arena ").replace(" BOT ", f" {shlex.quote(name)} ")
        called = admin(*shlex.split(line))
    assert (tmp_path / "go $(b) & c.token").exists()


def test_tokens(admin: Caller, tmp_path: Path) -> None:
    """A token's secret is shown once or goes to a file; revoked, it is good for nothing."""
    file = tmp_path / "organiser.token"
    made = ok(admin("tokens", "create", "--role", "organiser", "--label", "cup", "--out", str(file), "--json"))
    issued = json.loads(made)
    assert (issued["role"], issued["label"], issued["revoked"]) == ("organiser", "cup", False)
    assert "secret" not in issued
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert ok(admin("owners", "list", "--token-file", str(file)))
    assert admin("tokens", "create", "--role", "reader", "--out", str(file)).code == 2
    assert issued["token"] in ok(admin("tokens", "list"))
    ok(admin("owners", "create", "tom"))
    ok(admin("tokens", "create", "--role", "owner", "--owner", "tom"))
    assert "tom" in ok(admin("tokens", "list")).split()
    ok(admin("tokens", "revoke", issued["token"]))
    refused(admin("owners", "list", "--token-file", str(file)), "revoked")
    refused(admin("tokens", "revoke", "k_nonesuch"), "k_nonesuch")
    limited = json.loads(ok(admin("tokens", "create", "--role", "reader", "--lifetime", "1h", "--json")))
    assert limited["expire_time"] is not None
    assert limited["secret"].startswith("arena_reader_")


@pytest.mark.parametrize("nothing", ["", "0", "500ms"])
@pytest.mark.parametrize(
    "words",
    [
        ("tokens", "create", "--role", "reader", "--lifetime"),
        ("tokens", "rotate", "k_nonesuch", "--lifetime"),
        ("tournament", "create", "hasty", "--no-show-wait"),
    ],
)
def test_no_time_is_not_the_default(admin: Caller, words: tuple[str, ...], nothing: str) -> None:
    """An empty variable or a time that is too short makes no token that is good for ever."""
    called = admin(*words, nothing)
    assert called.code == 2
    assert words[-1] in called.err


def test_tokens_are_rotated(admin: Caller, tmp_path: Path) -> None:
    """A new token like the old one takes its place in the file, and the old one is good for nothing at once."""
    file, kept = tmp_path / "reader.token", tmp_path / "kept.token"
    made = (
        "tokens",
        "create",
        "--role",
        "reader",
        "--label",
        "page",
        "--lifetime",
        "90d",
        "--out",
        str(file),
        "--json",
    )
    old = json.loads(ok(admin(*made)))
    kept.write_bytes(file.read_bytes())
    new = json.loads(ok(admin("tokens", "rotate", old["token"], "--out", str(file), "--json")))
    assert (new["role"], new["label"]) == ("reader", "page")
    assert new["token"] != old["token"]
    assert "secret" not in new
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(ok(admin("tournament", "list", "--json", "--token-file", str(file)))) is not None
    refused(admin("tournament", "list", "--token-file", str(kept)), "revoked")
    days = datetime.fromisoformat(new["expire_time"]) - datetime.fromisoformat(new["create_time"])
    assert abs(days - timedelta(days=90)) < timedelta(seconds=5)
    refused(admin("tokens", "rotate", old["token"]), "is revoked")
    refused(admin("tokens", "rotate", "k_nonesuch"), "k_nonesuch")
    assert admin("tokens", "rotate", file.read_text().strip()).code == 2
    assert ok(admin("tokens", "rotate", new["token"])).startswith("arena_reader_")


def test_a_role_that_does_not_suffice(admin: Caller, tmp_path: Path) -> None:
    """A reader may look and not touch, and is told who may."""
    file = tmp_path / "reader.token"
    ok(admin("tokens", "create", "--role", "reader", "--out", str(file)))
    assert json.loads(ok(admin("tournament", "list", "--json", "--token-file", str(file)))) is not None
    refused(admin("owners", "create", "eve", "--token-file", str(file)), "reader", "admin")


def test_a_draft(admin: Caller) -> None:
    """A tournament is created, shown, listed, entered, opened, left and deleted."""
    ok(admin("owners", "create", "dora"))
    for name in ("d1", "d2"):
        ok(admin("bots", "create", name, "--owner", "dora"))
    words = ("--deals", "4", "--boards", "single", "--limit", "500ms", "--option", "moon_effect=self_minus")
    assert ok(admin("tournament", "create", "draft", *words, "--title", "A draft")).startswith("t_")
    refused(admin("tournament", "create", "draft"), "'draft'")
    entered = json.loads(ok(admin("tournament", "enter", "draft", "d1", "dora/d2", "--json")))
    assert [(entrant["number"], entrant["name"]) for entrant in entered] == [(0, "d1"), (1, "d2")]
    ok(admin("tournament", "withdraw", "draft", "d1"))
    shown = ok(admin("tournament", "show", "draft"))
    assert all(
        word in shown for word in ("A draft", "draft", "moon_effect=self_minus", "0.5 s a decision", "d2", "absent")
    )
    assert "d1" not in shown
    facts = json.loads(ok(admin("tournament", "show", "draft", "--json")))
    assert (facts["spec"]["boards"], facts["spec"]["clock"]["bank_millis"]) == ("single", 5000)
    assert json.loads(ok(admin("tournament", "open", "draft", "--json")))["state"] == "open"
    refused(admin("tournament", "start", "draft"), "4")
    assert "draft" in ok(admin("tournament", "list"))
    ok(admin("tournament", "cancel", "draft", "--yes"))
    ok(admin("tournament", "delete", "draft", "--yes"))
    refused(admin("tournament", "show", "draft"), "no tournament 'draft'", "arena tournament list")


def test_each_step_says_the_next(admin: Caller, served: Served, tmp_path: Path) -> None:
    """From an owner to a tournament, each command ends with the one that follows, on stderr."""
    assert "next: arena bots create BOT --owner nat" in admin("owners", "create", "nat").err
    made = admin("bots", "create", "n1", "--owner", "nat")
    file = str(tmp_path / "n1.token")
    assert f"next: arena tokens create --role bot --bot {made.out.strip()} --out n1.token" in made.err
    issued = admin("tokens", "create", "--role", "bot", "--bot", "n1", "--out", file)
    assert f"next: ARENA_ADDRESS={served.referee} ARENA_TOKEN=$(cat {file}) YOUR_BOT" in issued.err
    assert "next: arena tournament enter steps" in admin("tournament", "create", "steps").err
    assert "next: arena tournament enter steps BOT" in admin("tournament", "open", "steps").err
    assert "next: arena tournament start steps" in admin("tournament", "enter", "steps", "n1").err
    assert "next: arena tournament export steps" in admin("tournament", "cancel", "steps", "--yes").err
    ok(admin("tournament", "delete", "steps", "--yes"))


def test_a_tournament_from_end_to_end(admin: Caller, served: Served, tmp_path: Path) -> None:
    """Bots connect, it is started, watched, paused, resumed, and exported; its records are all right."""
    ok(admin("owners", "create", "fay"))
    ok(admin("tournament", "create", "cup", "--deals", "2", "--passes", "2", "--seed", "7"))
    running = []
    try:
        for number in range(4):
            ok(admin("bots", "create", f"f{number}", "--owner", "fay"))
            ok(admin("tournament", "enter", "cup", f"f{number}"))
            secret = ok(admin("tokens", "create", "--role", "bot", "--bot", f"f{number}"))
            env = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
            env |= {"ARENA_ADDRESS": served.referee, "ARENA_TOKEN": secret}
            command = [sys.executable, "-m", "hearts_bot.bots.random"]
            running.append(subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL))
        ok(admin("tournament", "start", "cup"))
        ok(admin("tournament", "pause", "cup"))
        ok(admin("tournament", "resume", "cup"))
        news = [json.loads(line) for line in ok(admin("tournament", "watch", "cup", "--json")).splitlines()]
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(timeout=20)
    assert news[-1]["tournament"]["state"] == "finished"
    assert len(news[-1]["standings"]["rows"]) == 4
    watched = admin("tournament", "watch", "cup")
    assert "finished" in ok(watched)
    assert "8/8 matches" in watched.err
    assert len(json.loads(ok(admin("tournament", "matches", "cup", "--json")))) == 8
    assert ok(admin("tournament", "matches", "cup")).count("done") == 8
    standings = json.loads(ok(admin("standings", "cup", "--json")))
    assert (standings["blocks_used"], standings["blocks_total"]) == (2, 2)
    assert " f0 " in ok(admin("standings", "cup"))
    out = tmp_path / "cup"
    written = json.loads(ok(admin("tournament", "export", "cup", "--out", str(out), "--json")))
    assert written["records"] == 8
    assert (out / "standings.json").read_text() == admin("standings", "cup", "--canonical").out
    records = admin("tournament", "export", "cup", "--records", "-").out
    assert (out / "records.jsonl").read_text() == records
    assert "8 records, 16 deals, all right" in ok(admin("record", "check", str(out)))


def test_the_data_directory_in_use(call: Caller, served: Served) -> None:
    """A second server on the directory says who has it, and disturbs nobody."""
    called = call("serve", "--data-dir", str(served.data_dir), "--port", "0", "--referee-port", "0")
    refused(called, "in use by another server")


def test_settings_that_cannot_be(call: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A variable that is mistyped is told with the nearest one, before anything is started."""
    monkeypatch.setenv("ARENA_REFEREE_PROT", "1")
    called = call("serve", "--data-dir", str(tmp_path / "data"))
    assert called.code == 2
    assert "ARENA_REFEREE_PORT" in called.err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("role", ["referee", "scheduler"])
def test_a_role_without_redis(role: str) -> None:
    """A role alone needs a Redis, and says how to name it."""
    called = call_process(role)
    assert called.code == 2
    assert "ARENA_REDIS_URL" in called.err


@pytest.mark.parametrize("role", ["referee", "scheduler"])
def test_a_role_whose_redis_is_away(role: str) -> None:
    """Where no Redis answers, the role says so, and where it looked."""
    called = call_process(role, "--redis-url", "redis://127.0.0.1:1/0", "--metrics-port", "0")
    assert called.code == 1
    assert "127.0.0.1:1" in called.err
    assert "Traceback" not in called.err
