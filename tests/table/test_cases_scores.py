"""The table by cases: points, the moon, and the end of a game. Ids are those of the rule book."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules.cards import card_name
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect, Termination
from referee.table.events import (
    DealEnded,
    GameEnded,
)
from referee.table.machine import DecisionKind, Need, Table
from referee.table.substitute import substitute_moon, substitute_play
from tests.table.players import (
    FREE,
    NO_PASS,
    cards,
    finish,
    play,
    play_trick,
    points,
    rules,
    table_with,
    text_of,
)

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
PLAIN, HONOURS, WITH_JACK, TWO_FREE = "plain_hearts", "honours_5", "black_lady_jd", "two_free_double_jd"


@pytest.mark.parametrize(
    ("scoring", "trick", "cost"),
    [
        pytest.param(PLAIN, "AH 2H QS JD", 2, id="t50"),
        pytest.param(HONOURS, "TH QS JD 2C", 1, id="t51-no-queen"),
        pytest.param(WITH_JACK, "AD JD 2D 3D", -10, id="t52-jack"),
        pytest.param(WITH_JACK, "AH QS JD 2C", 4, id="t52-all-three"),
        pytest.param(WITH_JACK, "2H QS 2C 3C", 14, id="t52-queen"),
    ],
)
def test_t50_t51_t52_what_a_trick_costs(scoring: str, trick: str, cost: int) -> None:
    """The leader takes the trick, and it costs what the scheme says."""
    led = trick[1]
    own = [card for card in (HEARTS if led == "H" else HEARTS.replace("H", "D")).split() if card not in trick]
    void = {seat: led for seat, card in zip((2, 3, 0), trick.split()[1:], strict=True) if card[1] != led}
    hands = dict(zip((1, 2, 3, 0), trick.split(), strict=True))
    free = rules(scoring=scoring, hearts_lead="after_trick_1", **FREE)
    table = table_with(free, hands | {1: " ".join([trick[:2], *own, "AC"][:13])}, void=void)
    if trick[:2] not in text_of(table.legal):
        play(table, "AC")
        play_trick(table)
    play(table, trick)
    assert table.turn == 1
    assert points(table, 1) == cost


def test_t51_small_hearts_one_each_and_honours_five() -> None:
    """Deuce to ten of hearts count 9 together, the four honours 20."""
    hands = {1: "AC 2H 6H TH JH QH KH AH", 2: "5H 9H", 3: "4H 8H", 0: "3H 7H"}
    table = table_with(rules(scoring=HONOURS, hearts_lead="after_trick_1", **FREE), hands)
    play(table, "AC")
    play_trick(table)
    play(table, "TH 9H 8H 7H 6H 5H 4H 3H 2H")
    play_trick(table)
    assert points(table, 1) == 9
    for honour in ("JH", "QH", "KH", "AH"):
        play(table, honour)
        play_trick(table)
    assert points(table, 1) == 29


def test_t55_totals_may_fall_below_nought() -> None:
    """A total of 8 and a deal of -10 make -2."""
    hands = {1: "AD 2C 3C 4C 5C 6C 7C 2S 3S 4S 5S 6S 7S", 2: "JD 8C", 3: "9C", 0: "TC"}
    table = table_with(rules(scoring=WITH_JACK, **FREE), hands, void={2: "D"}, totals=(0, 8, 0, 0))
    play(table, "AD JD")
    play_trick(table)
    play(table, "2C")
    finish(table)
    ended = table.log[-1]
    assert isinstance(ended, DealEnded)
    assert ended.points[1] == -10
    assert sum(ended.points) == 16
    assert ended.totals[1] == -2


def moon_table(
    preset: str = "standard", shooter: int = 1, totals: tuple[int, ...] | None = None, **overrides: object
) -> Table:
    """Return a table at which *shooter* has just taken every trick: thirteen clubs against three voids."""
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    options: dict[str, Any] = NO_PASS | overrides
    table = table_with(rules(preset, 4, **options), {shooter: clubs}, totals=totals)
    while table.turn >= 0:
        play(table, card_name(substitute_play(table)))
    return table


def test_t56_a_moon_gives_the_others_26() -> None:
    """All hearts and the queen: nothing for the shooter, 26 for everybody else."""
    ended = moon_table().log[-1]
    assert ended == DealEnded((26, 0, 26, 26), (26, 0, 26, 26), 1, MoonEffect.OTHERS_PLUS)


def test_t57_a_moon_may_be_taken_off_the_shooter() -> None:
    """With `self_minus` the shooter gets -26 and nobody else anything."""
    assert moon_table(moon_effect="self_minus").totals == (0, -26, 0, 0)


def test_t57_the_shooter_chooses() -> None:
    """With the choice, the deal is scored only when the shooter has chosen, and as chosen."""
    table = moon_table("classic")
    assert (table.kind, table.to_act, table.needs) == (DecisionKind.MOON, (1,), None)
    assert table.choose_moon(0, MoonEffect.SELF_MINUS) is Violation.OUT_OF_TURN
    assert table.choose_moon(1, MoonEffect.SELF_MINUS) is None
    assert table.totals == (0, -26, 0, 0)
    assert table.choose_moon(1, MoonEffect.SELF_MINUS) is Violation.WRONG_DECISION


def kept_from_the_shooter(scoring: str, kept: str, **overrides: object) -> DealEnded:
    """Return the score of a deal in which P1 takes all hearts and the queen but what is *kept*, which P2 takes last."""
    hands = {1: "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2D", 2: "JD", 3: "2C"}
    options: dict[str, Any] = FREE | overrides
    table = table_with(rules(scoring=scoring, **options), hands | {0: "3D", 3: "2C QS 4D"})
    finish(table, keep=f"2D 3D {kept}")
    ended = table.log[-1]
    assert isinstance(ended, DealEnded)
    return ended


def test_t58_the_moon_needs_the_jack_where_it_scores() -> None:
    """Hearts and queen without JD: 26/-10/0/0; with it 0/26/26/26."""
    without = kept_from_the_shooter(WITH_JACK, "JD 4D")
    assert (without.points, without.shooter) == ((0, 26, -10, 0), None)
    assert moon_table(scoring=WITH_JACK).totals == (26, 0, 26, 26)
    loose = kept_from_the_shooter(WITH_JACK, "JD 4D", moon_needs_jd=False)
    assert (loose.points, loose.shooter) == ((26, 0, 16, 26), 1)


@pytest.mark.parametrize("scoring", [PLAIN, HONOURS])
def test_t59_t60_thirteen_hearts_are_the_moon_where_only_hearts_count(scoring: str) -> None:
    """Queen and jack with others change nothing, and the moon is worth 26 whatever the hearts count."""
    ended = kept_from_the_shooter(scoring, "JD QS")
    assert ended == DealEnded((26, 0, 26, 26), (26, 0, 26, 26), 1, MoonEffect.OTHERS_PLUS)


def test_t62_a_moon_among_five() -> None:
    """Four others get 26 each."""
    variant = rules("classic", 5, moon_effect="others_plus", **NO_PASS)
    table = table_with(variant, {2: "5C 6C 7C 8C 9C TC JC QC KC AC", 3: "3C", 4: "4C"})
    finish(table)
    assert table.totals == (26, 26, 0, 26, 26)


MOON_OF_TWO_PACKS = "AC AC KC KC QC QC JC JC TC TC 9C 9C 8C 8C 7C 7C 6C"


@pytest.mark.parametrize(
    ("effect", "totals"),
    [(MoonEffect.OTHERS_PLUS, (26, 0, 26, 26, 26, 26)), (MoonEffect.SELF_MINUS, (0, -26, 0, 0, 0, 0))],
)
def test_t63_a_moon_of_two_packs(effect: MoonEffect, totals: tuple[int, ...]) -> None:
    """26 hearts and both queens: 26 for the others or 26 off, never 52."""
    table = table_with(rules("cancellation", 6, **NO_PASS), {1: MOON_OF_TWO_PACKS})
    assert table.kitty == cards("AH AH"), "two of the 26 are never played: their taker has them all the same"
    finish(table)
    assert (table.kind, table.to_act) == (DecisionKind.MOON, (1,))
    assert table.choose_moon(1, effect) is None
    assert table.totals == totals


def test_t63_with_a_dead_heart_there_is_no_moon() -> None:
    """The last trick has no winner and a heart in it: 25 hearts and both queens cost 51."""
    hands = {1: MOON_OF_TWO_PACKS.replace("6C", "5D"), 2: "AH", 3: "5D", 4: "AS", 5: "AS", 0: "KS KS"}
    table = table_with(rules("cancellation", 6, **NO_PASS), hands)
    finish(table, keep="5D AH AS KS")
    assert sorted(table.carry) == sorted(cards("5D 5D AH AS AS KS"))
    ended = table.log[-1]
    assert isinstance(ended, DealEnded)
    assert (ended.points, ended.shooter, ended.moon) == ((0, 51, 0, 0, 0, 0), None, None)


@pytest.mark.parametrize(
    ("effect", "totals", "over"),
    [(MoonEffect.OTHERS_PLUS, (106, 90, 76, 76), True), (MoonEffect.SELF_MINUS, (80, 64, 50, 50), False)],
)
def test_the_choice_decides_whether_the_game_ends(effect: MoonEffect, totals: tuple[int, ...], over: bool) -> None:
    """The end is asked for when the shooter has chosen: not by the 26 points of the cards, which would be over 100."""
    table = moon_table("classic", totals=(80, 90, 50, 50))
    assert (table.over, table.kind, table.totals) == (False, DecisionKind.MOON, (80, 90, 50, 50))
    assert table.choose_moon(1, effect) is None
    assert (table.totals, table.over) == (totals, over)
    if over:
        assert table.log[-1] == GameEnded(Termination.TARGET, (4, 3, 1, 1), totals)


def test_t66_a_nonsense_choice_is_refused_and_the_substitute_is_others_plus() -> None:
    """What is no effect changes nothing; the substitute gives the others 26."""
    table = moon_table("classic")
    assert table.choose_moon(1, MoonEffect.SHOOTER_CHOICE) is Violation.NOT_A_MOON_EFFECT
    assert table.kind is DecisionKind.MOON
    assert table.choose_moon(1, substitute_moon(table)) is None
    assert table.totals == (26, 0, 26, 26)


def test_t67_the_game_ends_when_a_total_reaches_the_target() -> None:
    """100/60/50/74 with target 100: over, and P2 has won."""
    table = moon_table(shooter=2, totals=(74, 34, 50, 48))
    assert table.over
    assert table.log[-1] == GameEnded(Termination.TARGET, (4, 2, 1, 3), (100, 60, 50, 74))
    assert (table.kind, table.needs, table.to_act) == (None, None, ())


def test_t70_a_tie_for_the_lowest_total_is_shared_or_played_on() -> None:
    """104/40/40/76: two winners; with `play_on` another deal is needed."""
    shared = moon_table(totals=(78, 40, 14, 50))
    assert shared.log[-1] == GameEnded(Termination.TARGET, (4, 1, 1, 3), (104, 40, 40, 76))
    on = moon_table(totals=(78, 40, 14, 50), tie_for_lowest="play_on")
    assert (on.over, on.needs, on.number) == (False, Need.DEAL, 2)


@pytest.mark.parametrize(
    ("preset", "had", "over"), [("classic", 24, True), ("classic", 23, False), ("two", 123, False), ("two", 125, True)]
)
def test_t72_the_target_is_reached_or_passed(preset: str, had: int, over: bool) -> None:
    """At 50 a game to 50 is over; with two packs it goes on at 149 and is over at 151."""
    if preset == "classic":
        table = moon_table("classic", totals=(had, 0, 0, 0), target=50)
    else:
        totals = (had, 0, 0, 0, 0, 0)
        table = table_with(rules("cancellation", 6, **NO_PASS), {1: MOON_OF_TWO_PACKS}, totals=totals)
        finish(table)
    assert table.choose_moon(1, MoonEffect.OTHERS_PLUS) is None
    assert table.totals[0] == had + 26
    assert table.over is over
    assert table.needs is (None if over else Need.DEAL)
