"""Watches a tournament on a server: a live table on a terminal, lines elsewhere, JSON lines for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hearts.v1 import arena_service_pb2 as pb
from rich.text import Text

from arena.cli.client import connect
from arena.cli.errors import Failure
from arena.cli.local.view import new_view
from arena.cli.output import print_json, stdout
from arena.cli.plain import plain
from arena.cli.ranking import legend, ranking, standings_json, state_word

if TYPE_CHECKING:
    from pathlib import Path


def watch_tournament(tournament: str, server: str, token_file: Path | None, *, as_json: bool) -> None:
    """Show news until the tournament is over, then its standings."""
    request = pb.WatchTournamentRequest(tournament=tournament, interval_millis=500)
    last: pb.WatchTournamentResponse | None = None
    with connect(server, token_file) as api:
        if as_json:
            for news in api.stream(api.stub.WatchTournament, request):
                print_json({"tournament": plain(news.tournament), "standings": standings_json(news.standings)})
            return
        view = new_view()
        try:
            for last in api.stream(api.stub.WatchTournament, request):
                view.show(last, {})
        finally:
            view.close()
    if last is None:
        raise Failure(f"the server ended the watching of {tournament!r} without a word; is it stopping?")
    stdout().print(ranking(last.standings))
    stdout().print(Text(f"{state_word(last.tournament)}; {legend(last.standings)}", style="dim"))
