"""`arena tournament`: the organiser's commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Api, connect, find_bot, pages
from arena.cli.errors import Misuse
from arena.cli.options import (
    DEFAULT_SERVER,
    AutoPlayForced,
    Bank,
    BoardsOption,
    Deals,
    Json,
    Limit,
    NoClock,
    Passes,
    Players,
    RevealOpponents,
    RuleOptions,
    Rules,
    Seed,
    Server,
    Target,
    TokenFile,
    path,
    whole_seconds,
)
from arena.cli.output import note, print_json, stdout, table
from arena.cli.plain import plain, word
from arena.cli.ranking import state_word
from arena.cli.spec import SpecOptions, TimeOptions, build_spec, choice
from arena.cli.style import example_text, new_group
from arena.cli.tournaments.exporting import export_to
from arena.cli.tournaments.showing import show_tournament
from arena.cli.tournaments.watching import watch_tournament

app = new_group(
    "Create, start, watch and export tournaments.",
    """
    arena tournament create spring-cup --deals 16 --passes 20 --boards balanced
    arena tournament enter spring-cup shark minnow alice/random bob/random
    arena tournament start spring-cup
    arena tournament watch spring-cup
    arena tournament export spring-cup --out spring-cup
    """,
)

Name = Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's name or id.")]
Bots = Annotated[list[str], typer.Argument(metavar="BOT...", help="Bots: ids, names, or OWNER/NAME.")]


@app.command(
    epilog=example_text(
        """
        arena tournament create spring-cup
        arena tournament create quick --deals 4 --boards single --limit 500ms
        arena tournament create long --target 100 --passes 10 --no-show autopilot --no-show-wait 2m
        arena tournament create odd --rules classic --players 5 --set moon_effect=self_minus
        """
    )
)
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of a-z, 0-9 and '-'. The deals depend on it.")],
    *,
    rules: Rules = "standard",
    players: Players = None,
    option: RuleOptions = None,
    deals: Deals = None,
    target: Target = None,
    boards: BoardsOption = None,
    passes: Passes = None,
    seed: Seed = None,
    limit: Limit = None,
    bank: Bank = None,
    no_clock: NoClock = False,
    title: Annotated[str, typer.Option(help="A title for people.")] = "",
    concurrency: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="The most matches at once; 0: as many as fit.")
    ] = 0,
    window: Annotated[int, typer.Option(min=0, max=100_000, help="The most blocks in flight; 0: 32.")] = 0,
    no_show: Annotated[str, typer.Option(help="When a bot is absent: wait, autopilot or withdraw.")] = "wait",
    no_show_wait: Annotated[
        str | None, typer.Option(help="How long a match waits for it, like 2m.", show_default="1m")
    ] = None,
    fault_limit: Annotated[int, typer.Option(min=0, max=10_000, help="Faults in a match before autopilot; 0: 5.")] = 0,
    suspend_after: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Matches in a row on autopilot before a bot is withdrawn; 0: 3.")
    ] = 0,
    auto_play_forced: AutoPlayForced = False,
    reveal_opponents: RevealOpponents = False,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Create a tournament, as a draft: bots are entered next, then it is started."""
    time = TimeOptions(limit, bank, no_clock)
    given = SpecOptions(
        name,
        rules,
        option or (),
        deals,
        target,
        boards,
        passes,
        seed,
        concurrency,
        window,
        title,
        auto_play_forced,
        reveal_opponents,
        time,
        players,
    )
    spec, _ = build_spec(given)
    spec.no_show = choice(pb.NoShow.DESCRIPTOR, no_show, "--no-show")
    spec.no_show_seconds = 0 if no_show_wait is None else whole_seconds(no_show_wait, "--no-show-wait")
    spec.fault_limit = fault_limit
    spec.suspend_after = suspend_after
    with connect(server, token_file) as api:
        created = api.ask(api.stub.CreateTournament, pb.CreateTournamentRequest(spec=spec)).tournament
    if as_json:
        print_json(plain(created))
    else:
        typer.echo(created.tournament)
        note(f"next: arena tournament enter {name} BOT..., then arena tournament start {name}")


@app.command(epilog=example_text("arena tournament enter spring-cup shark alice/random b_7k2m4qz9"))
def enter(
    tournament: Name,
    bots: Bots,
    *,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Enter bots."""
    with connect(server, token_file) as api:
        entered = [
            api.ask(api.stub.EnterBot, pb.EnterBotRequest(tournament=tournament, bot=find_bot(api, bot))).entrant
            for bot in bots
        ]
    if as_json:
        print_json([plain(entrant) for entrant in entered])
    else:
        stdout().print(
            table(("number", "bot", "name"), [(e.number, e.bot, e.name) for e in entered], right=("number",))
        )
        note(f"next: arena tournament start {tournament}, once all are entered")


@app.command(epilog=example_text("arena tournament withdraw spring-cup shark"))
def withdraw(tournament: Name, bots: Bots, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None) -> None:
    """Withdraw bots: before the start they leave, later substitutes play their remaining matches."""
    with connect(server, token_file) as api:
        for bot in bots:
            api.ask(api.stub.WithdrawBot, pb.WithdrawBotRequest(tournament=tournament, bot=find_bot(api, bot)))


@app.command("open", epilog=example_text("arena tournament open spring-cup"))
def open_(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Open a draft for entry: owners may then enter their own bots."""
    _change(tournament, pb.TOURNAMENT_CHANGE_OPEN, server, token_file, as_json=as_json)


@app.command(epilog=example_text("arena tournament start spring-cup && arena tournament watch spring-cup"))
def start(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Start a tournament. Rules, clock and entrants are frozen from now on."""
    _change(tournament, pb.TOURNAMENT_CHANGE_START, server, token_file, as_json=as_json)


@app.command(epilog=example_text("arena tournament pause spring-cup"))
def pause(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Start no new matches; those that run are played to their end."""
    _change(tournament, pb.TOURNAMENT_CHANGE_PAUSE, server, token_file, as_json=as_json)


@app.command(epilog=example_text("arena tournament resume spring-cup"))
def resume(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Go on after a pause, and try matches again that were given up."""
    _change(tournament, pb.TOURNAMENT_CHANGE_RESUME, server, token_file, as_json=as_json)


@app.command(epilog=example_text("arena tournament cancel spring-cup --yes"))
def cancel(
    tournament: Name,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Stop a tournament for good. Finished matches stay; running ones are void; the deals' secret is revealed."""
    _confirm(f"Stop {tournament} for good?", yes=yes)
    _change(tournament, pb.TOURNAMENT_CHANGE_CANCEL, server, token_file, as_json=as_json)


@app.command(epilog=example_text("arena tournament delete spring-cup --yes"))
def delete(
    tournament: Name,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
) -> None:
    """Delete a tournament that is not running, with all its matches and records."""
    _confirm(f"Delete {tournament} with all its matches and records?", yes=yes)
    with connect(server, token_file) as api:
        api.ask(api.stub.DeleteTournament, pb.DeleteTournamentRequest(tournament=tournament))
    note(f"{tournament} is deleted")


@app.command("list", epilog=example_text("arena tournament list --json | jq -r '.[].spec.name'"))
def list_tournaments(*, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False) -> None:
    """List tournaments, the newest first."""
    with connect(server, token_file) as api:
        found = _all_tournaments(api)
    if as_json:
        print_json([plain(tournament) for tournament in found])
        return
    rows = [
        (t.spec.name, state_word(t), len(t.entrants), f"{t.matches_done}/{t.matches_total}", t.tournament, t.spec.title)
        for t in found
    ]
    columns = ("name", "state", "bots", "matches", "id", "title")
    stdout().print(table(columns, rows, right=("bots", "matches")))


@app.command(epilog=example_text("arena tournament show spring-cup"))
def show(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Show a tournament: what it is, where it stands, who plays."""
    with connect(server, token_file) as api:
        found = api.ask(api.stub.GetTournament, pb.GetTournamentRequest(tournament=tournament)).tournament
    if as_json:
        print_json(plain(found))
    else:
        show_tournament(found)


@app.command(
    epilog=example_text(
        """
        arena tournament watch spring-cup
        arena tournament watch spring-cup --json | jq '.tournament.matches_done'
        """
    )
)
def watch(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Watch progress and standings until the tournament is over. With --json, a line whenever something changed."""
    watch_tournament(tournament, server, token_file, as_json=as_json)


@app.command(
    epilog=example_text(
        """
        arena tournament export spring-cup --out spring-cup
        arena tournament export spring-cup --records - | arena record check -
        """
    )
)
def export(
    tournament: Name,
    *,
    out: Annotated[
        Path | None, typer.Option(parser=path, metavar="DIR", help="A directory for records.jsonl and standings.json.")
    ] = None,
    records: Annotated[str | None, typer.Option(help="A file for the records alone, or - for stdout.")] = None,
    server: Server = DEFAULT_SERVER,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Write the released records, one a line in schedule order, and the canonical standings."""
    if (out is None) == (records is None):
        raise Misuse("say where to: --out DIR for records and standings, or --records FILE")
    if records == "-" and as_json:
        raise Misuse("--records - and --json both want stdout; leave one out")
    with connect(server, token_file) as api:
        written = export_to(api, tournament, out, records)
    if as_json:
        print_json(written)


@app.command(
    epilog=example_text("arena tournament matches spring-cup --json | jq '.[] | select(.state == \"parked\")'")
)
def matches(
    tournament: Name, *, server: Server = DEFAULT_SERVER, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """List matches in schedule order."""
    with connect(server, token_file) as api:
        found = _all_matches(api, tournament)
    if as_json:
        print_json([plain(match) for match in found])
        return
    rows = [
        (
            m.number,
            m.round,
            m.block,
            " ".join(map(str, m.seating)),
            word(pb.MatchState.DESCRIPTOR, m.state),
            " ".join(map(str, m.totals)),
            " ".join(map(str, m.places)),
            sum(m.faults) or "",
            m.attempt or "",
        )
        for m in found
    ]
    columns = ("match", "round", "block", "seating", "state", "totals", "places", "faults", "attempt")
    stdout().print(table(columns, rows, right=("match", "round", "block", "faults", "attempt")))


_NEXT: Final = {
    pb.TOURNAMENT_STATE_OPEN: "enter {0} BOT..., then arena tournament start {0}",
    pb.TOURNAMENT_STATE_RUNNING: "watch {}",
    pb.TOURNAMENT_STATE_PAUSED: "resume {}",
    pb.TOURNAMENT_STATE_CANCELLED: "export {0} --out {0}",
    pb.TOURNAMENT_STATE_FINISHED: "export {0} --out {0}",
}


def _change(
    tournament: str, change: pb.TournamentChange.ValueType, server: str, token_file: Path | None, *, as_json: bool
) -> None:
    with connect(server, token_file) as api:
        request = pb.ChangeTournamentRequest(tournament=tournament, change=change)
        changed = api.ask(api.stub.ChangeTournament, request).tournament
    if as_json:
        print_json(plain(changed))
    else:
        note(f"{changed.spec.name} is {state_word(changed)}" + (f": {changed.attention}" if changed.attention else ""))
        note(f"next: arena tournament {_NEXT[changed.state].format(changed.spec.name)}")


def _confirm(question: str, *, yes: bool) -> None:
    if yes:
        return
    if not _is_terminal():
        raise Misuse("this cannot be undone; say --yes where nobody can be asked")
    typer.confirm(question, abort=True, err=True)


def _is_terminal() -> bool:
    import sys  # noqa: PLC0415

    return sys.stdin.isatty()


def _all_tournaments(api: Api) -> list[pb.Tournament]:
    def fetch(after: str) -> tuple[list[pb.Tournament], str]:
        page = api.ask(api.stub.ListTournaments, pb.ListTournamentsRequest(page_size=1000, page_token=after))
        return list(page.tournaments), page.next_page_token

    return list(pages(fetch))


def _all_matches(api: Api, tournament: str) -> list[pb.Match]:
    def fetch(after: str) -> tuple[list[pb.Match], str]:
        request = pb.ListMatchesRequest(tournament=tournament, page_size=1000, page_token=after)
        page = api.ask(api.stub.ListMatches, request)
        return list(page.matches), page.next_page_token

    return list(pages(fetch))
