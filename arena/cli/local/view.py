"""What a run shows while it goes on: a live table on a terminal, a line every few seconds elsewhere. All on stderr."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from arena.cli.output import note, stderr, warn
from arena.cli.ranking import Pace, leaders, legend, ranking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hearts.v1 import arena_service_pb2 as pb

_EVERY: Final = 5.0


class View(Protocol):
    """Where progress is shown."""

    def show(self, news: pb.WatchTournamentResponse, remarks: Mapping[str, str]) -> None:
        """Show where the tournament stands."""

    def warn(self, text: str) -> None:
        """Show a warning that stays."""

    def close(self) -> None:
        """Show nothing more."""


class LiveView:
    """A table that is redrawn in place."""

    def __init__(self) -> None:
        self._pace: Final = Pace()
        self._live: Final = Live(console=stderr(), auto_refresh=False, transient=True)
        self._live.start()

    def show(self, news: pb.WatchTournamentResponse, remarks: Mapping[str, str]) -> None:
        """Redraw the table."""
        parts: list[RenderableType] = [ranking(news.standings, remarks), Text(legend(news.standings), style="dim")]
        parts.append(Text(self._pace.line(news.tournament)))
        if news.tournament.attention:
            parts.append(Text(news.tournament.attention, style="yellow"))
        self._live.update(Group(*parts), refresh=True)

    def warn(self, text: str) -> None:
        """Print a warning above the table."""
        self._live.console.print(Text(f"arena: warning: {text}"))

    def close(self) -> None:
        """Take the table away."""
        self._live.stop()


class PlainView:
    """A line every few seconds, for logs."""

    def __init__(self) -> None:
        self._pace: Final = Pace()
        self._next = time.monotonic()
        self._attention = ""

    def show(self, news: pb.WatchTournamentResponse, remarks: Mapping[str, str]) -> None:
        """Print a line if it is time for one."""
        line = self._pace.line(news.tournament)
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        best = leaders(news.standings)
        away = "; ".join(f"{name} {remark}" for name, remark in remarks.items())
        note(" | ".join(part for part in (line, best, away) if part))
        if news.tournament.attention != self._attention:
            self._attention = news.tournament.attention
            if self._attention:
                note(f"arena: {self._attention}")

    def warn(self, text: str) -> None:
        """Print a warning."""
        warn(text)

    def close(self) -> None:
        """Do nothing."""


def new_view() -> View:
    """Return the view that suits stderr."""
    return LiveView() if stderr().is_terminal else PlainView()
