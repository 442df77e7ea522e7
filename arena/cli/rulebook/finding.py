"""A position out of a record: the deal is played again up to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.cli.errors import Failure, Misuse
from arena.cli.records.files import Unreadable, expand, read_records
from arena.cli.rulebook.position import Position
from referee.rules.cards import Card, parse_card
from referee.rules.presets import from_json
from referee.rules.variant import VariantError
from referee.table.adjudicate import Adjudicator
from referee.table.machine import DecisionKind, Table
from referee.table.reading import Flaw, integer_of, list_of, mapping_of, shown, value_at
from referee.table.record import NotARecord, decode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.rules.variant import Variant
    from referee.table.adjudicate import Decision


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a record: which record of the file, deal and trick from 1, the seat by number from 0 or by name."""

    file: str
    game: int
    deal: int
    trick: int
    seat: str


@dataclass(frozen=True, slots=True)
class Found:
    """A position of a record, and the card that was played in it."""

    position: Position
    played: Card


def find(place: Place) -> Found:
    """Return the position at *place*. Raises `Misuse` if there is none."""
    where = f"{place.file}, record {place.game}"
    try:
        record = mapping_of(decode(_bytes(place)), "a record")
        variant = from_json(mapping_of(value_at(record, "rules"), "rules"))
        deals = [mapping_of(deal, "a deal") for deal in list_of(value_at(record, "deals"), "deals")]
        return _find(place, variant, deals, _seat(place, variant, list_of(value_at(record, "seats"), "seats")))
    except (Flaw, VariantError, NotARecord, RecursionError) as error:
        raise Misuse(f"{where}: {error}; see 'arena record check {place.file}'") from None


def _bytes(place: Place) -> bytes:
    try:
        file, *others = expand([place.file])
    except Failure as failure:
        raise Misuse(str(failure)) from None
    if others:
        raise Misuse(f"there are {len(others) + 1} files of records: name one, for example {file}")
    found = next((item for item in read_records(file) if item.number == place.game), None)
    if found is None:
        raise Misuse(f"{file} has no record {place.game}; count them with 'arena record check {file}'")
    if isinstance(found, Unreadable):
        raise Misuse(f"{file}: {found.reason}")
    return found.data


def _seat(place: Place, variant: Variant, names: list[object]) -> int:
    """Return the seat's number: a number is always one, even where a seat is named so."""
    if place.seat.isascii() and place.seat.isdigit():
        seats = [int(place.seat[:9])]
    else:
        seats = [seat for seat, name in enumerate(names) if name == place.seat]
    if len(seats) > 1:
        raise Misuse(f"--seat {place.seat!r}: seats {', '.join(map(str, seats))} are named so; say which by its number")
    if not seats or seats[0] >= variant.players:
        known = ", ".join(f"{seat} {str(name)[:40]!r}" for seat, name in enumerate(names[: variant.players]))
        raise Misuse(f"--seat {place.seat[:40]!r}: the seats are {known}")
    return seats[0]


def _find(place: Place, variant: Variant, deals: list[dict[str, object]], seat: int) -> Found:
    deal = next((deal for deal in deals if deal.get("number") == place.deal), None)
    if deal is None:
        numbers = ", ".join(shown(deal.get("number")) for deal in deals[:20])
        raise Misuse(f"{place.file}, record {place.game} has no deal {place.deal}; its deals are {numbers or 'none'}")
    if not 1 <= place.trick <= variant.hand_size:
        raise Misuse(f"--trick {place.trick}: the tricks are 1 to {variant.hand_size}")
    found, flaw = _played_to(place, variant, deal, seat)
    if found is not None:
        return found
    if flaw is not None:
        raise flaw
    raise Misuse(f"deal {place.deal} stops before seat {seat} plays to trick {place.trick}")


def _played_to(
    place: Place, variant: Variant, deal: Mapping[str, object], seat: int
) -> tuple[Found | None, Flaw | None]:
    dealer = integer_of(value_at(deal, "dealer"), "dealer")
    if not 0 <= dealer < variant.players:
        raise Flaw("DEALER", f"the dealer must be a seat from 0 to {variant.players - 1}, not {dealer}")
    table = Table(variant, first_deal=place.deal, first_dealer=dealer)
    found: list[Found] = []

    def witness(decision: Decision) -> None:
        if (decision.kind, decision.seat, table.trick) == (DecisionKind.PLAY, seat, place.trick):
            found.append(Found(_position(table), parse_card(decision.chose)))

    flaw: Flaw | None = None
    try:
        Adjudicator(table, deal, lambda _: None, witness).run()
    except Flaw as stopped:
        flaw = stopped
    return (found[0] if found else None), flaw


def _position(table: Table) -> Position:
    """Return the position of the seat whose turn it is."""
    played = (table.turn - table.leader) % table.players
    first = table.log[-played] if played else None
    led = first // 13 if isinstance(first, int) else -1
    return Position(table.variant, table.hands[table.turn], led, table.trick, table.hearts_open)
