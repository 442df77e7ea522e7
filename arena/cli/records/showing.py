"""Shows a recorded game to people: totals deal by deal, or one deal trick by trick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from arena.cli.errors import Failure
from arena.cli.output import note, stdout, table
from referee.rules.cards import card_name, cards_of, hand_of, parse_card
from referee.rules.presets import from_json
from referee.rules.tricks import winner
from referee.table.adjudicate import Decision
from referee.table.check import check
from referee.table.machine import DecisionKind
from referee.table.record import NotARecord, decode

if TYPE_CHECKING:
    from arena.cli.records.files import RecordText
    from referee.rules.variant import Variant

_SUITS = "SHDC"


def show_game(text: RecordText, file: str) -> None:
    """Print seats, deals and result."""
    record, variant, _ = _read(text, file)
    out = stdout()
    names = _names(record, variant)
    rows: list[list[object]] = []
    for deal in record["deals"]:
        points = deal.get("points") or ["-"] * variant.players
        rows.append([deal.get("number"), deal.get("direction"), *points, deal.get("moon") or ""])
    totals = next((deal["totals"] for deal in reversed(record["deals"]) if deal.get("totals")), None)
    if totals is not None:
        rows.append([Text("total", style="bold"), "", *totals, ""])
    result = record.get("result")
    if result:
        rows.append([Text("place", style="bold"), "", *(result.get("places") or [""] * variant.players), ""])
    out.print(Text(f"rules {variant.preset}, {variant.players} players", style="dim"))
    out.print(table(["deal", "pass", *names, "moon"], rows, right=names))
    if result:
        out.print(Text(f"ended by: {result.get('termination')}", style="dim"))


def show_deal(text: RecordText, file: str, number: int) -> None:
    """Print the hands of one deal and all its tricks; the winner's card is marked with a star."""
    record, variant, decisions = _read(text, file)
    deal = next((deal for deal in record["deals"] if deal.get("number") == number), None)
    if deal is None:
        numbers = [str(deal.get("number")) for deal in record["deals"]]
        raise Failure(
            f"{file}: record {text.number} has no deal {number}; its deals are {', '.join(numbers) or 'none'}"
        )
    out = stdout()
    names = _names(record, variant)
    out.print(Text(f"deal {number}, dealer {names[deal['dealer']]}, pass {deal.get('direction')}"))
    passes = deal.get("passes") or [None] * variant.players
    rows = [
        [name, *_suits(hand), " ".join(given or [])]
        for name, hand, given in zip(names, deal["hands"], passes, strict=True)
    ]
    out.print(table(["seat", "spades", "hearts", "diamonds", "clubs", "passed"], rows))
    out.print()
    plays = [(d.seat, str(d.chose)) for d in decisions if d.deal == number and d.kind is DecisionKind.PLAY]
    out.print(table(["trick", *names], _tricks(plays, variant), right=("trick",)))
    out.print()
    points = deal.get("points")
    told = ", ".join(f"{name} {value}" for name, value in zip(names, points, strict=True)) if points else "not finished"
    out.print(Text(f"points: {told}" + (f" (moon: {deal['moon']})" if deal.get("moon") else "")))


def _read(text: RecordText, file: str) -> tuple[dict[str, Any], Variant, list[Decision]]:
    """Return a record that can be shown; one with problems is shown as far as it is sound, with a warning."""
    decisions: list[Decision] = []
    try:
        record: dict[str, Any] = decode(text.data)
        problems = check(record, decisions.append)
        variant = from_json(record["rules"])
    except (NotARecord, KeyError, ValueError, TypeError) as error:
        raise Failure(f"{file}: record {text.number} cannot be shown: {error}") from None
    shapeless = next((problem for problem in problems if problem.rule in ("FORMAT", "SEATS", "RULES")), None)
    if shapeless is not None:
        raise Failure(f"{file}: record {text.number} cannot be shown: {shapeless}")
    if problems:
        note(f"arena: warning: this record has problems; see 'arena record check {file}'")
    return record, variant, decisions


def _names(record: dict[str, Any], variant: Variant) -> list[str]:
    names = [str(name) for name in record["seats"]]
    if len(set(names)) == variant.players:
        return names
    return [f"{name} ({seat})" for seat, name in enumerate(names)]


def _suits(hand: list[str]) -> list[str]:
    cards = cards_of(hand_of(parse_card(name) for name in hand))
    names = [card_name(card) for card in reversed(list(cards))]
    return [" ".join(name[0] for name in names if name[1] == suit) or "-" for suit in _SUITS]


def _tricks(plays: list[tuple[int, str]], variant: Variant) -> list[list[object]]:
    rows: list[list[object]] = []
    size = variant.players
    for start in range(0, len(plays), size):
        trick = plays[start : start + size]
        won = winner([parse_card(card) for _, card in trick], variant.cancellation) if len(trick) == size else -1
        cells = [""] * size
        for place, (seat, card) in enumerate(trick):
            cells[seat] = ("> " if place == 0 else "  ") + card + ("*" if place == won else "")
        rows.append([start // size + 1, *cells])
    return rows
