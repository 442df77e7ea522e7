"""A rule set from the options of a command: a preset, a number of players, and what is set otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.errors import Misuse
from arena.cli.options import key_values
from referee.rules.options import parse_override
from referee.rules.presets import resolve
from referee.rules.variant import VariantError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.rules.variant import Variant


def chosen(preset: str, players: int | None, settings: Sequence[str]) -> Variant:
    """Return the rule set of *preset* with *settings*, each `option=value`. Raises `Misuse`."""
    overrides: dict[str, object] = {}
    try:
        overrides.update(parse_override(f"{name}={text}") for name, text in key_values(settings, "--set").items())
        if players is not None and overrides.setdefault("players", players) != players:
            raise Misuse("--players and --set players=... say different things; leave one out")
        return resolve(preset, overrides=overrides)
    except VariantError as error:
        raise Misuse(told(error)) from None


def told(error: VariantError) -> str:
    """Return what is wrong with a rule set, in the words of a command."""
    if error.option == "preset":
        return f"there are no rules named {error.value!r}: {error.allowed}"
    unknown, _, known = error.allowed.partition("an option that exists; ")
    if known and not unknown:
        return f"there is no option {error.option!r} in the rules; {known}"
    return f"these rules cannot be played: {error}"
