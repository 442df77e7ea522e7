"""`arena rules list`, `arena rules show` and `arena rules explain`."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from arena.cli.errors import FAILED, Misuse
from arena.cli.options import Json, Players, RuleOptions
from arena.cli.style import example_text, new_group

app = new_group(
    "Tell the rules: list rule sets, show one in plain words, explain a position. Needs no server.",
    """
    arena rules list
    arena rules show hoemke-2431
    arena rules explain --hand 'QS 5H 9D' --led C --card QS
    arena rules explain --record game.json --deal 3 --trick 7 --seat 2
    """,
)

_DEFAULT: Final = "standard"


@app.command("list", epilog=example_text("arena rules list\narena rules list --all\narena rules list --json"))
def list_rules(
    *,
    every: Annotated[bool, typer.Option("--all", help="A line for each of the 256 variants of hoemke.")] = False,
    as_json: Json = False,
) -> None:
    """List the presets, and what the digits of hoemke-PLHS mean."""
    from arena.cli.rulebook.listing import print_list, print_list_json  # noqa: PLC0415

    (print_list_json if as_json else print_list)(every=every)


@app.command(
    epilog=example_text(
        """
        arena rules show standard
        arena rules show hoemke-2431
        arena rules show classic --players 5
        arena rules show standard --set moon_effect=self_minus --set target=50
        arena rules show cancellation --players 9 --json | jq .pass_cycle
        """
    )
)
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A preset, see 'arena rules list'.")],
    *,
    players: Players = None,
    settings: RuleOptions = None,
    as_json: Json = False,
) -> None:
    """Tell a rule set in plain words, a sentence for each rule that applies; or, with --json, every option of it."""
    from arena.cli.output import print_json  # noqa: PLC0415
    from arena.cli.rulebook.choosing import chosen  # noqa: PLC0415
    from arena.cli.rulebook.showing import text_of  # noqa: PLC0415
    from referee.rules.presets import to_json  # noqa: PLC0415

    variant = chosen(name, players, settings or ())
    if as_json:
        print_json(to_json(variant))
    else:
        typer.echo("\n".join(text_of(variant)))


@app.command(
    epilog=example_text(
        """
        arena rules explain --hand 'QS 5H 9D' --led C --trick 1
        arena rules explain --hand 'QS 5H 9D' --led C --trick 1 --card QS
        arena rules explain --rules classic --players 5 --hand '5H 6D' --trick 4 --hearts closed --card 5H
        arena rules explain --record game.json --deal 3 --trick 7 --seat 2
        arena rules explain --record games.jsonl --game 12 --deal 3 --trick 7 --seat shark --card QS --json
        """
    )
)
def explain(
    *,
    card: Annotated[
        str | None,
        typer.Option(
            "--card",
            metavar="CARD",
            help="The card in question.",
            show_default="all of the hand; with --record: as played",
        ),
    ] = None,
    trick: Annotated[
        int | None, typer.Option("--trick", min=1, metavar="N", help="Which trick.", show_default="1")
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="PRESET", help="The rule set.", show_default=_DEFAULT)
    ] = None,
    players: Players = None,
    settings: RuleOptions = None,
    hand: Annotated[str | None, typer.Option("--hand", metavar="CARDS", help="The seat's hand: 'QS 5H 9D'.")] = None,
    led: Annotated[
        str | None, typer.Option("--led", metavar="SUIT", help="C, D, S or H.", show_default="the seat leads")
    ] = None,
    hearts: Annotated[
        str | None,
        typer.Option("--hearts", metavar="open|closed", help="Whether hearts may be led.", show_default="closed"),
    ] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", help="Take the position from a record.")
    ] = None,
    game: Annotated[
        int | None, typer.Option("--game", min=1, metavar="N", help="Which record in the file.", show_default="1")
    ] = None,
    deal: Annotated[int | None, typer.Option("--deal", min=1, metavar="N", help="Its deal, by number.")] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="N|NAME", help="Its seat: the number, from 0, or the name.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which cards may be played in a position, or whether one may, and by which rule not.

    The position is described (--rules, --hand, --led, --trick, --hearts) or taken from a record (--record, --deal,
    --trick, --seat). Exit code 1 when the card may not be played, 2 when the position cannot be, else 0.
    """
    from arena.cli.output import print_json  # noqa: PLC0415
    from arena.cli.rulebook.choosing import chosen  # noqa: PLC0415
    from arena.cli.rulebook.explaining import judge  # noqa: PLC0415
    from arena.cli.rulebook.finding import Place, find  # noqa: PLC0415
    from arena.cli.rulebook.position import card_named, described  # noqa: PLC0415

    asked = None if card is None else card_named(card)
    if record is not None:
        _exclude("--record", rules=rules, players=players, set=settings, hand=hand, led=led, hearts=hearts)
        if deal is None or trick is None or seat is None:
            raise Misuse("--record goes with --deal, --trick and --seat: say whose play it is")
        found = find(Place(record, game or 1, deal, trick, seat))
        verdict = judge(found.position, found.played if asked is None else asked)
    else:
        _exclude("a position without --record", game=game, deal=deal, seat=seat)
        if hand is None:
            raise Misuse("give --hand, or --record; see 'arena rules explain --help'")
        if hearts not in (None, "open", "closed"):
            raise Misuse(f"--hearts {hearts!r} does not exist; choose open or closed")
        variant = chosen(rules or _DEFAULT, players, settings or ())
        verdict = judge(described(variant, hand, led, trick or 1, hearts), asked)
    if as_json:
        print_json(verdict.as_json())
    else:
        typer.echo("\n".join(verdict.lines()))
    if verdict.violation is not None:
        raise typer.Exit(FAILED)


def _exclude(what: str, **given: object) -> None:
    """Refuse options that have no meaning beside *what*."""
    names = [f"--{name}" for name, value in given.items() if value is not None]
    if names:
        raise Misuse(f"{what} has no use for {', '.join(names)}; leave it out")
