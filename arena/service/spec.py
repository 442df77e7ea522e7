"""What a tournament is, as a value: checked, resolved to rules, and kept as JSON.

Before the start the spec is kept as it was given, and defaults that depend on the entrants stay open. `freeze` closes
them and writes the whole resolved rule set beside the spec, so that what is being played never depends on a default of
a later version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, cast

from arena.errors import Invalid
from arena.schedule.plan import Boards, Format, PlanError, check
from arena.service import checks
from arena.storage.ports import reading
from referee.host.ports import Clock
from referee.rules.options import JSON, parse_override
from referee.rules.presets import from_json as rules_from_json
from referee.rules.presets import resolve, to_json
from referee.rules.variant import Variant, VariantError

DEALS: Final = 16
"""Deals of a match without a target: a multiple of the usual pass cycle."""

MOST_DEALS: Final = 1_000
MOST_POINTS: Final = 1_000_000
_LIMITS: Final = (
    ("deals", 1, MOST_DEALS),
    ("max_deals", 1, MOST_DEALS),
    ("target", 1, MOST_POINTS),
    ("moon_value", 0, 1000),
)
DAY: Final = 86_400


class NoShow(StrEnum):
    """What happens when a bot is not there."""

    WAIT = "wait"
    AUTOPILOT = "autopilot"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """What a tournament is. Times are seconds; `boards` None and `deals` 0 leave the choice to the arena."""

    name: str
    title: str = ""
    preset: str = "standard"
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    format: str = "round_robin"
    boards: Boards | None = None
    passes: int = 1
    deals: int = 0
    clock: Clock = field(default_factory=Clock)
    auto_play_forced: bool = False
    reveal_opponents: bool = False
    fault_limit: int = 5
    suspend_after: int = 3
    no_show: NoShow = NoShow.WAIT
    no_show_seconds: int = 60
    window: int = 32
    concurrency: int = 0
    seed: str = ""
    entry_close: float | None = None


def validate(spec: TournamentSpec) -> Variant:
    """Return the rules of *spec* if all of it can be played; raise `Invalid`, which names the field, if not."""
    checks.slug("spec.name", spec.name)
    checks.text("spec.title", spec.title, 120)
    checks.text("spec.seed", spec.seed, 64)
    checks.whole("spec.passes", spec.passes, 1, 100_000)
    checks.whole("spec.deals", spec.deals, 0, MOST_DEALS)
    checks.whole("spec.fault_limit", spec.fault_limit, 1, 10_000)
    checks.whole("spec.suspend_after", spec.suspend_after, 1, 1_000_000)
    checks.whole("spec.no_show_seconds", spec.no_show_seconds, 1, 30 * DAY)
    checks.whole("spec.window", spec.window, 1, 100_000)
    checks.whole("spec.concurrency", spec.concurrency, 0, 1_000_000)
    if spec.entry_close is not None:
        checks.seconds("spec.entry_close_time", spec.entry_close, 0, checks.FAR)
    _check_clock(spec.clock)
    variant = rules_of(spec)
    _check_format(spec, variant)
    return variant


def rules_of(spec: TournamentSpec) -> Variant:
    """Return the rule set that *spec* resolves to; raise `Invalid` if there is none."""
    try:
        overrides = dict(parse_override(f"{name}={value}") for name, value in sorted(spec.options.items()))
        if overrides.get("target") is None and overrides.get("deals") is None:
            overrides["deals"] = spec.deals or DEALS
        elif spec.deals:
            raise Invalid("spec.deals", spec.deals, "0, or no option target or deals beside it")
        variant = resolve(spec.preset, overrides=overrides)
    except VariantError as error:
        field_name = "spec.preset" if error.option == "preset" else f"spec.options.{error.option}"
        raise Invalid(field_name, error.value, error.allowed) from None
    for name, least, most in _LIMITS:
        value = getattr(variant, name)
        if value is not None:
            checks.whole(f"spec.options.{name}", value, least, most)
    if len(variant.pass_cycle) > MOST_DEALS:
        raise Invalid("spec.options.pass_cycle", f"{len(variant.pass_cycle)} words", f"at most {MOST_DEALS} words")
    return variant


def format_of(spec: TournamentSpec, variant: Variant) -> Format:
    """Return what is to be scheduled; boards left open count as single ones."""
    return Format(spec.format, variant.players, spec.boards or Boards.SINGLE, spec.passes)


def freeze(spec: TournamentSpec, entrants: int) -> tuple[TournamentSpec, Variant]:
    """Return *spec* with its boards chosen for so many *entrants*, and its rules.

    Boards are compared between tables of a round, so with one table they are replayed instead; a game to a target has
    none.
    """
    variant = rules_of(spec)
    if spec.boards is None:
        if variant.target is not None:
            chosen = Boards.SINGLE
        else:
            chosen = Boards.BOARDS if entrants >= 2 * variant.players else Boards.ROTATIONS
        spec = replace(spec, boards=chosen)
    return spec, variant


def to_stored(spec: TournamentSpec, variant: Variant | None = None, rounds: int = 0) -> dict[str, object]:
    """Return the JSON that is stored of *spec*; once it is started, with the frozen rules and the number of rounds."""
    stored = asdict(replace(spec, options=dict(spec.options)))
    stored["boards"] = None if spec.boards is None else spec.boards.value
    stored["no_show"] = spec.no_show.value
    return {"version": 1, "spec": stored, "rules": None if variant is None else to_json(variant), "rounds": rounds}


def from_stored(stored: Mapping[str, object]) -> TournamentSpec:
    """Return the spec that `to_stored` wrote; raise `Damaged` if it cannot be read."""
    with reading("a tournament's spec"):
        values = dict(cast("Mapping[str, Any]", stored["spec"]))
        values["options"] = MappingProxyType(dict(values["options"]))
        values["boards"] = None if values["boards"] is None else Boards(values["boards"])
        values["no_show"] = NoShow(values["no_show"])
        values["clock"] = Clock(**values["clock"])
        return TournamentSpec(**values)


def stored_rules(stored: Mapping[str, object]) -> Variant:
    """Return the rules of a stored spec: the frozen ones, or those that it resolves to before the start."""
    with reading("a tournament's rules"):
        rules = cast("Mapping[str, JSON] | None", stored["rules"])
        return rules_of(from_stored(stored)) if rules is None else rules_from_json(rules)


def stored_rounds(stored: Mapping[str, object]) -> int:
    """Return the number of rounds of a tournament that has been started."""
    return cast("int", stored["rounds"])


def _check_clock(clock: Clock) -> None:
    checks.seconds("spec.clock.decision_millis", clock.decision, 0, 3600)
    checks.seconds("spec.clock.bank_millis", clock.bank, 0, DAY)
    checks.seconds("spec.clock.network_millis", clock.network, 0, 60)
    checks.seconds("spec.clock.watchdog_millis", clock.watchdog, 1, DAY)
    checks.seconds("spec.ready_millis", clock.ready, 0.001, DAY)
    checks.seconds("spec.reconnect_grace_millis", clock.reconnect_grace, 0.001, DAY)


def _check_format(spec: TournamentSpec, variant: Variant) -> None:
    try:
        check(format_of(spec, variant), variant.players, target=variant.target)
    except PlanError as error:
        raise Invalid(_FIELDS.get(error.option, f"spec.{error.option}"), error.value, error.reason) from None


_FIELDS: Final = {"kind": "spec.format", "players": "spec.options.players"}
