"""Specifications from options."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.errors import Misuse
from arena.cli.spec import SpecOptions, TimeOptions, build_spec

PLAIN = SpecOptions("cup")


def test_what_is_not_given_is_left_to_the_server() -> None:
    """A name is enough: unset fields mean the server's defaults, and the rules are 16 deals of standard."""
    spec, variant = build_spec(PLAIN)
    assert spec == pb.TournamentSpec(name="cup", preset="standard")
    assert (variant.players, variant.deals, variant.target) == (4, 16, None)


def test_all_options() -> None:
    """What is given stands in the specification, and in the rules that are derived from it."""
    given = SpecOptions(
        "cup",
        "classic",
        ("players=5", "moon_effect=self_minus"),
        deals=8,
        boards="balanced",
        passes=3,
        seed="7",
        concurrency=2,
        window=5,
        title="The cup",
        auto_play_forced=True,
        reveal_opponents=True,
        time=TimeOptions("500ms", "3s"),
    )
    spec, variant = build_spec(given)
    assert (variant.players, variant.deals, variant.moon_effect) == (5, 8, "self_minus")
    assert dict(spec.options) == {"players": "5", "moon_effect": "self_minus"}
    assert (spec.deals, spec.boards, spec.passes, spec.seed) == (8, pb.BOARDS_BALANCED, 3, "7")
    assert (spec.concurrency, spec.window, spec.title) == (2, 5, "The cup")
    assert spec.auto_play_forced
    assert spec.reveal_opponents
    assert (spec.clock.decision_millis, spec.clock.bank_millis, spec.clock.watchdog_millis) == (500, 3000, 60_000)


def test_a_target_is_an_option_of_the_rules() -> None:
    """`--target` plays games to a total, and then deals are not fixed."""
    spec, variant = build_spec(replace(PLAIN, target=50))
    assert dict(spec.options) == {"target": "50"}
    assert (spec.deals, variant.target, variant.deals) == (0, 50, None)


def test_the_bank_is_ten_times_the_limit() -> None:
    """A limit alone sets a bank and a watchdog that fit."""
    spec, _ = build_spec(replace(PLAIN, time=TimeOptions("10s")))
    assert (spec.clock.decision_millis, spec.clock.bank_millis) == (10_000, 100_000)
    assert spec.clock.watchdog_millis == 220_000


def test_no_clock_is_a_watchdog_of_a_day() -> None:
    """For debugging nothing runs out; the wait for a bot does not either."""
    spec, _ = build_spec(replace(PLAIN, time=TimeOptions(no_clock=True)))
    assert (spec.clock.decision_millis, spec.clock.watchdog_millis, spec.ready_millis) == (0, 86_400_000, 86_400_000)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (SpecOptions("Cup"), "1 to 40 of a-z"),
        (SpecOptions("x" * 41), "1 to 40 of a-z"),
        (replace(PLAIN, deals=4, target=50), "exclude each other"),
        (replace(PLAIN, rules="stanard"), "did you mean standard"),
        (replace(PLAIN, options=["trget=5"]), "did you mean target"),
        (replace(PLAIN, options=["foo=1"]), "there is no option 'foo' in the rules; the options are players, "),
        (replace(PLAIN, options=["target"]), "NAME=VALUE"),
        (replace(PLAIN, options=["target=5", "target=6"]), "given twice"),
        (replace(PLAIN, options=["target=5"], target=6), "say the same thing twice"),
        (replace(PLAIN, options=["deals=5"], deals=5), "say the same thing twice"),
        (replace(PLAIN, options=["players=4"], players=4), "--players and --set players=... say the same thing twice"),
        (replace(PLAIN, players=5), "option players: 5"),
        (replace(PLAIN, options=["players=5"]), "option players: 5"),
        (replace(PLAIN, boards="swiss"), "single, boards, rotations, balanced"),
        (replace(PLAIN, boards="unspecified"), "single, boards, rotations, balanced"),
        (replace(PLAIN, time=TimeOptions("2s", no_clock=True)), "exclude each other"),
        (replace(PLAIN, time=TimeOptions(bank="2s")), "goes with --limit"),
        (replace(PLAIN, time=TimeOptions("2d")), "out of range"),
        (replace(PLAIN, time=TimeOptions("2x")), "--limit '2x' is not a time"),
        (replace(PLAIN, time=TimeOptions("0s")), "out of range"),
    ],
)
def test_what_cannot_be(given: SpecOptions, told: str) -> None:
    """It is refused before any server is asked, in words that say what is allowed."""
    with pytest.raises(Misuse) as caught:
        build_spec(given)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (replace(PLAIN, seed="s" * 65), r"^--seed 's+' is not allowed; allowed: at most 64 printable characters"),
        (replace(PLAIN, seed="a\nb"), r"^--seed 'a\\nb'"),
        (replace(PLAIN, seed=""), r"^--seed is empty"),
        (replace(PLAIN, title="t" * 121), r"^--title"),
        (replace(PLAIN, options=("target=1000001",)), r"^--set target 1000001 .* 1 to 1000000"),
        (replace(PLAIN, time=TimeOptions("2s", "25h")), r"^--bank 25h .* at most 24h"),
    ],
)
def test_what_a_server_would_refuse_is_refused_before_there_is_one(given: SpecOptions, told: str) -> None:
    """Nothing is made for a tournament that cannot be, and the refusal names the option."""
    with pytest.raises(Misuse, match=told):
        build_spec(given)


@pytest.mark.parametrize(
    "given",
    [
        replace(PLAIN, deals=1000, passes=100_000, concurrency=1_000_000, window=100_000),
        replace(PLAIN, target=1_000_000),
        replace(PLAIN, seed="ünïcødé ♥|x", time=TimeOptions("1h")),
    ],
)
def test_the_most_of_everything_is_allowed(given: SpecOptions) -> None:
    """The largest values that options take are the largest that a server takes."""
    build_spec(given)
