"""Whether a record tells a legal game: it is adjudicated again, from the cards and the decisions alone.

Everything found is a `Problem`; nothing in a record, whatever it is, makes this raise.
Each deal is judged by itself, so that one broken deal does not hide what is wrong in the next: the deals after it
start from the totals that the record gives.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from referee.rules.presets import from_json
from referee.rules.variant import Termination, Variant, VariantError
from referee.table.adjudicate import Adjudicator, Decision, Witness
from referee.table.events import Entry, GameEnded
from referee.table.machine import Need, Table
from referee.table.reading import Flaw, Problem, integer_of, list_of, mapping_of, shown, value_at
from referee.table.record import FORMAT, VERSION, NotARecord, decode, result_json

_MOST: Final = 1000
"""Problems after which a record is given up."""


@dataclass(slots=True)
class _Game:
    """How far a record has been judged."""

    variant: Variant
    number: int
    dealer: int
    problems: list[Problem]
    witness: Witness | None
    totals: Sequence[int] | None
    """The totals so far; None when a deal is broken and does not tell them, so that nothing later can be judged."""
    played: int = 0
    unfinished: int | None = None
    """The number of a deal that stopped before its end, in whatever way."""
    broken: bool = False
    ended: GameEnded | None = None
    log: list[Entry] = field(default_factory=list)


def check(record: object, witness: Witness | None = None) -> list[Problem]:
    """Return everything wrong with *record*, a JSON value; tell *witness* of every decision in it."""
    return _judge(record, witness)[1]


def check_bytes(data: bytes, witness: Witness | None = None) -> list[Problem]:
    """Return everything wrong with the record in *data*, that it is none included."""
    try:
        record = decode(data)
    except NotARecord as error:
        return [Problem(None, None, None, "FORMAT", str(error))]
    return check(record, witness)


def log_of(record: object) -> tuple[Variant, list[Entry]]:
    """Return rule set and log of the game that *record* tells; raise `NotARecord` if anything is wrong in it."""
    game, problems = _judge(record, None)
    if game is None or problems:
        raise NotARecord("; ".join(str(problem) for problem in problems[:3]))
    return game.variant, game.log


def legal_line(decision: Decision, file: str | None = None) -> str:
    """Return the JSON line that tells of one *decision*, with the *file* where there are several."""
    line: dict[str, object] = {} if file is None else {"file": file}
    line |= {"deal": decision.deal, "seat": decision.seat, "kind": decision.kind.value}
    if decision.legal is not None:
        line["legal"] = list(decision.legal)
    chose = decision.chose
    line["chose"] = chose if isinstance(chose, str) else list(chose)
    return json.dumps(line)


def _judge(record: object, witness: Witness | None) -> tuple[_Game | None, list[Problem]]:
    problems: list[Problem] = []
    try:
        return _judge_game(mapping_of(record, "a record"), problems, witness), problems
    except Flaw as flaw:
        problems.append(flaw.in_deal(None))
    except RecursionError:
        problems.append(Problem(None, None, None, "FORMAT", "this is no record: its JSON is nested too deeply"))
    return None, problems


def _judge_game(top: Mapping[str, object], problems: list[Problem], witness: Witness | None) -> _Game:
    _check_head(top, problems)
    variant = _variant(value_at(top, "rules"))
    _check_seats(top, variant, problems)
    deals = list_of(value_at(top, "deals"), "deals")
    game = _start(variant, deals, problems, witness)
    for deal in deals:
        if len(problems) > _MOST:
            raise Flaw("FORMAT", f"more than {_MOST} problems: the rest of this record was not looked at")
        _judge_deal(game, deal)
        if game.totals is None:
            return game
    if top.get("result") is not None:
        _check_result(game, mapping_of(top["result"], "result"))
    return game


def _check_head(top: Mapping[str, object], problems: list[Problem]) -> None:
    for key, right in (("format", FORMAT), ("version", VERSION)):
        written = value_at(top, key)
        if written != right or type(written) is not type(right):
            problems.append(Problem(None, None, None, "FORMAT", f"{key} must be {right!r}, not {shown(written)}"))


def _variant(rules: object) -> Variant:
    try:
        return from_json(mapping_of(rules, "rules"))
    except VariantError as error:
        option = error.option if error.option.isidentifier() else shown(error.option)
        text = f"option {option[:80]}: {shown(error.value)} is not allowed; allowed: {error.allowed}"
        raise Flaw("RULES", f"{text} ({error.rule.label})") from None


def _check_seats(top: Mapping[str, object], variant: Variant, problems: list[Problem]) -> None:
    names = list_of(value_at(top, "seats"), "seats")
    if len(names) != variant.players or not all(isinstance(name, str) for name in names):
        problems.append(Problem(None, None, None, "SEATS", f"seats must be {variant.players} names"))
    versions = top.get("versions")
    if versions is not None and not (
        isinstance(versions, list)
        and len(versions) == variant.players
        and all(version is None or isinstance(version, str) for version in versions)
    ):
        text = f"versions must be {variant.players} texts, one for each seat"
        problems.append(Problem(None, None, None, "SEATS", text))
    if top.get("origin") is not None:
        mapping_of(top["origin"], "origin")


def _start(variant: Variant, deals: Sequence[object], problems: list[Problem], witness: Witness | None) -> _Game:
    """Return the game before its first deal, whose number and dealer everything later follows from."""
    number, dealer = 1, 0
    if deals:
        first = mapping_of(deals[0], "a deal")
        number = max(1, integer_of(value_at(first, "number"), "number"))
        dealer = integer_of(value_at(first, "dealer"), "dealer")
        if not 0 <= dealer < variant.players:
            raise Flaw("DEALER", f"the first dealer must be a seat from 0 to {variant.players - 1}, not {dealer}")
        if number == 1 and variant.first_dealer is not None:
            dealer = variant.first_dealer
    return _Game(variant, number, dealer, problems, witness, (0,) * variant.players)


def _judge_deal(game: _Game, value: object) -> None:
    number = game.number

    def report(flaw: Flaw) -> None:
        game.problems.append(flaw.in_deal(number))

    try:
        deal = mapping_of(value, "a deal")
    except Flaw as flaw:  # nothing later can be judged without its totals
        report(flaw)
        game.totals = None
        return
    if game.ended is not None:
        report(Flaw("GAME_OVER", f"the game was over before this deal, by {game.ended.termination.value}"))
    if game.unfinished is not None and not game.broken:
        report(Flaw("UNFINISHED", f"deal {game.unfinished} was not played to its end before this one"))
    for key, right in (("number", number), ("dealer", game.dealer)):
        written = deal.get(key)
        if written != right or type(written) is not int:
            report(Flaw(key.upper(), f"{key} must be {right}, not {shown(written)}"))
    table = Table(
        game.variant, first_deal=number, first_dealer=game.dealer, totals=game.totals, deals_played=game.played
    )
    game.broken = False
    try:
        Adjudicator(table, deal, report, game.witness).run()
    except Flaw as flaw:
        report(flaw)
        game.broken = not _finished(table)
    _move_on(game, table, deal)


def _finished(table: Table) -> bool:
    return table.over or (table.needs is Need.DEAL and bool(table.log))


def _move_on(game: _Game, table: Table, deal: Mapping[str, object]) -> None:
    """Take over what the deal came to, or what the record says it came to if that cannot be told."""
    game.log += table.log
    finished = _finished(table)
    game.unfinished = None if finished else game.number
    game.totals = _written_totals(deal, game.variant) if game.broken else table.totals
    last = table.log[-1] if table.log else None
    if game.ended is None and isinstance(last, GameEnded):
        game.ended = last
    game.number += 1
    game.dealer = (game.dealer + 1) % game.variant.players
    game.played += 1


def _written_totals(deal: Mapping[str, object], variant: Variant) -> tuple[int, ...] | None:
    try:
        values = list_of(deal.get("totals"), "totals", variant.players)
        return tuple(integer_of(value, "totals") for value in values)
    except Flaw:
        return None


def _check_result(game: _Game, result: Mapping[str, object]) -> None:
    def report(text: str) -> None:
        game.problems.append(Problem(None, None, None, "RESULT", text))

    ended = game.ended
    if ended is not None:
        right = result_json(ended.termination, ended.places)
    elif game.broken:
        return
    elif result.get("termination") == Termination.CANCELLED.value:
        right = result_json(Termination.CANCELLED, None)
    else:
        report("there is a result, but the game is not over: only a cancelled one ends so")
        return
    for key, value in right.items():
        if key not in result or result[key] != value or not _same_kind(result[key], value):
            report(f"{key} must be {json.dumps(value)}, not {shown(result.get(key))}")


def _same_kind(written: object, right: object) -> bool:
    """Return whether no true or 1.0 stands for a 1, which Python would take for equal."""
    return json.dumps(written) == json.dumps(right)
