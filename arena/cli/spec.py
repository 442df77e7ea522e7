"""A tournament's specification from command-line options, checked here as far as this side can.

What can be refused without a server is refused without one: an unknown preset, an option that does not exist, a rule
set that cannot be played. The server checks everything again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.referee_service_pb2 import Clock

from arena.cli.errors import Misuse
from arena.cli.options import duration, key_values
from arena.cli.plain import number, words
from arena.cli.rulebook.choosing import told
from arena.errors import Invalid
from arena.service.spec import validate
from arena.transport.convert import spec_from_wire
from referee.rules.options import parse_override
from referee.rules.presets import resolve
from referee.rules.variant import Variant, VariantError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.descriptor import EnumDescriptor

DEFAULT_DEALS: Final = 16
_NAME: Final = re.compile(r"[a-z0-9-]{1,40}")
_DAY: Final = 86_400.0
_HOUR: Final = 3_600.0
_OPTIONS: Final = {"spec.clock.decision_millis": "--limit", "spec.clock.bank_millis": "--bank"}
"""The options behind fields of the specification that are named differently."""


@dataclass(frozen=True, slots=True)
class TimeOptions:
    """The time control as it was given: texts of times, None where nothing was said."""

    limit: str | None = None
    bank: str | None = None
    no_clock: bool = False


@dataclass(frozen=True, slots=True)
class SpecOptions:
    """What the options of a command say of a tournament."""

    name: str
    rules: str = "standard"
    options: Sequence[str] = ()
    deals: int | None = None
    target: int | None = None
    boards: str | None = None
    passes: int | None = None
    seed: str | None = None
    concurrency: int | None = None
    window: int | None = None
    title: str = ""
    auto_play_forced: bool = False
    reveal_opponents: bool = False
    time: TimeOptions = field(default_factory=TimeOptions)
    players: int | None = None


def build_spec(given: SpecOptions) -> tuple[pb.TournamentSpec, Variant]:
    """Return the specification, and the rule set that it leads to. Raises `Misuse`."""
    if not _NAME.fullmatch(given.name):
        raise Misuse(f"{given.name!r} is no name for a tournament: use 1 to 40 of a-z, 0-9 and '-'")
    if given.seed == "":
        raise Misuse("--seed is empty; give one, or leave it out for deals that nobody can know before")
    if given.deals is not None and given.target is not None:
        raise Misuse(
            "--deals and --target exclude each other: a match has a fixed number of deals, or goes to a target"
        )
    texts = _option_texts(given)
    spec = pb.TournamentSpec(
        name=given.name,
        title=given.title,
        preset=given.rules,
        options=texts,
        boards=choice(pb.Boards.DESCRIPTOR, given.boards, "--boards"),
        passes=given.passes or 0,
        deals=given.deals or 0,
        seed=given.seed or "",
        concurrency=given.concurrency or 0,
        window=given.window or 0,
        auto_play_forced=given.auto_play_forced,
        reveal_opponents=given.reveal_opponents,
    )
    _set_clock(spec, given.time)
    variant = _variant(given, texts)
    _check(spec)
    return spec, variant


def choice(enum: EnumDescriptor, text: str | None, option: str) -> Any:  # noqa: ANN401 - of that enum
    """Return the value of *enum* that *text* is the short word of; 0 for None. Raises `Misuse`."""
    if text is None:
        return 0
    value = number(enum, text)
    if not value:
        raise Misuse(f"{option} {text!r} does not exist; choose one of {', '.join(words(enum))}")
    return value


def _option_texts(given: SpecOptions) -> dict[str, str]:
    texts = key_values(given.options, "--set")
    for name, value in (("deals", given.deals), ("target", given.target), ("players", given.players)):
        if name in texts and value is not None:
            raise Misuse(f"--{name} and --set {name}=... say the same thing twice; leave one out")
    if given.target is not None:
        texts["target"] = str(given.target)
    if given.players is not None:
        texts["players"] = str(given.players)
    return texts


def _variant(given: SpecOptions, texts: dict[str, str]) -> Variant:
    """Return the rule set that the server will come to."""
    try:
        overrides = dict(parse_override(f"{name}={text}") for name, text in texts.items())
        if "target" not in overrides and "deals" not in overrides:
            overrides["deals"] = given.deals or DEFAULT_DEALS
        return resolve(given.rules, overrides=overrides)
    except VariantError as error:
        raise Misuse(told(error)) from None


def _check(spec: pb.TournamentSpec) -> None:
    """Raise `Misuse` for what a server would refuse, before anything is made for it."""
    try:
        validate(spec_from_wire(spec))
    except Invalid as error:
        option = _OPTIONS.get(error.field) or f"--{error.field.removeprefix('spec.').replace('options.', 'set ')}"
        raise Misuse(f"{option} {error.value} is not allowed; allowed: {error.allowed}") from None


def _set_clock(spec: pb.TournamentSpec, time: TimeOptions) -> None:
    if time.no_clock:
        if time.limit is not None or time.bank is not None:
            raise Misuse("--no-clock and --limit or --bank exclude each other")
        spec.clock.CopyFrom(Clock(decision_millis=0, bank_millis=0, network_millis=0, watchdog_millis=_millis(_DAY)))
        spec.ready_millis = _millis(_DAY)
        spec.reconnect_grace_millis = _millis(_HOUR)
        return
    if time.limit is None:
        if time.bank is not None:
            raise Misuse("--bank goes with --limit: give both")
        return
    limit = duration(time.limit, "--limit")
    if not 0.001 <= limit <= _HOUR:
        raise Misuse(f"--limit {time.limit} is out of range: from 1ms to 1h, or --no-clock for none")
    bank = min(10 * limit, _DAY) if time.bank is None else duration(time.bank, "--bank")
    if bank > _DAY:
        raise Misuse(f"--bank {time.bank} is out of range: at most 24h")
    watchdog = max(60.0, 2 * (limit + bank))
    spec.clock.CopyFrom(
        Clock(
            decision_millis=_millis(limit),
            bank_millis=_millis(bank),
            network_millis=100,
            watchdog_millis=_millis(min(watchdog, _DAY)),
        )
    )


def _millis(seconds: float) -> int:
    return round(seconds * 1000)
