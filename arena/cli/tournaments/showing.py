"""A tournament for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hearts.v1 import arena_service_pb2 as pb
from rich.text import Text

from arena.cli.output import stdout, table
from arena.cli.plain import word
from arena.cli.ranking import state_word

if TYPE_CHECKING:
    from hearts.v1.referee_service_pb2 import Clock


def show_tournament(tournament: pb.Tournament) -> None:
    """Print what a tournament is, where it stands and who plays."""
    out = stdout()
    rows = [(Text(name, style="bold"), value) for name, value in _facts(tournament) if value]
    grid = table(("", ""), rows)
    grid.show_header = False
    out.print(grid)
    if tournament.entrants:
        out.print()
        entrants = [(e.number, e.name, e.bot, _standing(e)) for e in tournament.entrants]
        out.print(table(("number", "name", "bot", ""), entrants, right=("number",)))


def _standing(entrant: pb.Entrant) -> str:
    """Return whether an entrant is there and plays, and if not, why, where the arena knows."""
    state = "withdrawn" if entrant.withdrawn else "present" if entrant.present else "absent"
    return f"{state}: {entrant.reason}" if entrant.reason else state


def _facts(tournament: pb.Tournament) -> list[tuple[str, str]]:
    spec, rules = tournament.spec, tournament.rules
    length = f"to {rules.target} points" if rules.target else f"{rules.deals} deals a match"
    differing = ", ".join(f"{name}={value}" for name, value in sorted(spec.options.items()))
    played = f"{tournament.matches_done} of {tournament.matches_total} done"
    if tournament.matches_running:
        played += f", {tournament.matches_running} running"
    if tournament.matches_parked:
        played += f", {tournament.matches_parked} parked"
    return [
        ("name", spec.name),
        ("id", tournament.tournament),
        ("title", spec.title),
        ("state", state_word(tournament)),
        ("attention", tournament.attention),
        ("rules", f"{spec.preset or 'standard'}, {rules.players} players, {length}"),
        ("options", differing),
        ("boards", word(pb.Boards.DESCRIPTOR, spec.boards) if spec.boards else "chosen at the start"),
        ("passes", str(spec.passes or 1)),
        ("clock", _clock(spec.clock) if spec.HasField("clock") else "the server's default"),
        ("matches", played if tournament.matches_total else "planned at the start"),
        ("deals", str(tournament.deals_done or "")),
        ("seed", spec.seed),
        ("commitment", tournament.commitment),
        (
            "secret",
            f"{tournament.revealed_secret} (round {tournament.revealed_round})" if tournament.revealed_round else "",
        ),
    ]


def _clock(clock: Clock) -> str:
    if not clock.decision_millis:
        return f"none, watchdog {clock.watchdog_millis / 1000:g} s"
    return f"{clock.decision_millis / 1000:g} s a decision, {clock.bank_millis / 1000:g} s in the bank"
