"""The bot processes of a run, with programs that only print."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.errors import Failure
from arena.cli.local.bots import LocalBot
from arena.cli.local.fleet import RESTARTS, Fleet
from arena.cli.local.layout import Layout, Settings, create

Make = Callable[..., Fleet]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Give a way to make a fleet of the bots named."""
    fleets: list[Fleet] = []

    def make(timeout: float = 10.0, **commands: str | None) -> Fleet:
        bots = tuple(LocalBot(name, command) for name, command in commands.items())
        settings = Settings(pb.TournamentSpec(name="run"), bots, tmp_path, start_timeout=timeout)
        layout = Layout(tmp_path / "run")
        create(layout, settings)
        tokens = {name: f"arena_bot_{name}" for name in commands}
        fleets.append(Fleet(layout, settings, "127.0.0.1:7071", tokens, back_off=0.01))
        return fleets[0]

    yield make
    for fleet in fleets:
        fleet.stop()


def nothing() -> None:
    """Look at nothing."""


def nobody() -> set[str]:
    """Tell that nobody is connected."""
    return set()


def test_a_bot_that_ends_before_it_connects(make: Make) -> None:
    """The message names bot, exit code and command, and shows the end of its output."""
    fleet = make(good="sleep 1000", bad="sh -c 'echo no; echo module >&2; exit 4'")
    fleet.start(lambda _: None)
    with pytest.raises(Failure) as caught:
        fleet.wait_present(lambda: {"good"}, nothing)
    text = str(caught.value)
    assert "bot 'bad' ended before it connected, with exit code 4" in text
    assert text.endswith("  | no\n  | module")


def test_a_bot_that_does_not_connect(make: Make) -> None:
    """After the time for it, a bot that is silent is told."""
    fleet = make(timeout=0.2, mute="sleep 1000")
    fleet.start(lambda _: None)
    with pytest.raises(Failure, match=r"bot 'mute' has not connected within 0.2 s .* it printed nothing"):
        fleet.wait_present(nobody, nothing)


def test_waiting_can_be_interrupted(make: Make) -> None:
    """Whoever looks meanwhile may end the waiting."""
    fleet = make(mute="sleep 1000")
    fleet.start(lambda _: None)

    def look() -> None:
        raise Failure("enough")

    with pytest.raises(Failure, match="enough"):
        fleet.wait_present(nobody, look)


def test_a_bot_started_by_hand(make: Make, tmp_path: Path) -> None:
    """It is waited for without a limit, and what it needs stands in a file that only its owner may read."""
    notes: list[str] = []
    fleet = make(timeout=0.0, me=None)
    fleet.start(notes.append)
    answers = iter([set(), set(), {"me"}])
    fleet.wait_present(lambda: next(answers), nothing)
    file = tmp_path / "run" / "bots" / "me.env"
    assert str(file) in notes[0]
    assert file.read_text() == "ARENA_ADDRESS=127.0.0.1:7071\nARENA_TOKEN=arena_bot_me\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_environment(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gets its address and token, and nothing that lets it speak for the organiser."""
    monkeypatch.setenv("ARENA_TOKEN_FILE", "/secret")
    monkeypatch.setenv("ARENA_SERVER", "host:1")
    fleet = make(a="sh -c 'env | grep ^ARENA_ | sort; sleep 1000'")
    fleet.start(lambda _: None)
    log = tmp_path / "run" / "bots" / "a.log"
    deadline = time.monotonic() + 10
    while "TOKEN" not in log.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    own = [line for line in log.read_text().splitlines() if not line.startswith("---")]
    assert own == ["ARENA_ADDRESS=127.0.0.1:7071", "ARENA_TOKEN=arena_bot_a"]


def test_a_bot_that_dies_is_restarted_and_then_given_up(make: Make) -> None:
    """Each death is a warning; after the last restart the bot is given up, once."""
    fleet = make(a="sh -c 'echo oh; exit 9'")
    fleet.start(lambda _: None)
    warnings: list[str] = []
    given_up: list[str] = []
    deadline = time.monotonic() + 20
    while not given_up:
        assert time.monotonic() < deadline
        more, given_up = fleet.look_after()
        warnings += more
        time.sleep(0.01)
    assert given_up == ["a"]
    assert len(warnings) == RESTARTS + 1
    assert warnings[0].startswith("bot 'a' ended with exit code 9: oh; starting it again in 0.01 s")
    assert "withdrawn" in warnings[-1]
    assert fleet.remarks() == {"a": "given up"}
    assert fleet.look_after() == ([], [])
