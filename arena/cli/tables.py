"""A tournament as tables for spreadsheets and notebooks, and as one JSON document.

`standings.csv`, `matches.csv` and `faults.csv` have a header line; empty cells are not known. `tournament.json` holds
what the tournament was and, with the seed or the secret and its commitment, what it takes to deal its cards again.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Final

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import pages
from arena.cli.files import write_atomically
from arena.cli.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from arena.cli.client import Api

_PAGE: Final = 1000
_STANDINGS: Final = (
    "rank",
    "entrant",
    "name",
    "score",
    "interval",
    "score_clean",
    "deals",
    "matches",
    "faults",
    "faulty_deals",
)
_MATCHES: Final = ("match", "round", "block", "position", "entrant", "name", "total", "place", "faults", "termination")
_FAULTS: Final = ("entrant", "name", "matches", "matches_with_faults", "faults")


def write_tables(api: Api, name: str, standings: pb.Standings, directory: Path) -> None:
    """Write all four files into *directory*, each whole or not at all."""
    tournament = api.ask(api.stub.GetTournament, pb.GetTournamentRequest(tournament=name)).tournament
    names = {entrant.number: entrant.name for entrant in tournament.entrants}
    matches = [match for match in _matches(api, name) if match.totals]
    tables = {
        "standings.csv": _csv(_STANDINGS, _standing_rows(standings)),
        "matches.csv": _csv(_MATCHES, _match_rows(matches, names)),
        "faults.csv": _csv(_FAULTS, _fault_rows(matches, names)),
        "tournament.json": json.dumps(plain(tournament), indent=1, sort_keys=True).encode() + b"\n",
    }
    for file, data in tables.items():
        write_atomically(directory / file, data)


def _matches(api: Api, name: str) -> Iterable[pb.Match]:
    def page(token: str) -> tuple[Sequence[pb.Match], str]:
        request = pb.ListMatchesRequest(tournament=name, page_size=_PAGE, page_token=token)
        found = api.ask(api.stub.ListMatches, request)
        return found.matches, found.next_page_token

    return pages(page)


def _standing_rows(standings: pb.Standings) -> Iterable[Sequence[object]]:
    for row in standings.rows:
        interval = row.interval if row.interval >= 0 else ""
        clean = row.score_clean if row.HasField("score_clean") else ""
        yield (
            *(row.rank, row.entrant, row.name, row.score, interval, clean),
            *(row.deals, row.matches, row.faults, row.faulty_deals),
        )


def _match_rows(matches: Iterable[pb.Match], names: dict[int, str]) -> Iterable[Sequence[object]]:
    for match in matches:
        for position, entrant in enumerate(match.seating):
            yield (
                *(match.number, match.round, match.block, position, entrant, names[entrant]),
                *(match.totals[position], match.places[position], match.faults[position], match.termination),
            )


def _fault_rows(matches: Iterable[pb.Match], names: dict[int, str]) -> Iterable[Sequence[object]]:
    played, faulty, faults = (dict.fromkeys(names, 0) for _ in range(3))
    for match in matches:
        for entrant, count in zip(match.seating, match.faults, strict=True):
            played[entrant] += 1
            faulty[entrant] += count > 0
            faults[entrant] += count
    for entrant, name in names.items():
        yield entrant, name, played[entrant], faulty[entrant], faults[entrant]


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()
