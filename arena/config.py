"""The settings of the server's processes: environment variables, each with a type, a default and a sentence.

Read once, by `from_env`, and handed on as one frozen value; no other module reads the environment.
A variable that begins with `ARENA_` and is not known is refused, because it is most likely a slip of the pen.
docs/operations.md lists what stands here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, Final

from arena.errors import ConfigError

OTHERS: Final = (
    "ARENA_SERVER",
    "ARENA_TOKEN_FILE",
    "ARENA_ADDRESS",
    "ARENA_TOKEN",
    "ARENA_INSTANCE",
    "ARENA_DEBUG",
    "ARENA_DATA_DIR",
    "ARENA_CA_FILE",
    "ARENA_CLIENT_CERT",
    "ARENA_CLIENT_KEY",
)
"""Variables that other programs of the arena read: the command line and bots."""

LEVELS: Final = ("debug", "info", "warning", "error")


class SecretText(str):
    """A text that is not shown, because it may hold a password."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'" if self else "''"


def _text(value: str) -> str:
    if not value.isprintable():
        raise ValueError("printable characters")
    return value


def _address(value: str) -> str:
    host, _, port = value.removeprefix("tls://").rpartition(":")
    if value and not (
        host and host.isascii() and not set(host) & set("/ @,") and host.isprintable() and _is_port(port)
    ):
        raise ValueError("HOST:PORT")
    return value


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65536


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(value: str) -> int:
        if not value.isascii() or not value.isdigit() or len(value) > 12 or not least <= int(value) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(value)

    return parse


def _seconds(least: float, most: float) -> Callable[[str], float]:
    def parse(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise ValueError(f"seconds from {least:g} to {most:g}")
        return number

    return parse


def _flag(value: str) -> bool:
    if value not in ("true", "false"):
        raise ValueError("true or false")
    return value == "true"


def _level(value: str) -> str:
    if value not in LEVELS:
        raise ValueError(", ".join(LEVELS))
    return value


def _setting(default: Any, parse: Callable[[str], Any], doc: str) -> Any:  # noqa: ANN401 - a field of any type
    return field(default=default, metadata={"parse": parse, "doc": doc})


_PORT: Final = _whole(0, 65535)


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a server process. The variable of `some_field` is `ARENA_SOME_FIELD`."""

    redis_url: SecretText = _setting(  # noqa: RUF009 - it returns a field
        SecretText(""),
        lambda value: SecretText(_text(value)),
        "Where Redis or Valkey is: `redis://[USER:PASSWORD@]HOST:PORT/DB`, `rediss://...` or `unix:///PATH`. "
        "Without it `arena serve` runs its own; the other roles need it.",
    )
    require_aof: bool = _setting(
        True, _flag, "Whether a Redis that does not append every write to a file is refused (`true`, `false`)."
    )
    host: str = _setting(
        "127.0.0.1",
        _text,
        "The address to listen on. `0.0.0.0` means all. One that others can reach needs a certificate.",
    )
    tls_cert: str = _setting("", _text, "The file with the certificate chain, PEM: with it everything is encrypted.")
    tls_key: str = _setting("", _text, "The file with the private key of the certificate, PEM, without passphrase.")
    tls_client_ca: str = _setting(
        "", _text, "The file with the authorities, PEM, one of which must have signed the certificate of every client."
    )
    insecure: bool = _setting(
        False, _flag, "Whether to listen without encryption where others can reach it (`true`, `false`)."
    )
    port: int = _setting(7070, _PORT, "The port of the API. 0: any free one.")
    referee_port: int = _setting(7071, _PORT, "The port that bots connect to. 0: any free one.")
    metrics_port: int = _setting(7072, _PORT, "The port of the metrics of API and scheduler. 0: any free one.")
    scheduler_metrics_port: int = _setting(
        7074, _PORT, "The port of the metrics of a scheduler that runs alone. 0: any free one."
    )
    admin_token_file: str = _setting(
        "", _text, "Where the role with the API, or the scheduler, writes the first admin token, mode 0600."
    )
    referee_metrics_port: int = _setting(7073, _PORT, "The port of the metrics of the referee. 0: any free one.")
    advertise: str = _setting(
        "", _address, "What bots are told to connect to, `HOST:PORT`, where it is not what the referee listens on."
    )
    capacity: int = _setting(2000, _whole(1, 100_000), "The most tables that a referee runs at once.")
    sessions_per_bot: int = _setting(16, _whole(1, 10_000), "The most sessions of one bot at a referee.")
    arrivals_per_second: int = _setting(2, _whole(1, 10_000), "How often a second one bot may connect to a referee.")
    arrivals_at_once: int = _setting(200, _whole(1, 100_000), "How often it may after a while without.")
    streams: int = _setting(20_000, _whole(1, 1_000_000), "The most streams of bots at a referee.")
    streams_per_address: int = _setting(4096, _whole(1, 1_000_000), "The most of them of one address.")
    streams_waiting: int = _setting(
        512, _whole(1, 1_000_000), "The most of them of one address that have not been let in yet."
    )
    calls: int = _setting(2000, _whole(1, 1_000_000), "The most calls of the API that are open at once.")
    calls_per_address: int = _setting(
        500,
        _whole(1, 1_000_000),
        "The most of them of one address; behind a proxy all callers have one.",
    )
    message_bytes: int = _setting(1 << 20, _whole(1 << 12, 1 << 24), "The most bytes of a message of a bot.")
    spare_messages_per_second: int = _setting(
        100,
        _whole(1, 1_000_000),
        "How many messages and answers that nobody waits for a session may send in a second.",
    )
    spare_messages_at_once: int = _setting(1000, _whole(1, 1_000_000), "How many of them it may after a while without.")
    unread_bytes: int = _setting(
        2 << 20, _whole(1 << 10, 1 << 30), "A session that answers nothing after so many bytes does not read."
    )
    stall_seconds: float = _setting(
        10.0, _seconds(0.1, 3600), "How long a session may leave unread what it is sent, before its stream is ended."
    )
    tables_per_session: int = _setting(1000, _whole(1, 100_000), "The most tables of one session of a bot.")
    open_decisions: int = _setting(4096, _whole(1, 1_000_000), "The most decisions open at once in one session.")
    checkpoint_seconds: float = _setting(
        5.0,
        _seconds(0, 3600),
        "The least time between two checkpoints of a match, which are made at a deal's end; 0: at every one.",
    )
    heartbeat_seconds: float = _setting(
        15.0, _seconds(0.1, 60), "How often a bot hears something at least; after three times as long it comes again."
    )
    lease_seconds: float = _setting(
        5.0,
        _seconds(3, 600),
        "After so long without a heartbeat a referee counts as dead, and its matches go elsewhere.",
    )
    park_after: int = _setting(3, _whole(1, 100), "After so many failed attempts a match waits for the organiser.")
    drain_seconds: float = _setting(
        10.0, _seconds(0, 3600), "How long a referee that is stopped lets deals end before it hands its matches back."
    )
    standing_series: int = _setting(200, _whole(0, 10_000), "The most series of the metric `arena_standing`.")
    log_level: str = _setting("info", _level, "What is logged at least: `debug`, `info`, `warning`, `error`.")


def variable_of(name: str) -> str:
    """Return the environment variable of the field *name*."""
    return f"ARENA_{name.upper()}"


def from_env(environ: Mapping[str, str]) -> Config:
    """Return the settings in *environ*; raise `ConfigError`, which names the variable, for one that cannot be."""
    known = {variable_of(each.name): each for each in fields(Config)}
    values: dict[str, Any] = {}
    for variable in sorted(environ):
        if not variable.startswith("ARENA_") or variable in OTHERS:
            continue
        if variable not in known:
            near = get_close_matches(variable, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else "; docs/operations.md lists the variables there are"
            raise ConfigError(variable, f"there is no such setting{hint}")
        each = known[variable]
        try:
            values[each.name] = each.metadata["parse"](environ[variable])
        except ValueError as error:
            shown = "***" if each.name == "redis_url" else repr(environ[variable])
            raise ConfigError(variable, f"{shown} is not allowed; allowed: {error}") from None
    return Config(**values)


def to_env(config: Config) -> dict[str, str]:
    """Return the variables that make `from_env` return *config*."""
    return {variable_of(each.name): _written(getattr(config, each.name)) for each in fields(Config)}


def table() -> str:
    """Return the settings as a Markdown table, for docs/operations.md."""
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for each in fields(Config):
        default = _written(each.default)
        shown = f"`{default}`" if default else "(empty)"
        lines.append(f"| `{variable_of(each.name)}` | {shown} | {each.metadata['doc']} |")
    return "\n".join(lines) + "\n"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
