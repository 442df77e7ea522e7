"""Cases whose answers are known, put to the naive implementation alone."""

from typing import Any

import pytest

from tests.naive.cards import without
from tests.naive.deal import Deal, Refused
from tests.naive.options import Rules, faults, hand_size, pack, resolve
from tests.naive.play import following, leading, opener, opening, winning_place
from tests.naive.scoring import card_points, deal_points, ending, places, shooter

S3, S4 = "hoemke-1223", "hoemke-1224"
HEARTS = [rank + "H" for rank in "23456789TJQKA"]


def rules(preset: str = "standard", players: int = 4, **options: Any) -> Rules:  # noqa: ANN401
    """Return a whole rule set."""
    return resolve({"preset": preset, "players": players} | options)


@pytest.mark.parametrize(
    ("preset", "players", "size", "left"),
    [
        *[("classic", players, size, 0) for players, size in zip(range(3, 8), (17, 13, 10, 8, 7), strict=True)],
        *[
            ("cancellation", players, size, left)
            for players, size, left in zip(range(6, 12), (17, 14, 13, 11, 10, 9), (2, 6, 0, 5, 4, 5), strict=True)
        ],
    ],
)
def test_hands_and_kitty_have_the_known_sizes(preset: str, players: int, size: int, left: int) -> None:
    """Cases T01 to T05."""
    given = rules(preset, players)
    assert not faults(given)
    assert (hand_size(given), len(pack(given)) - players * size) == (size, left)


@pytest.mark.parametrize(
    ("given", "hand", "legal"),
    [
        (rules("hoemke-1111"), "4C 9C 3D TS 2H", "3D"),
        (rules("hoemke-1111", opening_lead="eldest_lowest_per_suit"), "4C 9C 3D TS 2H", "4C 3D TS"),
        (rules("hoemke-1111"), "4C 4D TS 2H", "4C 4D"),
        (rules("hoemke-1113"), "QS KS 5H", "KS"),
        (rules("hoemke-1113"), "QS 5H", "QS"),
        (rules("hoemke-1111"), "5H 9H", "5H"),
        (rules("hoemke-1323"), "2D 2S 3C", "2D 2S"),
        (rules("hoemke-1423"), "2C JD QS 5H 8S", "2C 8S"),
        (rules("hoemke-1421"), "2C JD QS 5H 8S", "2C JD QS 8S"),
        (rules("cancellation", 6), "QS 3H 7D", "7D"),
        (rules("cancellation", 6), "QS QS 3H", "QS QS 3H"),
    ],
)
def test_opening_cards(given: Rules, hand: str, legal: str) -> None:
    """Cases T17 to T26, and what B2 and B3 settle."""
    assert opening(given, hand.split()) == legal.split()


@pytest.mark.parametrize(
    ("given", "trick", "hand", "legal"),
    [
        (rules(), 1, "QS 5H 9D", "9D"),
        (rules(), 1, "QS 5H 9H", "QS 5H 9H"),
        (rules(S3), 1, "QS JD 4H 5H", "JD"),
        (rules("cancellation", 6), 1, "QS 5H 9D", "QS 5H 9D"),
        (rules(), 2, "QS 5H 9D", "QS 5H 9D"),
        (rules(), 2, "QS 5H 9C", "9C"),
    ],
)
def test_cards_that_follow_the_seven_of_clubs(given: Rules, trick: int, hand: str, legal: str) -> None:
    """Cases T27 to T35."""
    assert following(given, hand.split(), "7C", trick) == legal.split()


@pytest.mark.parametrize(
    ("given", "earlier", "legal"),
    [
        (rules("hoemke-1211"), "2C", "5H 6D"),
        (rules(), "QS", "6D"),
        (rules("classic"), "QS", "5H 6D"),
        (rules(), "2C 5H", "5H 6D"),
        (rules("hoemke-1231"), "2C,3C 5H", "6D"),
        (rules("hoemke-1231"), "2C,3C,4C", "5H 6D"),
        (rules("hoemke-1241"), "2C,3D,4D 5S,6D", "6D"),
        (rules("hoemke-1241"), "2C,3D,4D,6C", "5H 6D"),
        (rules("hoemke-1241"), "2C,3D,4S", "5H 6D"),
    ],
)
def test_leads_after_earlier_tricks(given: Rules, earlier: str, legal: str) -> None:
    """Cases T36 to T41: who holds 5H and 6D leads after tricks of which only the first cards are written."""
    tricks = [trick.split() for trick in earlier.split(",")]
    assert leading(given, ["5H", "6D"], tricks) == legal.split()


def test_the_opener_holds_the_card_asked_for() -> None:
    """Cases T02 and T21: the lowest club in the pack, or the first plain two from the dealer's left."""
    assert opener(rules("classic", 5), 0, [["4C"], ["5D"], ["3C"], ["2S"], ["AC"]]) == 2
    assert opener(rules("hoemke-1311"), 0, [["2C"], ["2H"], ["2D", "2S"], ["9C"]]) == 2


@pytest.mark.parametrize(
    ("cards", "place"),
    [
        ("JC TC 9C 8C 4C JC", 1),
        ("JC JC TC TC 9C 9C", None),
        ("9C 9C AS KH QD 2D", None),
        ("5C KH KH 3C 2C 4D", 0),
    ],
)
def test_winners_of_tricks_with_twins(cards: str, place: int | None) -> None:
    """Cases T73 to T76."""
    assert winning_place(rules("cancellation", 6), cards.split()) == place


@pytest.mark.parametrize(
    ("scheme", "cards", "points"),
    [
        ("plain_hearts", "2H AH QS JD", 2),
        ("honours_5", "2H 3H 4H 5H 6H 7H 8H 9H TH", 9),
        ("honours_5", "JH QH KH AH", 20),
        ("honours_5", "QS JD TH", 1),
        ("black_lady_jd", "JD", -10),
        ("black_lady_jd", "AH QS JD", 4),
        ("two_free_double_jd", "2H 3H 4H", 2),
        ("two_free_double_jd", "2H QS", 13),
    ],
)
def test_points_of_cards(scheme: str, cards: str, points: int) -> None:
    """Cases T50 to T52."""
    assert card_points(scheme, cards.split()) == points


@pytest.mark.parametrize(
    ("given", "taken", "moon", "points"),
    [
        (rules(), [[*HEARTS, "QS"], [], [], []], "others_plus", [0, 26, 26, 26]),
        (rules(), [[*HEARTS, "QS"], [], [], []], "self_minus", [-26, 0, 0, 0]),
        (rules(S3), [[*HEARTS, "QS"], ["JD"], [], []], None, [26, -10, 0, 0]),
        (rules(S3), [[*HEARTS, "QS", "JD"], [], [], []], "others_plus", [0, 26, 26, 26]),
        (rules(S3, moon_needs_jd=False), [[*HEARTS, "QS"], ["JD"], [], []], "others_plus", [0, 16, 26, 26]),
        (rules("hoemke-1222"), [HEARTS, ["QS", "JD"], [], []], "others_plus", [0, 26, 26, 26]),
        (rules("cancellation", 6), [[*HEARTS * 2, "QS", "QS"], *[[]] * 5], "others_plus", [0, *[26] * 5]),
        (rules("cancellation", 6), [[*HEARTS * 2, "QS"], *[[]] * 5], None, [39, 0, 0, 0, 0, 0]),
    ],
)
def test_moons(given: Rules, taken: list[list[str]], moon: str | None, points: list[int]) -> None:
    """Cases T56 to T63, and that a dead card leaves no moon."""
    assert shooter(given, taken) == (None if moon is None else 0)
    assert deal_points(given, taken, moon) == points


def test_ends_and_places() -> None:
    """Cases T67, T70 and T72."""
    assert ending(rules(), 5, [100, 60, 50, 74]) == "target"
    assert places([100, 60, 50, 74]) == [4, 2, 1, 3]
    assert ending(rules(), 5, [104, 40, 40, 76]) == "target"
    assert places([104, 40, 40, 76]) == [4, 1, 1, 3]
    assert ending(rules(tie_for_lowest="play_on"), 5, [104, 40, 40, 76]) is None
    assert ending(rules(tie_for_lowest="play_on"), 200, [104, 40, 40, 76]) == "max_deals"
    assert ending(rules("cancellation", 6), 5, [149, 0, 0, 0, 0, 0]) is None
    assert ending(rules("cancellation", 6), 6, [151, 0, 0, 0, 0, 0]) == "target"


def test_a_card_passed_is_given_back_to_its_passer() -> None:
    """Cases T11 and T12."""
    given = rules("hoemke-3223")
    first = ["AS", "KS", "QS", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH"]
    rest = without(pack(given), first)
    deal = Deal(given, 1, 3, [first, rest[:13], rest[13:26], rest[26:]], [])
    deal.give(0, ["AS", "KS", "QS", "2H"])
    for seat in (1, 2, 3):
        deal.give(seat, deal.hands[seat][:4])
    with pytest.raises(Refused):
        deal.give_back(1, next(card for card in deal.hands[1] if card not in deal.received[1]))
    deal.give_back(1, "2H")
    for seat in (0, 2, 3):
        deal.give_back(seat, deal.received[seat][0])
    assert "2H" in deal.hands[0]
    assert {"AS", "KS", "QS"} <= set(deal.hands[1])
    assert [len(hand) for hand in deal.hands] == [13] * 4
