"""Plays tournaments of the catalogue on one server, by the same few bot processes, several tournaments at a time.

All of it lives in one directory, the server's data too, so a run that was stopped goes on where it was: tournaments
whose records are there are not played again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Api, Unreachable, all_bots, dial
from arena.cli.errors import Failure
from arena.cli.export import export
from arena.cli.local.bots import LocalBot
from arena.cli.local.enrol import enrol, get_tournament
from arena.cli.local.fleet import Fleet
from arena.cli.local.layout import Layout, Settings
from arena.cli.local.server import LocalServer
from tests.e2e.variants.catalogue import Entry

BOT: Final = "python -m hearts_bot.bots.random"
AT_ONCE: Final = 8
_STEP: Final = 0.1
_STUCK: Final = 300.0
_NOT_YET: Final = (pb.TOURNAMENT_STATE_DRAFT, pb.TOURNAMENT_STATE_OPEN)

Look = Callable[[], None]


@dataclass(slots=True)
class Hall:
    """A server and its bots. *look* is called while waiting, and may raise to stop."""

    layout: Layout
    server: LocalServer
    api: Api
    bots: tuple[LocalBot, ...]
    look: Look
    fleet: Fleet | None = None
    running: dict[str, Entry] = field(default_factory=dict)
    moved: float = field(default_factory=time.monotonic)

    def records_file(self, entry: Entry) -> Path:
        """Return where the records of a tournament go."""
        return records_file(self.layout.root, entry)

    def start(self, entry: Entry) -> None:
        """Set a tournament going, or let it go on."""
        spec = entry.spec()
        settings = Settings(spec, self.bots[: entry.players], Path.cwd())
        ids, tokens = enrol(self.api, self.layout, settings)
        if self.fleet is None:
            self.fleet = self._gather(ids, tokens)
        tournament = get_tournament(self.api, spec.name)
        if tournament.state != pb.TOURNAMENT_STATE_FINISHED:
            started = tournament.state not in _NOT_YET
            change = pb.TOURNAMENT_CHANGE_RESUME if started else pb.TOURNAMENT_CHANGE_START
            request = pb.ChangeTournamentRequest(tournament=spec.name, change=change)
            self.api.ask(self.api.stub.ChangeTournament, request)
        self.running[spec.name] = entry
        self.moved = time.monotonic()

    def finished(self) -> Iterator[Entry]:
        """Export the tournaments that are over, and yield them."""
        self.look()
        self.server.check()
        assert self.fleet is not None
        warnings, _ = self.fleet.look_after()
        if warnings:
            raise Failure(warnings[0])
        for name, entry in list(self.running.items()):
            tournament = get_tournament(self.api, name)
            if tournament.matches_parked:
                raise Failure(f"{name}: a match was given up: {tournament.attention}")
            if tournament.state == pb.TOURNAMENT_STATE_FINISHED:
                export(self.api, name, None, self.records_file(entry), None)
                del self.running[name]
                self.moved = time.monotonic()
                yield entry
        if time.monotonic() - self.moved > _STUCK:
            raise Failure(f"no tournament has ended for {_STUCK:.0f} s; running: {', '.join(self.running)}")

    def _gather(self, ids: dict[str, str], tokens: dict[str, str]) -> Fleet:
        names = {ident: name for name, ident in ids.items()}
        settings = Settings(pb.TournamentSpec(), self.bots, Path.cwd())
        fleet = Fleet(self.layout, settings, self.server.referee, tokens)
        fleet.start(lambda _: None)
        try:
            fleet.wait_present(lambda: {names[bot.bot] for bot in all_bots(self.api) if bot.sessions}, self.look)
        except BaseException:
            fleet.stop()
            raise
        return fleet


def records_file(out: Path, entry: Entry) -> Path:
    """Return where the records of a tournament go below *out*."""
    return out / "records" / f"{entry.name}.jsonl"


def play(
    out: Path,
    entries: Sequence[Entry],
    look: Look = lambda: None,
    *,
    at_once: int = AT_ONCE,
    commands: Sequence[str] = (BOT,),
) -> Iterator[Entry]:
    """Play all *entries*, the widest table first, and yield each as its records are written below *out*.

    The bots are started by *commands* in turn.

    Raises `Failure` when the service fails: a process ends, a match is given up, nothing moves any more, or errors are
    in the server's log at the end.
    """
    waiting = sorted((entry for entry in entries if not records_file(out, entry).exists()), key=lambda e: -e.players)
    if not waiting:
        return
    with _hall(out, waiting[0].players, look, commands) as hall:
        while waiting or hall.running:
            while waiting and len(hall.running) < at_once:
                hall.start(waiting.pop(0))
            yield from hall.finished()
            time.sleep(_STEP)


@contextmanager
def _hall(out: Path, seats: int, look: Look, commands: Sequence[str]) -> Iterator[Hall]:
    layout = Layout(out)
    layout.bots.mkdir(parents=True, exist_ok=True)
    (out / "records").mkdir(exist_ok=True)
    server = LocalServer(layout, 0, 0)
    hall: Hall | None = None
    try:
        server.wait_ready(look)
        with dial(server.api, server.token) as api:
            _until_it_answers(api, look)
            bots = tuple(LocalBot(f"bot-{seat + 1}", commands[seat % len(commands)]) for seat in range(seats))
            hall = Hall(layout, server, api, bots, look)
            yield hall
    finally:
        server.child.terminate()  # before the bots, who are needed to bring deals to their end
        server.child.close()
        server.log.close()
        if hall is not None and hall.fleet is not None:
            hall.fleet.stop()
    if errors := server.errors():
        raise Failure(f"the server logged errors: {', '.join(sorted(set(errors)))}; see {layout.server_log}")


def _until_it_answers(api: Api, look: Look) -> None:
    deadline = time.monotonic() + 10
    while True:
        look()
        try:
            all_bots(api)
        except Unreachable:
            if time.monotonic() > deadline:
                raise
            time.sleep(_STEP)
        else:
            return
