"""Points of a deal, the moon, and the end of the game."""

from collections.abc import Sequence

from tests.naive.cards import JD_SCHEMES, QS_SCHEMES, hearts, rank, same
from tests.naive.options import Rules, pack

EFFECTS = ("others_plus", "self_minus")


def card_points(scoring: str, taken: Sequence[str]) -> int:
    """Count what the cards somebody took cost him, the moon left aside."""
    points = 0
    if scoring in ("plain_hearts", "black_lady", "black_lady_jd"):
        points += len(hearts(taken))
    if scoring == "honours_5":
        points += sum(5 if rank(card) >= rank("JH") else 1 for card in hearts(taken))
    if scoring == "two_free_double_jd":
        points += 2 * max(0, len(hearts(taken)) - 2)
    if scoring in QS_SCHEMES:
        points += 13 * list(taken).count("QS")
    if scoring in JD_SCHEMES:
        points -= 10 * list(taken).count("JD")
    return points


def moon_cards(rules: Rules, cards: Sequence[str]) -> list[str]:
    """Those of the cards that count for the moon."""
    needed = hearts(cards)
    if rules["scoring"] in QS_SCHEMES:
        needed += [card for card in cards if card == "QS"]
    if rules["scoring"] in JD_SCHEMES and rules["moon_needs_jd"]:
        needed += [card for card in cards if card == "JD"]
    return needed


def shooter(rules: Rules, taken: Sequence[Sequence[str]]) -> int | None:
    """Return the seat that took every card the moon needs."""
    needed = moon_cards(rules, pack(rules))
    shooters = [seat for seat, cards in enumerate(taken) if same(moon_cards(rules, cards), needed)]
    return shooters[0] if shooters else None


def deal_points(rules: Rules, taken: Sequence[Sequence[str]], moon: str | None) -> list[int]:
    """Points of each seat, given the effect that the moon has, None where nobody shot it."""
    if moon is None:
        return [card_points(rules["scoring"], cards) for cards in taken]
    hero = shooter(rules, taken)
    points = [0] * len(taken)
    for seat in range(len(taken)):
        if moon == "others_plus" and seat != hero:
            points[seat] = rules["moon_value"]
        if moon == "self_minus" and seat == hero:
            points[seat] = -rules["moon_value"]
        if rules["scoring"] in JD_SCHEMES and not rules["moon_needs_jd"]:
            points[seat] -= 10 * list(taken[seat]).count("JD")
    return points


def ending(rules: Rules, deals: int, totals: Sequence[int]) -> str | None:
    """Why the game is over after so many whole deals, None if it goes on."""
    if deals == 0:
        return None
    if rules["target"] is None:
        return "deals" if deals >= rules["deals"] else None
    reached = any(total >= rules["target"] for total in totals)
    alone = list(totals).count(min(totals)) == 1
    if reached and (alone or rules["tie_for_lowest"] == "shared_win"):
        return "target"
    return "max_deals" if deals >= rules["max_deals"] else None


def places(totals: Sequence[int]) -> list[int]:
    """Give each seat its place: one more than the number of seats with a lower total."""
    return [1 + len([other for other in totals if other < total]) for total in totals]
