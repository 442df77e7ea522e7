"""Watches a tournament on a server: a live table on a terminal, lines elsewhere, JSON lines for scripts.

A tournament may take hours, and survives restarts of the server and of its storage. So does who watches it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from hearts.v1 import arena_service_pb2 as pb
from rich.text import Text

from arena.cli.client import Unreachable, connect
from arena.cli.local.view import new_view
from arena.cli.output import print_json, stdout, warn
from arena.cli.plain import plain
from arena.cli.ranking import legend, ranking, standings_json, state_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE: Final = 300.0
"""Seconds that a server may be away once it has told something."""

RETRY_SECONDS: Final = 1.0
_OVER: Final = (pb.TOURNAMENT_STATE_FINISHED, pb.TOURNAMENT_STATE_CANCELLED)


def watch_tournament(tournament: str, server: str, token_file: Path | None, *, as_json: bool) -> None:
    """Show news until the tournament is over, then its standings."""
    if as_json:
        for news in _news(tournament, server, token_file, warn):
            print_json({"tournament": plain(news.tournament), "standings": standings_json(news.standings)})
        return
    last = pb.WatchTournamentResponse()
    view = new_view()
    try:
        for last in _news(tournament, server, token_file, view.warn):
            view.show(last, {})
    finally:
        view.close()
    stdout().print(ranking(last.standings))
    stdout().print(Text(f"{state_word(last.tournament)}; {legend(last.standings)}", style="dim"))


def _news(
    tournament: str, server: str, token_file: Path | None, tell: Callable[[str], None]
) -> Iterator[pb.WatchTournamentResponse]:
    """Yield news, the last of them that the tournament is over, and *tell* of each outage once.

    Raises `Unreachable` if the server has never answered or is away for too long, and what it refuses.
    """
    deadline: float | None = 0.0
    while True:
        try:
            for news in _stream(tournament, server, token_file):
                deadline = None
                yield news
                if news.tournament.state in _OVER:
                    return
        except Unreachable as away:
            if deadline is None:
                deadline = time.monotonic() + PATIENCE
                tell(f"{away} (watching goes on if it is back within {PATIENCE / 60:.0f} minutes)")
            elif time.monotonic() > deadline:
                raise
        time.sleep(RETRY_SECONDS)


def _stream(tournament: str, server: str, token_file: Path | None) -> Iterator[pb.WatchTournamentResponse]:
    """Yield the news of one call. Its end is no answer: the caller goes once the tournament is over."""
    request = pb.WatchTournamentRequest(tournament=tournament, interval_millis=500)
    with connect(server, token_file) as api:
        yield from api.stream(api.stub.WatchTournament, request)
    raise Unreachable(f"the server ended the watching of {tournament!r} without a word; is it stopping?")
