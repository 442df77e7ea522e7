"""Which cards may be played, and who wins a trick."""

from collections.abc import Sequence

from tests.naive.cards import (
    PLAIN_SUITS,
    contains,
    hearts,
    is_harmful,
    is_scoring,
    lowest,
    non_hearts,
    of_suit,
    rank,
    suit,
)
from tests.naive.options import Rules


def opener(rules: Rules, dealer: int, hands: Sequence[Sequence[str]]) -> int:
    """Return the seat that leads the first trick."""
    from_left = [(dealer + step) % len(hands) for step in range(1, len(hands) + 1)]
    lead = rules["opening_lead"]
    if lead.startswith("eldest"):
        return from_left[0]
    if lead == "low_club":
        wanted = lowest(of_suit([card for hand in hands for card in hand], "C"))
    elif lead == "first_plain_two":
        wanted = ["2C", "2D", "2S"]
    else:
        wanted = ["2C"]
    return next(seat for seat in from_left if any(card in hands[seat] for card in wanted))


def opening(rules: Rules, hand: Sequence[str]) -> list[str]:  # noqa: PLR0911 -- one answer per option
    """Return the cards with which the opener may lead the first trick."""
    lead, scoring = rules["opening_lead"], rules["scoring"]
    harmless = [card for card in hand if not is_harmful(card, scoring)]
    if lead == "low_club":
        return lowest(of_suit(hand, "C"))
    if lead == "first_plain_two":
        return [card for card in hand if card in ("2C", "2D", "2S")]
    if lead == "show_2c_any_nonscoring":
        return [card for card in hand if not is_scoring(card, scoring)]
    if lead == "eldest_any_nonpenalty":
        return harmless or list(hand)
    plain = harmless or non_hearts(hand)
    if not plain:
        return lowest(hand)
    if lead == "eldest_lowest_plain":
        return lowest(plain)
    return [card for letter in PLAIN_SUITS if of_suit(plain, letter) for card in lowest(of_suit(plain, letter))]


def following(rules: Rules, hand: Sequence[str], led: str, trick: int) -> list[str]:
    """Return the cards that may be put on a trick led with this card; tricks count from 1."""
    choice = of_suit(hand, suit(led)) or list(hand)
    if trick == 1 and rules["first_trick_penalty"] == "barred_unless_forced":
        return [card for card in choice if not is_harmful(card, rules["scoring"])] or choice
    return choice


def leading(rules: Rules, hand: Sequence[str], earlier: Sequence[Sequence[str]]) -> list[str]:
    """Return the cards that may lead a trick after the first, given all earlier tricks in order of play."""
    if hearts_open(rules, earlier) or not non_hearts(hand):
        return list(hand)
    if rules["lead_escape"] == "only_hearts_or_qs" and set(non_hearts(hand)) == {"QS"}:
        return list(hand)
    return non_hearts(hand)


def hearts_open(rules: Rules, earlier: Sequence[Sequence[str]]) -> bool:
    """Whether hearts may be led after these tricks."""
    played = [card for trick in earlier for card in trick]
    match rules["hearts_lead"]:
        case "after_trick_1":
            return len(earlier) >= 1
        case "after_trick_3":
            return len(earlier) >= 3
        case "broken_by_heart":
            return bool(hearts(played))
        case "broken_by_heart_or_qs":
            return bool(hearts(played)) or "QS" in played
        case _:
            led = [suit(trick[0]) for trick in earlier]
            counts = [led.count(letter) for letter in PLAIN_SUITS]
            return min(counts) >= 1 or len([count for count in counts if count >= 2]) >= 2


def winning_place(rules: Rules, trick: Sequence[str]) -> int | None:
    """Which card of a full trick wins, counted from 0 in order of play; None if all that could are cancelled."""
    able = [card for card in trick if suit(card) == suit(trick[0])]
    if rules["cancellation"]:
        able = [card for card in able if not contains(trick, [card, card])]
    return trick.index(max(able, key=rank)) if able else None
