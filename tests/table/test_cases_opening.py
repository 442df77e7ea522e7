"""The table by cases: the opening lead and the first trick. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import cards_of, parse_card
from referee.rules.play import Violation
from referee.table.events import (
    PlayBegan,
)
from referee.table.machine import DecisionKind
from referee.table.observe import observe
from tests.table.players import (
    NO_PASS,
    cards,
    decide,
    play,
    play_trick,
    points,
    rules,
    table_with,
    text_of,
)

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def with_hearts(names: str, size: int = 13) -> str:
    """Return the cards *names*, and hearts that are not among them up to *size* cards in all, two packs' if needed."""
    held = names.split()
    more = [card for card in HEARTS.split() if card not in held]
    return " ".join([*held, *(more * 2)[: size - len(held)]])


@pytest.mark.parametrize(
    ("lead", "held", "legal"),
    [
        ("eldest_lowest_plain", "4C 9C 3D TS 2H", "3D"),
        ("eldest_lowest_per_suit", "4C 9C 3D TS 2H", "4C 3D TS"),
        ("eldest_lowest_plain", "4C 4D TS 2H", "4C 4D"),
        ("eldest_lowest_plain", "QS KS", "KS"),
        ("eldest_lowest_per_suit", "QS KS 9D", "9D KS"),
        ("eldest_lowest_plain", "QS", "QS"),
        ("eldest_lowest_plain", HEARTS, "2H"),
    ],
)
def test_t17_eldest_leads_the_lowest_plain_card(lead: str, held: str, legal: str) -> None:
    """The lowest of all plain cards or of each suit, the queen only if no other is plain; hearts at the very last."""
    table = table_with(rules(opening_lead=lead, **NO_PASS), {1: with_hearts(held)})
    assert table.log[-1] == PlayBegan(1, None)
    assert text_of(table.legal) == legal


def test_t20_the_two_of_clubs_opens() -> None:
    """Its holder after the pass leads it: no other card, and no other seat."""
    table = table_with(rules(), {0: "2C 3C 4C", 1: "5C 6D"})
    assert table.pass_cards(0, cards("2C 3C 4C")) is None
    while table.kind is DecisionKind.PASS:
        decide(table)
    assert table.log[-1] == PlayBegan(1, None)
    assert text_of(table.legal) == "2C"
    others = [card for card in cards_of(table.hands[1]) if card != parse_card("2C")]
    assert {table.play(1, card) for card in others} == {Violation.OPENING_LEAD}
    assert table.play(0, cards_of(table.hands[0])[0]) is Violation.OUT_OF_TURN
    assert table.play(1, parse_card("2C")) is None


def test_t21_the_first_plain_two_from_the_dealers_left_opens() -> None:
    """P1 has only 2H, P2 2D and 2S: P2 leads one of them."""
    table = table_with(rules("hoemke-1333"), {1: "2H", 2: "2D 2S", 0: "2C"})
    assert table.log[-1] == PlayBegan(2, None)
    assert text_of(table.legal) == "2D 2S"


@pytest.mark.parametrize(("scoring", "legal"), [(3, "2C 8S"), (4, "2C 8S"), (1, "2C JD 8S QS"), (2, "2C JD 8S QS")])
def test_t23_who_shows_the_two_of_clubs_leads_what_does_not_score(scoring: int, legal: str) -> None:
    """The deuce is shown to all and may be led; jack and queen only where they score nothing."""
    table = table_with(rules(f"hoemke-143{scoring}"), {2: with_hearts("2C JD QS 5H 8S")})
    assert table.log[-1] == PlayBegan(2, parse_card("2C"))
    assert text_of(table.legal) == legal
    for seat in range(4):
        assert observe(table.log, seat, table.variant)[-1] == PlayBegan(2, parse_card("2C"))


def test_t25_the_card_shown_stays_in_the_hand() -> None:
    """The holder of 2C shows it, leads 8S, and the trick is a trick of spades."""
    table = table_with(rules("hoemke-1433"), {2: "2C JD QS 5H 8S", 3: "3S 3C"})
    assert table.log[-1] == PlayBegan(2, parse_card("2C"))
    play(table, "8S")
    assert table.hands[2] >> parse_card("2C") & 1
    assert table.play(3, parse_card("3C")) is Violation.MUST_FOLLOW_SUIT


@pytest.mark.parametrize(("held", "legal"), [("QS 3H 7D", "7D"), ("QS QS 3H", "QS")])
def test_t26_eldest_of_two_packs_leads_anything_harmless(held: str, legal: str) -> None:
    """Of QS 3H 7D the diamond; of a hand that is all harm, any card."""
    table = table_with(rules("cancellation", 6, **NO_PASS), {1: with_hearts(held, 17)})
    assert table.turn == 1
    assert text_of(table.legal) == (legal if "D" in held else f"QS {HEARTS}")


@pytest.mark.parametrize(
    ("scoring", "held", "legal"),
    [
        pytest.param("black_lady", "QS 5H 9D", "9D", id="t27"),
        pytest.param("black_lady", HEARTS, HEARTS, id="t28"),
        pytest.param("black_lady", f"QS {HEARTS[:-3]}", f"QS {HEARTS[:-3]}", id="t29"),
        pytest.param("black_lady_jd", "QS JD 4H 5H", "JD", id="t30"),
        pytest.param("plain_hearts", "QS JD 4H 5H", "JD QS", id="t30-where-the-queen-is-harmless"),
    ],
)
def test_t27_t28_t29_t30_no_harm_on_the_first_trick_unless_forced(scoring: str, held: str, legal: str) -> None:
    """Void in clubs, a seat keeps hearts and queen back; with nothing else it plays any of them."""
    table = table_with(rules(scoring=scoring, **NO_PASS), {1: "2C", 2: with_hearts(held)})
    play(table, "2C")
    assert table.turn == 2
    assert text_of(table.legal) == legal
    refused = [card for card in cards_of(table.hands[2]) if not table.legal >> card & 1]
    assert {table.play(2, card) for card in refused} <= {Violation.NO_PENALTY_ON_FIRST_TRICK}


def test_t33_a_hand_of_seven_penalty_cards_may_play_any() -> None:
    """With seven players such a hand comes about, and all of it is legal; the trick counts it."""
    table = table_with(rules("classic", 7, **NO_PASS), {1: "2C AC", 2: "QS 2H 5H 7H 9H KH AH"})
    play(table, "2C")
    assert text_of(table.legal) == "QS 2H 5H 7H 9H KH AH"
    play(table, "QS")
    play_trick(table)
    assert sum(points(table, seat) for seat in range(7)) == 13


def test_t34_two_packs_have_no_ban_on_the_first_trick() -> None:
    """Void in clubs, a seat may play QS, 5H or 9D to the opening lead."""
    table = table_with(rules("cancellation", 6, **NO_PASS), {1: "7C", 2: with_hearts("QS 5H 9D", 17)})
    play(table, "7C")
    assert text_of(table.legal) == f"9D QS {HEARTS}"


def test_t35_the_ban_ends_with_the_first_trick() -> None:
    """On trick two, with 7C led, QS, hearts and 9D are all legal, and were not on trick one."""
    table = table_with(rules(**NO_PASS), {1: "2C 7C", 2: with_hearts("2D 9D QS")}, void={0: "C", 3: "C"})
    play(table, "2C")
    assert text_of(table.legal) == "2D 9D"
    play(table, "2D")
    play_trick(table)
    play(table, "7C")
    assert table.trick == 2
    assert table.legal == table.hands[2]
