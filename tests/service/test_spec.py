"""Specs: defaults, checks with names, and what is stored."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from arena.errors import Invalid
from arena.schedule.plan import Boards
from arena.service.spec import (
    NoShow,
    TournamentSpec,
    format_of,
    freeze,
    from_stored,
    stored_rounds,
    stored_rules,
    to_stored,
    validate,
)
from referee.host.ports import Clock
from tests.service.builders import spec


def test_deals_and_target() -> None:
    """Without a target a match has 16 deals; an option sets a target or another number instead."""
    assert validate(TournamentSpec(name="a")).deals == 16
    assert validate(spec(deals=4)).deals == 4
    assert validate(spec(deals=0, options={"deals": "8"})).deals == 8
    target = validate(spec(deals=0, options={"target": "50"}, boards=None))
    assert (target.target, target.deals) == (50, None)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": "Cup"}, "spec.name"),
        ({"name": ""}, "spec.name"),
        ({"title": "x" * 121}, "spec.title"),
        ({"title": "a\x1b[2J"}, "spec.title"),
        ({"preset": "standrad"}, "spec.preset"),
        ({"options": {"scorings": "x"}}, "spec.options.scorings"),
        ({"options": {"players": "9" * 5000}}, "spec.options.players"),
        ({"options": {"moon_value": "9" * 400}}, "spec.options.moon_value"),
        ({"options": {"target": "50"}, "deals": 2}, "spec.deals"),
        ({"options": {"target": "50"}, "deals": 0}, "spec.boards"),
        ({"options": {"deals": "1001"}, "deals": 0}, "spec.options.deals"),
        ({"options": {"deals": "\u0668"}, "deals": 0}, "spec.options.deals"),
        ({"options": {"moon_value": "9" * 5000}}, "spec.options.moon_value"),
        ({"options": {"pass_cycle": "left," * 1001}}, "spec.options.pass_cycle"),
        ({"deals": 1001}, "spec.deals"),
        ({"passes": 0}, "spec.passes"),
        ({"format": "swiss"}, "spec.format"),
        ({"clock": Clock(decision=-1)}, "spec.clock.decision_millis"),
        ({"clock": Clock(watchdog=float("nan"))}, "spec.clock.watchdog_millis"),
        ({"clock": Clock(ready=1e9)}, "spec.ready_millis"),
        ({"no_show_seconds": 10**9}, "spec.no_show_seconds"),
        ({"window": 0}, "spec.window"),
        ({"seed": "a\n"}, "spec.seed"),
        ({"entry_close": 1e12}, "spec.entry_close_time"),
    ],
)
def test_what_is_refused(given: dict[str, Any], field: str) -> None:
    """Each wrong value is refused with its field, itself and what is allowed."""
    with pytest.raises(Invalid) as refused:
        validate(spec(**given))
    assert refused.value.field == field
    assert refused.value.allowed
    assert len(str(refused.value)) < 1500


@pytest.mark.parametrize(
    ("options", "entrants", "boards"),
    [
        ({}, 4, Boards.ROTATIONS),
        ({}, 7, Boards.ROTATIONS),
        ({}, 8, Boards.BOARDS),
        ({"target": "100"}, 8, Boards.SINGLE),
    ],
)
def test_boards_left_open(options: dict[str, str], entrants: int, boards: Boards) -> None:
    """Boards are shared between tables where there are several, replayed where there is one, and games have none."""
    frozen, variant = freeze(TournamentSpec(name="a", options=options), entrants)
    assert frozen.boards is boards
    assert format_of(frozen, variant).boards is boards


def test_stored() -> None:
    """What is stored is JSON and comes back the same, before the start and after it."""
    given = spec(no_show=NoShow.WITHDRAW, options={"moon_effect": "self_minus"}, clock=Clock(decision=0.5), boards=None)
    before = json.loads(json.dumps(to_stored(given)))
    assert from_stored(before) == given
    assert stored_rules(before) == validate(given)
    frozen, variant = freeze(given, 4)
    after = json.loads(json.dumps(to_stored(frozen, variant, 3)))
    assert from_stored(after) == replace(given, boards=Boards.ROTATIONS)
    assert stored_rules(after) == variant
    assert stored_rounds(after) == 3
