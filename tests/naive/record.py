"""The naive adjudication of a whole record: every decision in it, and everything that is wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.naive.cards import same
from tests.naive.deal import Deal, Refused
from tests.naive.options import Rules, faults, hand_size, pack, preset, resolve
from tests.naive.scoring import ending, places

Decision = dict[str, Any]


@dataclass
class Verdict:
    """Decisions as `arena record check --legal` prints them, and complaints in plain words."""

    decisions: list[Decision] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def adjudicate(record: dict[str, Any]) -> Verdict:
    """Walk over a record; an illegal decision ends the walk, for nothing after it can be judged."""
    verdict = Verdict()
    if (record.get("format"), record.get("version")) != ("hearts-record", 1):
        verdict.problems.append("not a hearts-record of version 1")
        return verdict
    given = record["rules"]
    unknown = set(given) - set(preset(given["preset"], given["players"])) - {"pass_count", "give_back"}
    if unknown:
        verdict.problems.append(f"unknown options {unknown}")
        return verdict
    rules = resolve(given)
    verdict.problems += [f"rules: {name}" for name in faults(rules)]
    if len(record["seats"]) != rules["players"]:
        verdict.problems.append("seats: not one name per player")
    if not verdict.problems:
        _deals(rules, record, verdict)
    return verdict


def _deals(rules: Rules, record: dict[str, Any], verdict: Verdict) -> None:
    """Walk over the deals and compare the result."""
    totals, whole = [0] * rules["players"], 0
    result = record.get("result")
    cut = False
    first = record["deals"][0] if record["deals"] else None
    for place, written in enumerate(record["deals"]):
        where = f"deal {written['number']}"
        if cut or ending(rules, whole, totals):
            verdict.problems.append(f"{where}: comes after the end")
            return
        if first is not None and written["number"] != first["number"] + place:
            verdict.problems.append(f"{where}: number")
        if first is not None and written["dealer"] != (first["dealer"] + place) % rules["players"]:
            verdict.problems.append(f"{where}: dealer")
        if written["number"] == 1 and rules["first_dealer"] not in ("seed", written["dealer"]):
            verdict.problems.append(f"{where}: first dealer")
        try:
            deal = _deal(rules, written, verdict)
        except Refused as refused:
            verdict.problems.append(f"{where}: {refused}")
            return
        if deal.points is None:
            cut = True
            wrong = [name for name in ("moon", "points", "totals") if written[name] is not None]
        else:
            whole += 1
            totals = [total + point for total, point in zip(totals, deal.points, strict=True)]
            right = {"moon": deal.moon, "points": deal.points, "totals": totals}
            wrong = [name for name, value in right.items() if written[name] != value]
        verdict.problems += [f"{where}: {name}" for name in wrong]
    if result is not None:
        right = {"places": None, "winners": None, "termination": "cancelled"}
        if result["termination"] != "cancelled":
            right = {"places": places(totals), "winners": _winners(totals), "termination": ending(rules, whole, totals)}
        verdict.problems += [f"result: {name}" for name, value in right.items() if result[name] != value]


def _winners(totals: Sequence[int]) -> list[int]:
    """Return the seats in the first place."""
    return [seat for seat, place in enumerate(places(totals)) if place == 1]


def _deal(rules: Rules, written: dict[str, Any], verdict: Verdict) -> Deal:  # noqa: C901 -- step after step
    """Walk over one deal as far as it goes."""
    hands, kitty = written["hands"], written["kitty"]
    if [len(hand) for hand in hands] != [hand_size(rules)] * rules["players"]:
        raise Refused("hands of a wrong size")
    if not same([card for hand in [*hands, kitty] for card in hand], pack(rules)):
        raise Refused("hands and kitty are not the pack")
    deal = Deal(rules, written["number"], written["dealer"], hands, kitty)
    if written["direction"] != deal.direction:
        raise Refused(f"direction {written['direction']} instead of {deal.direction}")

    def note(seat: int, kind: str, chose: object) -> None:
        """Write a decision down as the deal stands before it."""
        line = {"deal": deal.number, "seat": seat, "kind": kind, "chose": chose}
        verdict.decisions.append(line if kind == "pass" else line | {"legal": deal.legal(seat)})

    for seat, cards in enumerate(written["passes"] or []):
        if cards is not None:
            note(seat, "pass", cards)
            deal.give(seat, cards)
    if deal.stage == "pool" and written["pool_dealt"] is not None:
        deal.deal_pool(written["pool_dealt"])
    elif written["pool_dealt"] is not None:
        raise Refused("a pool is dealt that there is not")
    for seat, card in enumerate(written["returns"] or []):
        if card is not None:
            note(seat, "return", card)
            deal.give_back(seat, card)
    for card in written["plays"]:
        seat = deal.turn() if deal.stage == "play" else -1
        note(seat, "play", card)
        deal.play(seat, card)
    if deal.stage == "moon" and written["moon"] is not None:
        [seat] = deal.waiting()
        note(seat, "moon", written["moon"])
        deal.choose(seat, written["moon"])
    return deal
