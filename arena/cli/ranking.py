"""Standings and progress for people."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.output import counted, table
from arena.cli.plain import Plain, plain, word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.table import Table

_COLUMNS: Final = ("rank", "bot", "score", "95 %", "deals", "faults")


def ranking(standings: pb.Standings, remarks: Mapping[str, str] | None = None) -> Table:
    """Return the standings as a table; *remarks* by bot name stand in a column of their own."""
    remarks = remarks or {}
    columns = (*_COLUMNS, "") if remarks else _COLUMNS
    rows = []
    for row in standings.rows:
        cells = [rank_text(row), row.name, score_text(row), interval_text(row), row.deals, row.faults]
        rows.append([*cells, remarks.get(row.name, "")] if remarks else cells)
    return table(columns, rows, right=("rank", "score", "95 %", "deals", "faults"))


def rank_text(row: pb.Standing) -> str:
    """Return a rank, or a dash for who has not played yet."""
    return str(row.rank) if row.deals else "-"


def score_text(row: pb.Standing) -> str:
    """Return a score, or a dash for who has not played yet."""
    return f"{row.score:+.2f}" if row.deals else "-"


def interval_text(row: pb.Standing) -> str:
    """Return the half width of a score's interval, or a dash while it is not known."""
    return f"±{row.interval:.2f}" if row.interval >= 0 else "-"


def legend(standings: pb.Standings) -> str:
    """Return what the numbers of a ranking mean."""
    used, total = standings.blocks_used, counted(standings.blocks_total, "block")
    text = f"score: points a deal better than the field; 95 %: its interval; {used} of {total}"
    if used and not any(row.interval >= 0 for row in standings.rows):
        text += ", too few for an interval"
    return text


def standings_json(standings: pb.Standings) -> dict[str, Plain]:
    """Return standings as JSON, without the canonical bytes, which are a document of their own."""
    return {name: value for name, value in plain(standings).items() if name != "canonical_json"}


def tournament_json(tournament: pb.Tournament) -> dict[str, Plain]:
    """Return a tournament as JSON."""
    return plain(tournament)


def state_word(tournament: pb.Tournament) -> str:
    """Return where a tournament stands, in a word."""
    return word(pb.TournamentState.DESCRIPTOR, tournament.state)


def span(seconds: float) -> str:
    """Return a time for people: `0:07`, `12:30`, `3:04:05`."""
    whole = max(0, round(seconds))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Pace:
    """How fast a tournament goes since this watching of it began, and so how long it takes yet."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock: Final = clock
        self._began: tuple[float, int, int] | None = None

    def line(self, tournament: pb.Tournament) -> str:
        """Return the progress in one line."""
        done, total, deals = tournament.matches_done, tournament.matches_total, tournament.deals_done
        now = self._clock()
        if self._began is None:
            self._began = (now, done, deals)
        began, done_before, deals_before = self._began
        seconds = now - began
        parts = [f"{done}/{counted(total, 'match')}", counted(deals, "deal")]
        if seconds > 0 and deals > deals_before:
            parts.append(f"{(deals - deals_before) / seconds:.0f} deals/s")
        if seconds > 0 and done > done_before and done < total:
            parts.append(f"{span((total - done) * seconds / (done - done_before))} left")
        if tournament.matches_parked:
            parts.append(f"{tournament.matches_parked} parked")
        return ", ".join(parts)


def leaders(standings: pb.Standings, count: int = 3) -> str:
    """Return the best bots in one line."""
    best = [row for row in standings.rows[:count] if row.deals]
    return "; ".join(f"{row.rank}. {row.name} {score_text(row)} {interval_text(row)}" for row in best)
