"""The law of play, case by case. Names begin with the number of the case where it has one."""

from __future__ import annotations

import pytest

from referee.rules.cards import CLUBS, EMPTY, HEARTS, SPADES, Card, Hand
from referee.rules.play import Law, Violation, law_of
from referee.rules.presets import resolve
from tests.rules.driver import card, cards, faces, hand

QUIET = (1, 0, 0, 0)
"""One club lead so far."""


def law(preset: str = "standard", players: int | None = None, **overrides: object) -> Law:
    """Return the law of a preset with overrides."""
    return law_of(resolve(preset, players=players, overrides=overrides))


def hoemke(*, lead: int = 2, hearts: int = 2, scoring: int = 3) -> Law:
    """Return the law of one of the 256 variants."""
    return law(f"hoemke-2{lead}{hearts}{scoring}")


def opens(law: Law, held: str) -> list[Card]:
    """Return what may open the deal from the hand *held*."""
    return faces(law.legal(hand(held), -1, 1, False))


def follows(law: Law, held: str, led: int, trick: int) -> list[Card]:
    """Return what may be played to a lead of suit *led*."""
    return faces(law.legal(hand(held), led, trick, False))


def leads(law: Law, held: str, trick: int, played: str = "2C", led: tuple[int, ...] = QUIET) -> list[Card]:
    """Return what may be led to *trick* after the cards *played* and the suits *led*."""
    is_open = law.hearts_open(trick, sum(1 << card for card in set(cards(played))), led)
    return faces(law.legal(hand(held), -1, trick, is_open))


def some(names: str) -> list[Card]:
    """Return the cards that *names* lists, ascending."""
    return sorted(cards(names))


def hands_of(*held: str) -> list[Hand]:
    """Return the hands that are listed, seat by seat."""
    return [hand(names) for names in held]


def test_t17_eldest_leads_the_lowest_plain_card() -> None:
    """The lowest of all plain cards, one of several of equal rank, or the lowest of each suit under the other rule."""
    assert opens(hoemke(lead=1), "4C 9C 3D TS 2H") == some("3D")
    assert opens(hoemke(lead=1), "4C 4D TS 2H") == some("4C 4D")
    assert opens(hoemke(lead=1), "2C 2S 5D 2H") == some("2C 2S")
    assert opens(hoemke(lead=1), "AC KS KD 2H") == some("KD KS")
    assert opens(law(opening_lead="eldest_lowest_per_suit"), "4C 9C 3D TS 2H") == some("4C 3D TS")


def test_eldest_drops_harmful_cards_before_looking_for_the_lowest() -> None:
    """The queen is led only if there is nothing else plain, and a heart only from hearts alone."""
    for allowed in ("allowed", "barred_unless_forced"):
        lowest = law(opening_lead="eldest_lowest_plain", first_trick_penalty=allowed)
        assert opens(lowest, "QS KS 2H 3H") == some("KS")
        assert opens(lowest, "QS 2H 3H") == some("QS")
        assert opens(lowest, "5H 3H AH") == some("3H")
        per_suit = law(opening_lead="eldest_lowest_per_suit", first_trick_penalty=allowed)
        assert opens(per_suit, "QS 4C 2H") == some("4C")
        assert opens(per_suit, "QS 2H") == some("QS")
        assert opens(per_suit, "5H 3H") == some("3H")
    assert opens(hoemke(lead=1, scoring=1), "QS KS 2H") == some("QS"), "the queen is harmless where it scores nothing"


def test_t20_the_low_club_opens() -> None:
    """Only the two of clubs may be led, and only its holder leads."""
    assert opens(law(), "2C 5C KC 3D 4D 9S TS AS 2H 3H 4H 5H AH") == some("2C")
    assert law().opener(hands_of("3C 4C", "5C AH", "2C AS", "6C QS"), 0) == 2


def test_t02_the_three_of_clubs_opens_with_five_players() -> None:
    """The lowest club that is in the pack opens where the deuce is stripped."""
    five = law("classic", players=5)
    assert five.opener(hands_of("4C 2S", "3S 4S", "3H 4H", "3C AC", "AS AH"), 1) == 3
    assert opens(five, "3C AC 2H") == some("3C")


def test_the_lowest_club_dealt_opens_when_the_kitty_has_the_deuce() -> None:
    """With a kitty the deuce may lie there; then the next club opens."""
    kitty = law("classic", players=5, stripped=[], kitty="first_trick_winner")
    assert kitty.opener(hands_of("5C 2S", "3S 4S", "4C 4H", "6C AC", "AS AH"), 1) == 2


def test_t21_the_first_plain_two_from_the_dealers_left_opens() -> None:
    """Hearts do not count, the dealer comes last, and of several twos any may be led."""
    twos = hoemke(lead=3)
    assert twos.opener(hands_of("2C 3C", "2H 3H", "2D 2S", "5C 6C"), 0) == 2
    assert twos.opener(hands_of("2C 2D 2S", "2H 3H", "3D 3S", "5C 6C"), 0) == 0
    assert opens(twos, "2D 2S 5C AH") == some("2D 2S")
    for two in ("2C", "2D", "2S"):
        assert twos.opener(hands_of("3C", "4C", "5C", two), 0) == 3
        assert opens(twos, f"{two} 3C 4S AH") == some(two)


def test_t23_t25_who_shows_the_two_of_clubs_leads_any_card_that_does_not_score() -> None:
    """Jack and queen are barred where they score; the deuce itself may be led."""
    show = hoemke(lead=4, scoring=3)
    assert show.shows_two_of_clubs
    assert show.opener(hands_of("3C", "4C", "2C", "5C"), 0) == 2
    assert opens(show, "2C JD QS 5H 8S") == some("2C 8S")
    assert opens(hoemke(lead=4, scoring=1), "2C JD QS 5H 8S") == some("2C JD QS 8S")
    assert not law().shows_two_of_clubs


def test_t26_eldest_of_two_packs_leads_anything_harmless() -> None:
    """Any harmless card, and any card at all from a hand that has none."""
    eldest = law("cancellation", players=6)
    assert eldest.opener(hands_of("2C", "3C", "4C", "5C", "6C", "7C"), 4) == 5
    assert eldest.opener(hands_of("2C", "3C", "4C", "5C", "6C", "7C"), 5) == 0
    assert opens(eldest, "QS 3H 7D") == some("7D")
    assert opens(eldest, "QS QS 3H") == some("QS 3H")


@pytest.mark.parametrize(
    ("held", "legal"),
    [
        pytest.param("QS 5H 9D", "9D", id="t27"),
        pytest.param("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", id="t28"),
        pytest.param("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QS", "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", id="t29"),
        pytest.param("QS 5H 9C", "9C", id="follows"),
    ],
)
def test_t27_t28_t29_no_harmful_card_on_the_first_trick_unless_forced(held: str, legal: str) -> None:
    """A seat without clubs keeps hearts and queen back, if it has anything else."""
    assert follows(law(), held, CLUBS, 1) == some(legal)


def test_t30_the_jack_is_not_harmful() -> None:
    """Where the jack scores it may still go on the first trick, and must before a harmful card."""
    assert follows(hoemke(scoring=3), "QS JD 4H 5H", CLUBS, 1) == some("JD")
    assert follows(hoemke(scoring=1), "QS JD 4H 5H", CLUBS, 1) == some("QS JD")


def test_t33_a_small_hand_of_penalty_cards_may_play_any() -> None:
    """With seven players a hand may hold nothing else, and then all of it is legal."""
    seven = "QS 2H 5H 7H 9H KH AH"
    assert follows(law("classic", players=7), seven, CLUBS, 1) == some(seven)


def test_t34_two_packs_have_no_ban_on_the_first_trick() -> None:
    """Only the opening lead is restricted there."""
    assert follows(law("cancellation", players=6), "QS 5H 9D", CLUBS, 1) == some("QS 5H 9D")


def test_t35_the_ban_is_for_the_first_trick_only() -> None:
    """From the second trick on a seat without the suit plays what it likes."""
    assert follows(law(), "QS 5H 9D", CLUBS, 2) == some("QS 5H 9D")


def test_the_ban_binds_those_who_follow_suit_too() -> None:
    """On a spade lead in trick one the queen stays back beside another spade, and falls when alone."""
    assert follows(hoemke(lead=4), "QS 5S 9D", SPADES, 1) == some("5S")
    assert follows(hoemke(lead=4), "QS 9D 3H", SPADES, 1) == some("QS")


def test_t36_hearts_may_be_led_from_trick_two() -> None:
    """Under the first rule of leading hearts nothing need have been played."""
    assert leads(hoemke(hearts=1), "5H 6D", 2) == some("5H 6D")


def test_t37_whether_the_queen_breaks_hearts() -> None:
    """Not in `standard`; in `classic` and with two packs she does."""
    for strict in (hoemke(), law()):
        assert leads(strict, "5H 6D", 5, played="2C QS") == some("6D")
    for loose in (law("classic"), law("cancellation", players=6)):
        assert leads(loose, "5H 6D", 5, played="2C QS") == some("5H 6D")
        assert leads(loose, "5H 6D", 5, played="2C AS") == some("6D")


def test_t38_a_discarded_heart_breaks_hearts() -> None:
    """A heart played to an earlier trick opens them, led or not."""
    assert leads(hoemke(), "5H 6D", 3, played="2C 9H") == some("5H 6D")


def test_t39_only_the_count_of_tricks_matters_after_trick_three() -> None:
    """Closed on trick three although a heart was played, open on trick four although none was."""
    assert leads(hoemke(hearts=3), "5H 6D", 3, played="2C 9H") == some("6D")
    assert leads(hoemke(hearts=3), "5H 6D", 4) == some("5H 6D")


@pytest.mark.parametrize(
    ("led", "expected"),
    [
        pytest.param((1, 1, 0, 0), "6D", id="t41-spades-never-led"),
        pytest.param((1, 1, 1, 0), "5H 6D", id="each-led-once"),
        pytest.param((2, 2, 0, 0), "5H 6D", id="two-led-twice"),
        pytest.param((2, 0, 3, 0), "5H 6D", id="two-led-at-least-twice"),
        pytest.param((9, 1, 0, 0), "6D", id="one-led-often"),
        pytest.param((2, 0, 0, 2), "6D", id="hearts-do-not-count"),
    ],
)
def test_t41_hearts_open_by_suits_led(led: tuple[int, ...], expected: str) -> None:
    """Each plain suit once, or two of them twice; discards do not matter, and heart leads neither."""
    assert leads(hoemke(hearts=4), "5H 6D", sum(led) + 1, played="2C 3S 4S 5S 9H", led=led) == some(expected)


@pytest.mark.parametrize("hearts", [1, 2, 3, 4])
def test_t42_a_hand_of_hearts_may_lead_them(hearts: int) -> None:
    """Whatever the rule, a seat that has only hearts leads one."""
    assert leads(hoemke(hearts=hearts), "5H 9H", 2) == some("5H 9H")
    assert leads(law("classic"), "5H 9H", 2) == some("5H 9H")


def test_t44_the_queen_may_be_led_at_any_time() -> None:
    """After trick one she is a card like any other to lead."""
    assert leads(law("classic"), "QS 9H 4D", 2) == some("QS 4D")


def test_the_queen_must_be_led_before_a_closed_heart_unless_the_rule_lets_her_off() -> None:
    """With hearts and the queen alone, the wider escape makes hearts legal, with two queens too."""
    assert leads(law(), "QS 5H", 2) == some("QS")
    wide = law(lead_escape="only_hearts_or_qs")
    assert leads(wide, "QS 5H", 2) == some("QS 5H")
    assert leads(wide, "QS KS 5H", 2) == some("QS KS")
    assert leads(law("cancellation", players=6, lead_escape="only_hearts_or_qs"), "QS QS 5H", 2) == some("QS 5H")


@pytest.mark.parametrize(
    ("held", "led", "trick", "choice", "why"),
    [
        ("2C 3C AH", -1, 1, "3C", Violation.OPENING_LEAD),
        ("2C 3C AH", -1, 1, "4C", Violation.NOT_IN_HAND),
        ("3C AH 4D", CLUBS, 1, "AH", Violation.MUST_FOLLOW_SUIT),
        ("AH 4D", CLUBS, 1, "AH", Violation.NO_PENALTY_ON_FIRST_TRICK),
        ("AH 4D", -1, 2, "AH", Violation.HEARTS_CLOSED),
        ("AH 4D", HEARTS, 2, "4D", Violation.MUST_FOLLOW_SUIT),
        ("AH 4D", -1, 2, "4D", None),
    ],
)
def test_a_violation_says_which_rule_was_broken(
    held: str, led: int, trick: int, choice: str, why: Violation | None
) -> None:
    """The first restriction that rules the card out is named; a legal card breaks none."""
    assert law().violation(hand(held), led, trick, False, card(choice)) is why


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_a_number_that_is_no_card_is_not_in_the_hand(number: int) -> None:
    """Any number may come from a bot; those that are no card are refused like a card not held."""
    assert law().violation(hand("2C 3C"), -1, 1, False, Card(number)) is Violation.NOT_IN_HAND


def test_second_copies_do_not_show_in_legal_faces() -> None:
    """With two packs a face held twice is one legal card, and a copy left may still be played."""
    two = law("cancellation", players=6)
    assert follows(two, "9C 9C 5D", CLUBS, 3) == some("9C")
    assert two.violation(hand("9C 9C 5D"), CLUBS, 3, False, card("9C")) is None
    for number in (52, 53):
        assert two.violation(hand("2C 2C 3C 3C"), CLUBS, 3, False, Card(number)) is Violation.NOT_IN_HAND
    assert two.legal(EMPTY, CLUBS, 3, False) == EMPTY


def test_a_law_is_compiled_once() -> None:
    """Equal rule sets share their law."""
    assert law_of(resolve("standard")) is law_of(resolve("standard"))


@pytest.mark.parametrize(
    ("held", "led", "trick", "why"),
    [
        ("QS 5H 9D", CLUBS, 1, [Violation.MUST_FOLLOW_SUIT]),
        ("QS 5H", CLUBS, 1, [Violation.MUST_FOLLOW_SUIT, Violation.NO_PENALTY_ON_FIRST_TRICK]),
        ("QS", SPADES, 1, [Violation.NO_PENALTY_ON_FIRST_TRICK]),
        ("QS 5S", SPADES, 1, []),
        ("5H 9H", -1, 2, [Violation.HEARTS_CLOSED]),
        ("5H 9D", -1, 2, []),
        ("3C 5H", CLUBS, 2, []),
        ("2C", -1, 1, []),
        ("3D", -1, 1, [Violation.OPENING_LEAD]),
    ],
)
def test_restrictions_that_leave_nothing_do_not_bind(held: str, led: int, trick: int, why: list[Violation]) -> None:
    """They are told apart from those that bind, each for what is left by those before it."""
    assert list(law().waived(hand(held), led, trick, False)) == why


def test_a_leader_is_held_back_by_the_rule_of_the_opening_alone() -> None:
    """Of harm alone, that rule is waived; the ban on the first trick is for those who follow."""
    barred = law("cancellation", players=6, first_trick_penalty="barred_unless_forced")
    assert barred.waived(hand("QS 3H"), -1, 1, False) == (Violation.OPENING_LEAD,)
    assert barred.waived(hand("QS 3H"), CLUBS, 1, False) == (
        Violation.MUST_FOLLOW_SUIT,
        Violation.NO_PENALTY_ON_FIRST_TRICK,
    )
