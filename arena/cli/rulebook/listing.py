"""The presets, for people and for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.cli.output import print_json, stdout, table
from referee.rules.presets import HOEMKE_CHOICES, HOEMKE_NAMES, players_of, resolve, to_json

if TYPE_CHECKING:
    from arena.cli.plain import Plain

ABOUT: Final = {
    "standard": "the game most people know",
    "classic": "one pack, low cards stripped so that it divides; QS opens hearts too; the shooter chooses",
    "cancellation": "two packs; equal cards in a trick cancel; the first trick's winner takes the kitty",
}
HOEMKE_PATTERN: Final = "hoemke-PLHS"
HOEMKE_ABOUT: Final = "256 variants: digits 1 to 4 for Pass, opening Lead, Hearts lead, Scoring, as in hoemke-2223"


def digits_of(preset: str) -> list[tuple[str, int, str]]:
    """Return option, digit and value for each digit of a Hoemke preset; nothing for any other."""
    if preset not in HOEMKE_NAMES:
        return []
    chosen = zip(HOEMKE_CHOICES.items(), map(int, preset[-4:]), strict=True)
    return [(name, digit, values[digit - 1]) for (name, values), digit in chosen]


def print_list(*, every: bool) -> None:
    """Print the presets, and what the digits mean; with *every*, a line for each of the 256 too."""
    out = stdout()
    rows = [(name, _seats(name), about) for name, about in ABOUT.items()]
    if not every:
        rows.append((HOEMKE_PATTERN, _seats(HOEMKE_NAMES[0]), HOEMKE_ABOUT))
    out.print(table(("preset", "players", "what it is"), rows))
    out.print()
    if every:
        lines = [(name, *(value for _, _, value in digits_of(name))) for name in HOEMKE_NAMES]
        out.print(table(("preset", *HOEMKE_CHOICES), lines))
        return
    columns = tuple(f"{letter} {name}" for letter, name in zip("PLHS", HOEMKE_CHOICES, strict=True))
    values = zip(*HOEMKE_CHOICES.values(), strict=True)
    out.print(table(("digit", *columns), [(digit, *row) for digit, row in enumerate(values, start=1)]))


def print_list_json(*, every: bool) -> None:
    """Print the presets as JSON, the 256 as a pattern; with *every*, each by itself."""
    presets = [_as_json(name, about) for name, about in ABOUT.items()]
    if every:
        presets += [_as_json(name, "by Paul Hoemke's alternatives") for name in HOEMKE_NAMES]
    digits: Plain = {name: list(values) for name, values in HOEMKE_CHOICES.items()}
    pattern: Plain = {"pattern": HOEMKE_PATTERN, "count": len(HOEMKE_NAMES), "players": [4], "digits": digits}
    print_json({"presets": presets, "hoemke": pattern})


def _as_json(name: str, about: str) -> Plain:
    seats, usual = players_of(name)
    return {
        "preset": name,
        "players": list(seats),
        "usual_players": usual,
        "about": about,
        "rules": to_json(resolve(name)),
    }


def _seats(name: str) -> str:
    seats, _ = players_of(name)
    return str(seats.start) if len(seats) == 1 else f"{seats.start} to {seats.stop - 1}"
