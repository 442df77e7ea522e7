"""Where a local run keeps its things, and what it must remember to be resumed.

`run.json` holds what was asked for; everything that happened is in the data directory's storage. So a resumed run can
neither replay nor lose a match: it asks the same storage.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import json_format
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.errors import Misuse
from arena.cli.files import write_atomically
from arena.cli.local.bots import WAIT, LocalBot, read_bots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of a run's directory."""

    root: Path

    @property
    def settings(self) -> Path:
        """What was asked for."""
        return self.root / "run.json"

    @property
    def server(self) -> Path:
        """The server's data directory."""
        return self.root / "server"

    @property
    def server_log(self) -> Path:
        """What the server said."""
        return self.root / "server.log"

    @property
    def bots(self) -> Path:
        """The bots' logs and tokens."""
        return self.root / "bots"

    @property
    def records(self) -> Path:
        """The released records, one a line, in schedule order."""
        return self.root / "records.jsonl"

    @property
    def standings(self) -> Path:
        """The canonical standings."""
        return self.root / "standings.json"

    def bot_log(self, name: str) -> Path:
        """Return where a bot's output goes."""
        return self.bots / f"{name}.log"

    def bot_env(self, name: str) -> Path:
        """Return the file to source before a bot is started by hand."""
        return self.bots / f"{name}.env"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run was asked for."""

    spec: pb.TournamentSpec
    bots: tuple[LocalBot, ...]
    cwd: Path
    port: int = 0
    referee_port: int = 0
    start_timeout: float = 60.0


def create(layout: Layout, settings: Settings) -> None:
    """Make the directory of a new run. Raises `Misuse` if it holds one already, or cannot be made."""
    if any(os.path.lexists(path) for path in (layout.settings, layout.server)):
        raise Misuse(
            f"{layout.root} holds a run already: resume it with --resume {layout.root}, or choose another --out"
        )
    save(layout, settings)


@contextmanager
def held(layout: Layout) -> Iterator[None]:
    """Keep the directory of a run to ourselves. Raises `Misuse` if another process has it."""
    try:
        directory = os.open(layout.root, os.O_RDONLY)
    except OSError as error:
        raise Misuse(f"cannot read {layout.root}: {error.strerror}") from None
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(directory)
        raise Misuse(f"another 'arena run' is at work in {layout.root}; let it end, or stop it first") from None
    try:
        yield
    finally:
        os.close(directory)


def save(layout: Layout, settings: Settings) -> None:
    """Write what a run was asked for. Raises `Misuse` if that cannot be."""
    value = {
        "version": VERSION,
        "spec": json_format.MessageToDict(settings.spec, preserving_proto_field_name=True),
        "bots": [{"name": bot.name, "command": bot.command} for bot in settings.bots],
        "cwd": str(settings.cwd),
        "port": settings.port,
        "referee_port": settings.referee_port,
        "start_timeout": settings.start_timeout,
    }
    try:
        layout.bots.mkdir(parents=True, exist_ok=True)
        write_atomically(layout.settings, json.dumps(value, indent=1).encode() + b"\n")
    except OSError as error:
        raise Misuse(
            f"cannot write to {layout.root}: {error.strerror}; make that possible, or choose another --out"
        ) from None


def load(layout: Layout) -> Settings:
    """Read what a run was asked for. Raises `Misuse` if there is no run here, or one of another version."""
    try:
        value = json.loads(layout.settings.read_bytes())
        if value["version"] != VERSION:
            raise Misuse(
                f"{layout.settings} has version {value['version']}, this program reads {VERSION}; "
                "resume it with the program that began it"
            )
        return _settings(value)
    except FileNotFoundError:
        raise Misuse(f"there is no run to resume in {layout.root}; name the directory given as --out before") from None
    except OSError as error:
        raise Misuse(f"cannot read {layout.settings}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError, json_format.ParseError) as error:
        raise Misuse(f"{layout.settings} is damaged ({error}); it cannot be resumed") from None


def _settings(value: Mapping[str, Any]) -> Settings:
    return Settings(
        spec=json_format.ParseDict(value["spec"], pb.TournamentSpec()),
        bots=tuple(_bot(bot["name"], bot["command"]) for bot in value["bots"]),
        cwd=Path(value["cwd"]),
        port=_port(value["port"]),
        referee_port=_port(value["referee_port"]),
        start_timeout=float(value["start_timeout"]),
    )


def _bot(name: str, command: str | None) -> LocalBot:
    bot = LocalBot(name, command)
    with suppress(Misuse):  # which would tell of options that nobody gave
        if read_bots([f"{name}={WAIT if command is None else command}"]) == [bot]:
            return bot
    raise ValueError(f"no bot can be {name!r}, {command!r}")


def _port(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 65536:
        raise ValueError(f"{value!r} is no port")
    return value
