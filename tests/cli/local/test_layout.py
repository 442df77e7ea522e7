"""What a run remembers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.errors import Misuse
from arena.cli.local.bots import LocalBot
from arena.cli.local.layout import Layout, Settings, create, held, load, save

SETTINGS = Settings(
    pb.TournamentSpec(name="run", seed="7", options={"target": "50"}, boards=pb.BOARDS_BALANCED),
    (LocalBot("a", "./a --x"), LocalBot("b", None)),
    Path("/somewhere"),
    referee_port=7071,
)


def test_there_and_back(tmp_path: Path) -> None:
    """What is written is what is read."""
    layout = Layout(tmp_path / "new" / "run")
    create(layout, SETTINGS)
    assert load(layout) == SETTINGS


def test_a_directory_holds_one_run(tmp_path: Path) -> None:
    """A run is not written over another; the way to resume that is told."""
    layout = Layout(tmp_path / "run")
    create(layout, SETTINGS)
    with pytest.raises(Misuse, match="--resume"):
        create(layout, SETTINGS)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    """A file in the way is told."""
    (tmp_path / "file").touch()
    with pytest.raises(Misuse, match="cannot write to"):
        create(Layout(tmp_path / "file" / "run"), SETTINGS)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "damaged"),
        (b"[]", "damaged"),
        (b"{}", "damaged"),
        (b'{"version": 99}', "version 99, this program reads 1"),
        (b"\xff", "damaged"),
        (b"[" * 100_000, "damaged"),
    ],
)
def test_what_cannot_be_resumed(tmp_path: Path, content: bytes, told: str) -> None:
    """A damaged or newer file is told in a sentence."""
    layout = Layout(tmp_path)
    layout.settings.write_bytes(content)
    with pytest.raises(Misuse, match=told):
        load(layout)


def test_damage_in_the_specification(tmp_path: Path) -> None:
    """A field that no specification has is damage."""
    layout = Layout(tmp_path / "run")
    create(layout, SETTINGS)
    value = json.loads(layout.settings.read_bytes())
    value["spec"]["nonesuch"] = 1
    layout.settings.write_text(json.dumps(value))
    with pytest.raises(Misuse, match="damaged"):
        load(layout)


def test_nothing_to_resume(tmp_path: Path) -> None:
    """A directory without a run is told."""
    with pytest.raises(Misuse, match="there is no run to resume"):
        load(Layout(tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        {"port": "7"},
        {"port": -1},
        {"referee_port": 70_000},
        {"start_timeout": []},
        {"cwd": 7},
        {"spec": 7},
        {"bots": [{"name": "../a", "command": "x"}]},
        {"bots": [{"name": "a", "command": ""}]},
        {"bots": [{"name": "a", "command": "'"}]},
        {"bots": [7]},
    ],
)
def test_settings_that_cannot_be(tmp_path: Path, change: dict[str, object]) -> None:
    """A file in which somebody has written what no run could have asked for is told to be damaged."""
    layout = Layout(tmp_path)
    create(layout, SETTINGS)
    layout.settings.write_text(json.dumps(json.loads(layout.settings.read_text()) | change))
    with pytest.raises(Misuse, match=r"damaged"):
        load(layout)


def test_names_that_no_directory_can_have(tmp_path: Path) -> None:
    """A name that the file system refuses is wrong usage."""
    with pytest.raises(Misuse, match=r"File name too long; .*--out"):
        create(Layout(tmp_path / ("d" * 300)), SETTINGS)


def test_a_run_that_cannot_be_written_again(tmp_path: Path) -> None:
    """A resumed run writes its settings too, and tells what keeps it from that."""
    layout = Layout(tmp_path / "run")
    create(layout, SETTINGS)
    layout.settings.with_name("run.json.part").mkdir()
    with pytest.raises(Misuse, match="cannot write to"):
        save(layout, SETTINGS)


def test_a_directory_that_another_run_holds(tmp_path: Path) -> None:
    """Two runs never share a directory; it is free again when the first has ended."""
    layout = Layout(tmp_path)
    with held(layout), pytest.raises(Misuse, match="another 'arena run' is at work in"), held(layout):
        pass
    with held(layout):
        pass
    with pytest.raises(Misuse, match="cannot read"), held(Layout(tmp_path / "gone")):
        pass
