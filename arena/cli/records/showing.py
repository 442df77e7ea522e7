"""Shows a recorded game to people: totals deal by deal, or one deal trick by trick.

A record is checked first, and one that is wrong somewhere is shown all the same, with a warning, as long as everything
to be shown has its proper shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from arena.cli.errors import Failure
from arena.cli.output import note, stdout, table
from arena.cli.records.shapes import ShownDeal, ShownGame, shown_game
from referee.rules.cards import Card, card_name, parse_card
from referee.rules.presets import from_json
from referee.rules.tricks import winner
from referee.rules.variant import VariantError
from referee.table.adjudicate import Decision
from referee.table.check import check
from referee.table.machine import DecisionKind
from referee.table.reading import Flaw, mapping_of
from referee.table.record import NotARecord, decode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from arena.cli.records.files import RecordText
    from referee.rules.variant import Variant

_SUITS: Final = (("spades", 2), ("hearts", 3), ("diamonds", 1), ("clubs", 0))
_MARKS: Final = (">", "leads"), ("*", "wins"), ("x", "cancelled"), ("!", "decided for the bot, by its fault")
_WIDEST: Final = 72
"""As many letters as the names of all seats may have together to stand over columns."""


def show_game(text: RecordText, file: str) -> None:
    """Print seats, deals and result."""
    game, variant, _ = _read(text, file)
    out = stdout()
    out.print(Text(f"rules {variant.preset}, {variant.players} players", style="dim"))
    columns = _columns(game)
    rows: list[list[object]] = []
    for deal in game.deals:
        points = ["-"] * variant.players if deal.points is None else deal.points
        rows.append([deal.number, deal.direction, *points, deal.moon])
    totals = next((deal.totals for deal in reversed(game.deals) if deal.totals), None)
    if totals:
        rows.append([Text("total", style="bold"), "", *totals, ""])
    if game.places:
        rows.append([Text("place", style="bold"), "", *game.places, ""])
    out.print(table(["deal", "pass", *columns, "moon"], rows, right=columns))
    out.print(Text(f"ended by: {game.termination}" if game.termination else "not finished", style="dim"))


def show_deal(text: RecordText, file: str, number: int) -> None:
    """Print the hands of one deal and all its tricks, with what the marks mean."""
    game, variant, decisions = _read(text, file)
    deal = next((deal for deal in game.deals if deal.number == number), None)
    if deal is None:
        numbers = ", ".join(str(deal.number) for deal in game.deals)
        raise Failure(f"{file}: record {text.number} has no deal {number}; its deals are {numbers or 'none'}")
    out = stdout()
    columns = _columns(game)
    out.print(Text(f"deal {number}, dealer {game.seats[deal.dealer]}, pass {deal.direction}"))
    out.print(_hands(game, deal))
    out.print()
    plays = [(d.seat, parse_card(d.chose)) for d in decisions if d.deal == number and d.kind is DecisionKind.PLAY]
    winners, rows = _tricks(plays, variant, deal.faults["plays"])
    out.print(table(["trick", *columns], rows, right=("trick",)))
    marks = _marks(deal, rows)
    if marks:
        out.print(Text(marks, style="dim"))
    out.print()
    if deal.kitty:
        out.print(Text(_kitty(game, deal, winners)))
    if deal.points is None:
        out.print(Text("points: not finished"))
    else:
        told = ", ".join(f"{name} {value}" for name, value in zip(game.seats, deal.points, strict=True))
        out.print(
            Text(f"points: {told}" + (f" (moon: {deal.moon}{'!' * bool(deal.faults['moon'])})" if deal.moon else ""))
        )


def _read(text: RecordText, file: str) -> tuple[ShownGame, Variant, list[Decision]]:
    """Return a record that can be shown, and its decisions as far as they are sound."""
    decisions: list[Decision] = []
    try:
        record = decode(text.data)
        problems = check(record, decisions.append)
        unplayable = next((problem for problem in problems if problem.rule == "RULES"), None)
        if unplayable is not None:
            raise Failure(f"{file}: record {text.number} cannot be shown: {unplayable}")
        variant = from_json(mapping_of(record.get("rules"), "rules"))
        game = shown_game(record, variant)
    except (NotARecord, Flaw, VariantError) as error:
        raise Failure(f"{file}: record {text.number} cannot be shown: {error}") from None
    if problems:
        note(f"arena: warning: this record has problems; see 'arena record check {file}'")
    return game, variant, decisions


def _columns(game: ShownGame) -> list[str]:
    """Return a heading for each seat: its name, or its number where the names are too long to stand side by side."""
    if sum(map(len, game.seats)) <= _WIDEST:
        return game.seats
    stdout().print(Text(", ".join(f"{seat} = {name}" for seat, name in enumerate(game.seats))))
    return [str(seat) for seat in range(len(game.seats))]


def _hands(game: ShownGame, deal: ShownDeal) -> Table:
    rows: list[list[object]] = [
        [name, *(_suit(hand, suit) for _, suit in _SUITS)] for name, hand in zip(game.seats, deal.hands, strict=True)
    ]
    columns = ["seat", *(name for name, _ in _SUITS)]
    for heading, key, given in (
        ("passed", "passes", deal.passes),
        ("gave back", "returns", deal.returns),
        ("from the pool", "pool_dealt", deal.pool_dealt),
    ):
        if given is not None or heading == "passed":
            columns.append(heading)
            faults = deal.faults.get(key, ())
            for seat, (row, cards) in enumerate(zip(rows, given or [None] * len(rows), strict=True)):
                row.append(" ".join(map(card_name, cards or ())) + ("!" if seat in faults else ""))
    return table(columns, rows)


def _suit(hand: Sequence[Card], suit: int) -> str:
    cards = sorted((card for card in hand if card // 13 == suit), reverse=True)
    return " ".join(card_name(card)[0] for card in cards) or "-"


def _marks(deal: ShownDeal, rows: Sequence[Sequence[object]]) -> str:
    """Return what the marks mean that stand in the tables of *deal*, if any do."""
    shown = "".join(str(cell) for row in rows for cell in row[1:]) + "!" * any(deal.faults.values())
    return ", ".join(f"{mark} {meaning}" for mark, meaning in _MARKS if mark in shown)


def _tricks(
    plays: Sequence[tuple[int, Card]], variant: Variant, faults: frozenset[int]
) -> tuple[list[int | None], list[list[object]]]:
    """Return who won each finished trick, and a row for each trick."""
    winners: list[int | None] = []
    rows: list[list[object]] = []
    size = variant.players
    for start in range(0, len(plays), size):
        trick = plays[start : start + size]
        cards = [card for _, card in trick]
        won = winner(cards, variant.cancellation) if len(trick) == size else -1
        if len(trick) == size:
            winners.append(trick[won][0] if won >= 0 else None)
        cells = [""] * size
        for place, (seat, card) in enumerate(trick):
            cancelled = variant.cancellation and cards.count(card) > 1
            mark = "*" if place == won else "x" if cancelled else ""
            cells[seat] = ("> " if place == 0 else "  ") + card_name(card) + mark + "!" * (start + place in faults)
        rows.append([start // size + 1, *cells])
    return winners, rows


def _kitty(game: ShownGame, deal: ShownDeal, winners: Sequence[int | None]) -> str:
    taken = next(((trick, seat) for trick, seat in enumerate(winners, start=1) if seat is not None), None)
    told = f"taken by {game.seats[taken[1]]} with trick {taken[0]}" if taken else "taken by nobody"
    return f"kitty: {' '.join(map(card_name, deal.kitty))}, {told}"
