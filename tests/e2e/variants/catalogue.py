"""The tournaments that together play every variant: all presets, all table sizes, and the options no preset sets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.spec import SpecOptions, TimeOptions, build_spec
from referee.rules.presets import HOEMKE_NAMES
from referee.rules.variant import Variant

LEAST_DEALS: Final = 48
_CYCLE: Final = 4
"""Matches are as long as a multiple of the longest pass cycle."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One tournament: *players* bots at one table, a *preset*, and *options* as `name=value`."""

    preset: str
    players: int
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The tournament's name, which tells entries apart."""
        size = "" if self.preset.startswith("hoemke") else f"-{self.players}"
        values = "".join("-" + re.sub(r"[^a-z0-9]+", "-", option.partition("=")[2]) for option in self.options)
        return f"{self.preset}{size}{values}"[:40].rstrip("-")

    @property
    def to_target(self) -> bool:
        """Whether its matches are played to a target, so that nobody knows how many deals they take."""
        return any(option.startswith("target=") for option in self.options)

    def spec(self) -> pb.TournamentSpec:
        """Return the tournament."""
        return self._built()[0]

    def variant(self) -> Variant:
        """Return its rules."""
        return self._built()[1]

    def _built(self) -> tuple[pb.TournamentSpec, Variant]:
        """Return both; without a target it has at least `LEAST_DEALS` deals, each played in all seats."""
        players = (f"players={self.players}",)
        deals = -(-LEAST_DEALS // self.players // _CYCLE) * _CYCLE  # a match for each seating of the table
        given = SpecOptions(
            self.name,
            rules=self.preset,
            options=players + self.options,
            deals=None if self.to_target else deals,
            passes=_CYCLE if self.to_target else 1,
            seed="every variant",
            time=TimeOptions(no_clock=True),
        )
        return build_spec(given)


HOEMKE: Final = tuple(Entry(name, 4) for name in HOEMKE_NAMES)
CLASSIC: Final = tuple(Entry("classic", players) for players in range(3, 8))
CANCELLATION: Final = tuple(Entry("cancellation", players) for players in range(6, 12))
OTHERS: Final = (
    Entry("standard", 4),
    Entry("standard", 4, ("target=60", "tie_for_lowest=play_on")),
    Entry("hoemke-1243", 4, ("opening_lead=eldest_lowest_per_suit", "moon_needs_jd=false")),
    Entry("hoemke-2224", 4, ("lead_escape=only_hearts_or_qs", "pass_count=1")),
    Entry("classic", 5, ("moon_effect=self_minus", "first_trick_penalty=allowed")),
    Entry("classic", 6, ("pass_cycle=across,hold,left", "pass_count=5")),
    Entry("classic", 7, ("pass_mode=pool", "pass_count=7")),
    Entry("cancellation", 6, ("pass_mode=pool", "scoring=two_free_double_jd")),
    Entry("cancellation", 7, ("kitty_view=all", "first_trick_penalty=barred_unless_forced")),
    Entry("cancellation", 8, ("target=80", "max_deals=20")),
    Entry("cancellation", 9, ("pass_mode=cycle_give_back", "scoring=black_lady_jd")),
    Entry("cancellation", 10, ("opening_lead=eldest_lowest_plain", "hearts_lead=after_plain_suits_led")),
    Entry("cancellation", 11, ("pass_mode=none", "scoring=honours_5", "moon_value=52")),
)
EVERYTHING: Final = HOEMKE + CLASSIC + CANCELLATION + OTHERS

_DIAGONALS: Final = ("1111", "2222", "3333", "4444", "1234", "2143", "3412", "4321")
SHARE: Final = (
    *(Entry(f"hoemke-{digits}", 4) for digits in _DIAGONALS),
    *(Entry("classic", players) for players in (3, 5, 7)),
    *(Entry("cancellation", players) for players in (6, 11)),
    *OTHERS,
)
"""A small part in which every alternative of the four places occurs, every option, and every kind of pack."""
