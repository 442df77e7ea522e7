"""Records changed in one place, as somebody might who wants another result, or by accident."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

Record = dict[str, Any]
Change = Callable[[Record, Random], None]


def _swap(some: list[Any], others: list[Any], rng: Random) -> None:
    """Swap an entry of one list with one of another, or of the same."""
    if some and others:
        one, other = rng.randrange(len(some)), rng.randrange(len(others))
        some[one], others[other] = others[other], some[one]


def plays(record: Record, rng: Random) -> None:
    """Swap two plays of a deal."""
    deal = rng.choice(record["deals"])
    _swap(deal["plays"], deal["plays"], rng)


def fewer_plays(record: Record, rng: Random) -> None:
    """Leave out the end of a deal."""
    deal = rng.choice(record["deals"])
    deal["plays"] = deal["plays"][: rng.randrange(len(deal["plays"]) + 1)]


def other_play(record: Record, rng: Random) -> None:
    """Write another card for a play."""
    deal = rng.choice(record["deals"])
    if deal["plays"]:
        deal["plays"][rng.randrange(len(deal["plays"]))] = rng.choice(rng.choice(deal["hands"]))


def hands(record: Record, rng: Random) -> None:
    """Swap cards of two hands, or of a hand and the kitty."""
    deal = rng.choice(record["deals"])
    _swap(rng.choice(deal["hands"]), rng.choice([*deal["hands"], deal["kitty"]]), rng)


def exchange(record: Record, rng: Random) -> None:
    """Swap cards passed, dealt back or returned with others."""
    deal = rng.choice(record["deals"])
    lists = [cards for name in ("passes", "pool_dealt") for cards in deal[name] or [] if cards is not None]
    if deal["returns"] is not None and None not in deal["returns"]:
        lists.append(deal["returns"])
    if lists:
        _swap(rng.choice(lists), rng.choice([*lists, list(deal["hands"][0])]), rng)


def scores(record: Record, rng: Random) -> None:
    """Write other points or totals."""
    deal = rng.choice(record["deals"])
    row = deal[rng.choice(["points", "totals"])]
    if row:
        row[rng.randrange(len(row))] += rng.choice([-1, 1, 26])


def moon(record: Record, rng: Random) -> None:
    """Write another effect of the moon."""
    rng.choice(record["deals"])["moon"] = rng.choice([None, "others_plus", "self_minus"])


def start(record: Record, rng: Random) -> None:
    """Write another dealer, number or direction."""
    deal = rng.choice(record["deals"])
    match rng.choice(["dealer", "number", "direction"]):
        case "dealer":
            deal["dealer"] = (deal["dealer"] + 1) % record["rules"]["players"]
        case "number":
            deal["number"] += 1
        case _:
            deal["direction"] = rng.choice(["left", "right", "across", "hold", "pool", "none"])


def deals(record: Record, rng: Random) -> None:
    """Leave out a deal, or write one twice."""
    place = rng.randrange(len(record["deals"]))
    if rng.random() < 0.5:
        record["deals"].insert(place, deepcopy(record["deals"][place]))
    elif len(record["deals"]) > 1:
        del record["deals"][place]


def result(record: Record, rng: Random) -> None:
    """Leave out the result, or write another one."""
    if "result" not in record or rng.random() < 0.2:
        record.pop("result", None)
        return
    written = record["result"]
    written["termination"] = rng.choice([written["termination"], "target", "deals", "max_deals", "cancelled"])
    if written["places"] is not None and rng.random() < 0.5:
        _swap(written["places"], written["places"], rng)


def rules(record: Record, rng: Random) -> None:
    """Write another rule."""
    options: list[tuple[str, list[Any]]] = [
        ("scoring", ["black_lady", "plain_hearts", "honours_5", "black_lady_jd", "two_free_double_jd"]),
        ("hearts_lead", ["after_trick_1", "broken_by_heart", "broken_by_heart_or_qs", "after_plain_suits_led"]),
        ("moon_effect", ["others_plus", "self_minus", "shooter_choice"]),
        ("moon_needs_jd", [True, False]),
        ("first_trick_penalty", ["barred_unless_forced", "allowed"]),
        ("tie_for_lowest", ["shared_win", "play_on"]),
        ("max_deals", [1, 2, 3]),
    ]
    option, values = rng.choice(options)
    record["rules"][option] = rng.choice(values)


CHANGES: list[Change] = [
    plays, fewer_plays, other_play, hands, exchange, scores, moon, start, deals, result, rules,
]  # fmt: skip


def tampered(record: Record, rng: Random) -> tuple[str, Record]:
    """Return a changed copy of a record that has a deal, and the name of the change, which may change nothing."""
    copy, change = deepcopy(record), rng.choice(CHANGES)
    change(copy, rng)
    return change.__name__, copy
