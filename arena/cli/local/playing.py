"""What `arena run` and `arena demo` share: a run is checked, played, and told of."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from arena.cli.errors import Misuse
from arena.cli.local.bots import check_commands, read_bots
from arena.cli.local.conductor import Conductor, Played
from arena.cli.local.layout import Layout, Settings, create, held, load, save
from arena.cli.local.signals import Signals
from arena.cli.options import duration
from arena.cli.output import counted, note, print_json, stdout
from arena.cli.ranking import legend, ranking, standings_json, state_word, tournament_json
from arena.schedule.plan import Boards, Format, PlanError, check, check_worth
from referee.rules.presets import resolve
from referee.rules.variant import VariantError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hearts.v1 import arena_service_pb2 as pb

    from arena.cli.local.bots import LocalBot
    from arena.cli.plain import Plain
    from referee.rules.variant import Variant


def check_bots(bots: Sequence[LocalBot], variant: Variant, cwd: Path, boards: str | None) -> None:
    """Raise `Misuse` if the bots do not fill a table or *boards* cannot do its work, `Failure` if one cannot start."""
    if len(bots) < variant.players:
        fewer = ""
        with suppress(VariantError):
            resolve(variant.preset, players=len(bots))
            fewer = f", or choose a smaller table with --players {len(bots)}"
        raise Misuse(
            f"{counted(len(bots), 'bot')} cannot fill a table: {variant.preset} is played by {variant.players} here; "
            f"give --bot once for each (the same command may be given twice){fewer}"
        )
    if boards is not None:
        try:
            wanted = Format(players=variant.players, boards=Boards(boards))
            check(wanted, len(bots), target=variant.target)
            check_worth(wanted, len(bots))
        except PlanError as error:
            raise Misuse(f"--boards {boards}: {error.reason}") from None
    check_commands(bots, cwd)


def resume_settings(
    layout: Layout, bots: Sequence[str], port: int, referee_port: int, start_timeout: str | None
) -> Settings:
    """Return the settings of the run in *layout*, with those that a resumed run may change."""
    settings = load(layout)
    known = {bot.name: bot for bot in settings.bots}
    for bot in read_bots(bots):
        if bot.name not in known:
            names = ", ".join(known)
            raise Misuse(f"the run in {layout.root} has no bot {bot.name!r}, so it cannot be replaced; it has {names}")
        known[bot.name] = bot
    settings = replace(
        settings,
        bots=tuple(known.values()),
        port=port or settings.port,
        referee_port=referee_port or settings.referee_port,
        start_timeout=settings.start_timeout if start_timeout is None else duration(start_timeout, "--start-timeout"),
    )
    check_commands(settings.bots, settings.cwd)
    return settings


def play(layout: Layout, settings: Settings, *, as_json: bool, fresh: bool) -> Played:
    """Play a run to its end and print what came of it."""
    played = conduct(layout, settings, fresh=fresh)
    if as_json:
        print_json(document(layout, played))
    else:
        tell(layout, played)
    return played


def conduct(
    layout: Layout,
    settings: Settings,
    *,
    fresh: bool,
    until: Callable[[pb.WatchTournamentResponse], bool] | None = None,
) -> Played:
    """Play a run to its end, in a new directory if it is *fresh*."""
    if fresh:
        create(layout, settings)
    with held(layout), Signals() as signals:
        if not fresh:
            save(layout, settings)
        note(f"running in {layout.root}")
        return Conductor(layout, settings, signals, until=until).play()


def document(layout: Layout, played: Played) -> dict[str, Plain]:
    """Return what came of a run as JSON."""
    return {
        "tournament": tournament_json(played.tournament),
        "standings": standings_json(played.standings),
        "out": str(layout.root),
        "records_file": str(layout.records),
        "standings_file": str(layout.standings),
        "warnings": list(played.warnings),
    }


def tell(layout: Layout, played: Played) -> None:
    """Print what came of a run: the ranking, where everything lies, and what to do next."""
    out = stdout()
    done, deals = played.tournament.matches_done, played.tournament.deals_done
    out.print(Text(f"{state_word(played.tournament)}: {counted(done, 'match')}, {counted(deals, 'deal')}"))
    out.print()
    out.print(ranking(played.standings))
    out.print()
    out.print(Text(legend(played.standings), style="dim"))
    if any(row.faults for row in played.standings.rows):
        out.print(Text("faults: decisions that a bot did not make in time and by the rules; its log may say why"))
    out.print(Text(f"records   {layout.records}\nstandings {layout.standings}\nbots said {layout.bots}/*.log"))
    out.print(Text(f"next      arena record check {shlex.quote(str(layout.records))}"))
