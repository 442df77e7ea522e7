"""What a bot says that it can play, against what rules ask of it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.variant import MoonEffect, PassDirection, PassMode, Variant


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a bot can play. `kinds` empty means every kind of decision."""

    max_packs: int = 1
    min_players: int = 3
    max_players: int = 7
    kinds: frozenset[str] = frozenset()

    def lacks(self, variant: Variant) -> str:
        """Return what keeps a bot with these from a table with such rules, in words; nothing if it can sit there."""
        if variant.packs > self.max_packs:
            return f"it says that it can play with {self.max_packs} pack, and the rules have {variant.packs}"
        if not self.min_players <= variant.players <= self.max_players:
            can = f"{self.min_players} to {self.max_players} players"
            return f"it says that it can play with {can}, and the rules have {variant.players}"
        missing = kinds_of(variant) - self.kinds if self.kinds else ()
        if missing:
            return f"it says that it cannot answer decisions of these kinds: {', '.join(sorted(missing))}"
        return ""

    def fit(self, variant: Variant) -> bool:
        """Whether a bot with these can sit at a table with such rules."""
        return not self.lacks(variant)


def kinds_of(variant: Variant) -> set[str]:
    """Return the kinds of decision that occur under these rules."""
    kinds = {"play"}
    cycling = variant.pass_mode in (PassMode.CYCLE, PassMode.CYCLE_GIVE_BACK)
    if variant.pass_mode is PassMode.POOL or (cycling and {*variant.pass_cycle} != {PassDirection.HOLD}):
        kinds.add("pass")
        if variant.give_back:
            kinds.add("return")
    if variant.moon_effect is MoonEffect.SHOOTER_CHOICE:
        kinds.add("moon")
    return kinds
