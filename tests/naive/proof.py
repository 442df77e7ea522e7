"""The comparison of referee and naive implementation over random games, their records, and records tampered with."""

import json
from collections import Counter
from random import Random
from typing import Any

from referee.rules.presets import resolve as referee_resolve
from referee.rules.presets import to_json
from referee.rules.variant import VariantError
from referee.table.adjudicate import Decision
from referee.table.check import check, legal_line
from referee.table.record import decode, encode, record_of_log
from tests.naive.lockstep import Disagreement, Lockstep, agree
from tests.naive.options import Rules, resolve
from tests.naive.record import adjudicate
from tests.naive.tamper import tampered
from tests.naive.variants import asked


def compare_chunk(seed: str, deals: int) -> tuple[Counter[str], str | None]:
    """Compare about so many deals from a seed; return what was met, and the first difference if there is one."""
    tally: Counter[str] = Counter()
    try:
        compare_games(deals, Random(seed), tally)
    except Exception as error:
        return tally, f"{type(error).__name__}: {error}"
    return tally, None


def compare_games(deals: int, rng: Random, tally: Counter[str]) -> None:
    """Play games until so many deals have been compared; the first difference raises `Disagreement`."""
    wanted = tally["deals"] + deals
    for given, possible in asked(rng):
        if tally["deals"] >= wanted:
            return
        compare_rules(given, possible)
        tally["rule sets refused"] += not possible
        if possible:
            compare_game(given, rng, tally)


def compare_rules(given: Rules, possible: bool) -> None:
    """Compare whether a rule set can be played, and what it is in full."""
    overrides = {name: value for name, value in given.items() if name not in ("preset", "players")}
    try:
        variant = referee_resolve(given["preset"], players=given["players"], overrides=overrides)
    except VariantError as error:
        agree(f"{given}: {error}", False, possible)
        return
    agree(f"{given}", True, possible)
    whole = {name: value for name, value in to_json(variant).items() if name != "stripped"}
    right = resolve(given)
    agree("stripped", set(variant_names(to_json(variant)["stripped"])), set(right.pop("stripped")))
    agree("the rule set", whole, right)


def variant_names(value: object) -> list[str]:
    """Return the entries of a JSON list of texts."""
    assert isinstance(value, list)
    return [str(entry) for entry in value]


def compare_game(given: Rules, rng: Random, tally: Counter[str]) -> None:
    """Compare one game, the record of it, and a changed record; some games stop before their end."""
    game = Lockstep(given, rng, tally, hostile=0.3 if rng.random() < 0.02 else rng.choice([0.0, 0.01, 0.03]))
    whole = rng.random() < 0.8
    game.run(None if whole else rng.randint(1, 200))
    log, variant = game.table.log, game.variant
    cancelled = not game.table.over and rng.random() < 0.5
    names = [f"P{seat}" for seat in range(variant.players)]
    record = decode(encode(record_of_log(variant, names, log, cancelled=cancelled)))
    compare_records("a record just written", record, genuine=True)
    tally["games"] += 1
    if record["deals"]:
        change, changed = tampered(record, rng)
        tally["changed records"] += 1
        tally["changed records found out"] += compare_records(f"a record with other {change}", changed)


def compare_records(what: str, record: dict[str, Any], *, genuine: bool = False) -> bool:
    """Compare the verdicts on a record, and every decision in it; return whether anything is wrong with it."""
    lines: list[dict[str, Any]] = []

    def note(decision: Decision) -> None:
        lines.append(json.loads(legal_line(decision)))

    problems = check(record, note)
    verdict = adjudicate(record)
    found = [str(problem) for problem in problems]
    if bool(found) != bool(verdict.problems):
        raise Disagreement(f"{what}: {found} against {verdict.problems} in {json.dumps(record)}")
    if genuine:
        agree(f"problems of {what}", (found, verdict.problems), ([], []))
    if not found:
        agree(f"decisions of {what}", [_sorted(line) for line in lines], [_sorted(line) for line in verdict.decisions])
    return bool(found)


def _sorted(line: dict[str, Any]) -> dict[str, Any]:
    """Leave the order of cards out of a line."""
    return {key: sorted(value) if isinstance(value, list) else value for key, value in line.items()}
