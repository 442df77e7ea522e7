"""The records: small games of every kind, and beside each what was legal at every decision of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from referee.rules.presets import resolve
from referee.rules.variant import Variant
from referee.table.adjudicate import Decision
from referee.table.check import check, legal_line
from referee.table.record import encode, record_of_log
from tests.table.players import decide, random_game, table_with

_ONE: Final = {"deals": 1}
_SEATS: Final = ("ann", "bob", "cyd", "dan", "eve", "fay", "guy", "hal", "ivy", "jon", "kim")
_GAMES: Final[tuple[tuple[str, Variant, int | None], ...]] = (
    ("standard", resolve("standard", overrides={"deals": 4}), None),
    *((f"classic-{players}", resolve("classic", players=players, overrides=_ONE), None) for players in range(3, 8)),
    *(
        (f"cancellation-{players}", resolve("cancellation", players=players, overrides=_ONE), None)
        for players in range(6, 12)
    ),
    *(
        (f"hoemke-{digits}", resolve(f"hoemke-{digits}", overrides=_ONE), None)
        for digits in ("1111", "2222", "3333", "4444", "3142", "4313")
    ),
    ("target", resolve("standard", overrides={"target": 26}), None),
    ("cut-in-the-pass", resolve("standard", overrides=_ONE), 2),
    ("cut-before-a-return", resolve("hoemke-3223", overrides=_ONE), 6),
    ("cut-in-play", resolve("classic", overrides=_ONE), 30),
)
"""Name, rule set, and after how many decisions the game is cut off, if it is."""


def _records() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, variant, decisions in _GAMES:
        table = random_game(variant, 1, decisions=decisions)
        yield name, record_of_log(variant, _SEATS[: variant.players], table.log)
    table = random_game(resolve("standard", overrides=_ONE), 2, decisions=20)
    yield "cancelled", record_of_log(table.variant, _SEATS[:4], table.log, cancelled=True)
    # Who holds all clubs where clubs are led first takes every trick, and then has the choice.
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    table = table_with(resolve("classic", overrides=_ONE), {1: clubs}, number=4)
    while not table.over:
        decide(table)
    yield "moon", record_of_log(table.variant, _SEATS[:4], table.log)


def build() -> dict[str, str]:
    """Return the texts of all files by their names below `tests/vectors`."""
    found: dict[str, str] = {}
    for name, record in _records():
        text = encode(record).decode("ascii")
        decisions: list[Decision] = []
        problems = check(json.loads(text), decisions.append)
        if problems:
            raise AssertionError(f"{name}: {problems[0]}")
        found[f"records/{name}.json"] = text + "\n"
        found[f"decisions/{name}.jsonl"] = "".join(legal_line(decision) + "\n" for decision in decisions)
    return found
