"""Plays one local run through: server up, bots up, tournament to its end, results on disk, everything down again.

Whatever happens, the way out is the same: the server is asked to end first, while the bots are still there to finish
their deals with, then the bots; and nothing that was started is left.
"""

from __future__ import annotations

import shlex
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Api, Unreachable, all_bots, dial
from arena.cli.errors import INTERRUPTED, Failure, Stopped
from arena.cli.export import export
from arena.cli.local.enrol import enrol, get_tournament
from arena.cli.local.fleet import Fleet
from arena.cli.local.server import GRACE, LocalServer
from arena.cli.local.view import View, new_view
from arena.cli.local.watch import Watcher
from arena.cli.output import counted, note, warn
from arena.storage.embedded import EmbeddedValkey, is_busy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.cli.local.layout import Layout, Settings
    from arena.cli.local.signals import Signals

_STUCK_SECONDS: Final = 5.0
_LAST_WORDS_SECONDS: Final = 3.0
_OVER: Final = (pb.TOURNAMENT_STATE_FINISHED, pb.TOURNAMENT_STATE_CANCELLED)


@dataclass(slots=True)
class Played:
    """How a run ended."""

    tournament: pb.Tournament
    standings: pb.Standings
    warnings: list[str] = field(default_factory=list)


class Conductor:
    """One run of a layout. *until* may end it early, by cancelling the tournament: it is asked with all news."""

    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        signals: Signals,
        *,
        until: Callable[[pb.WatchTournamentResponse], bool] | None = None,
    ) -> None:
        self._layout: Final = layout
        self._settings: Final = settings
        self._signals: Final = signals
        self._until: Final = until
        self._warnings: Final[list[str]] = []
        self._name: Final = settings.spec.name

    def play(self) -> Played:
        """Play to the end. Raises `Stopped` with the command that resumes, and `Failure` for what went wrong."""
        try:
            with self._server() as server, dial(server.api, server.token) as api:
                return self._told_by_server(server, lambda: self._with_server(server, api))
        except (Stopped, KeyboardInterrupt) as stopped:
            code = stopped.code if isinstance(stopped, Stopped) else INTERRUPTED
            raise Stopped(f"stopped; nothing is lost. Go on with\n  {self.resume_command}", code) from None
        except Failure as failure:
            if self.resume_command in str(failure):
                raise
            raise Failure(f"{failure}\nMend it, and go on with\n  {self.resume_command}") from None

    @staticmethod
    def _told_by_server(server: LocalServer, do: Callable[[], Played]) -> Played:
        """Do it; where the API is gone because the server is, let the server say why."""
        try:
            return do()
        except Unreachable:
            server.child.wait(_LAST_WORDS_SECONDS)
            server.check()
            raise

    @property
    def resume_command(self) -> str:
        """The command that goes on from here."""
        return f"arena run --resume {shlex.quote(str(self._layout.root))}"

    @contextmanager
    def _server(self) -> Iterator[LocalServer]:
        self._await_predecessor()
        server = LocalServer(self._layout, self._settings.port, self._settings.referee_port)
        try:
            server.wait_ready(self._signals.look)
            yield server
        finally:
            self._signals.ending = True
            self._stop(server)
            if server.child.poll():  # it did not end by itself, so its storage may still run
                EmbeddedValkey(self._layout.server).sweep()
            server.log.close()
            self._tell_errors(server)

    def _await_predecessor(self) -> None:
        """Wait while the server of a run that was killed puts its matches away; it stops by itself."""
        deadline, told = time.monotonic() + GRACE, False
        while is_busy(self._layout.server) and time.monotonic() < deadline:
            self._signals.look()
            if not told:
                told = True
                note("waiting for the server of the run before, which is about to end")
            time.sleep(0.1)

    def _with_server(self, server: LocalServer, api: Api) -> Played:
        bots, tokens = self._patiently(server, lambda: enrol(api, self._layout, self._settings))
        tournament = get_tournament(api, self._name)
        if tournament.state not in _OVER:
            fleet = Fleet(self._layout, self._settings, server.referee, tokens)
            try:
                self._start(server, api, fleet, bots)
                self._set_going(api, tournament)
                tournament = self._follow(server, api, fleet, bots)
            finally:
                self._end(server, fleet)
        return self._results(tournament, api)

    def _tell_errors(self, server: LocalServer) -> None:
        """Warn of errors in the server's log: they are ours, and nobody would look for them there."""
        if errors := server.errors():
            kinds = ", ".join(f"{event} ({count})" for event, count in Counter(errors).items())
            text = f"the server logged errors, which are the arena's own: {kinds}; see {self._layout.server_log}"
            self._warnings.append(text)
            warn(text)

    def _patiently(
        self, server: LocalServer, ask: Callable[[], tuple[dict[str, str], dict[str, str]]]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Ask until the API answers; it may need a moment after the server says that it is up."""
        deadline = time.monotonic() + 10
        while True:
            self._signals.look()
            server.check()
            try:
                return ask()
            except Unreachable:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def _start(self, server: LocalServer, api: Api, fleet: Fleet, bots: dict[str, str]) -> None:
        """Start the bots and wait until all are there."""
        fleet.start(note)
        self._gather(server, api, fleet, bots)

    def _gather(self, server: LocalServer, api: Api, fleet: Fleet, bots: dict[str, str]) -> None:
        names = {ident: name for name, ident in bots.items()}

        def look() -> None:
            self._signals.look()
            server.check()

        fleet.wait_present(lambda: {names[bot.bot] for bot in all_bots(api) if bot.sessions and bot.bot in names}, look)

    def _set_going(self, api: Api, tournament: pb.Tournament) -> None:
        change = pb.TOURNAMENT_CHANGE_RESUME
        if tournament.state in (pb.TOURNAMENT_STATE_DRAFT, pb.TOURNAMENT_STATE_OPEN):
            change = pb.TOURNAMENT_CHANGE_START
        else:
            note(f"resuming: {tournament.matches_done} of {counted(tournament.matches_total, 'match')} done")
        api.ask(api.stub.ChangeTournament, pb.ChangeTournamentRequest(tournament=self._name, change=change))

    def _follow(self, server: LocalServer, api: Api, fleet: Fleet, bots: dict[str, str]) -> pb.Tournament:
        """Show progress and look after the bots until the tournament is over."""
        view = new_view()
        watcher = Watcher(lambda: server.api, server.token, self._name)
        stuck_since: float | None = None
        try:
            while True:
                self._signals.look()
                server.check()
                self._look_after(api, fleet, bots, view)
                news = watcher.next(timeout=0.1)
                if news is None:
                    continue
                view.show(news, fleet.remarks())
                if news.tournament.state in _OVER:
                    return news.tournament
                if self._until is not None and self._until(news):
                    return self._cancel(api)
                stuck_since = self._check_stuck(news.tournament, stuck_since)
        finally:
            watcher.close()
            view.close()

    def _look_after(self, api: Api, fleet: Fleet, bots: dict[str, str], view: View) -> None:
        warnings, given_up = fleet.look_after()
        for text in warnings:
            self._warnings.append(text)
            view.warn(text)
        for name in given_up:
            api.ask(api.stub.WithdrawBot, pb.WithdrawBotRequest(tournament=self._name, bot=bots[name]))

    def _check_stuck(self, tournament: pb.Tournament, since: float | None) -> float | None:
        """Raise `Failure` once all that is left to play has been given up for a while."""
        left = tournament.matches_total - tournament.matches_done
        if not tournament.matches_parked or tournament.matches_parked < left:
            return None
        if since is not None and time.monotonic() - since > _STUCK_SECONDS:
            raise Failure(
                f"given up after several attempts: {counted(tournament.matches_parked, 'match')} "
                f"({tournament.attention or 'no reason is known'}); see {self._layout.server_log}, "
                f"then try them again with\n  {self.resume_command}"
            )
        return since or time.monotonic()

    def _cancel(self, api: Api) -> pb.Tournament:
        request = pb.ChangeTournamentRequest(tournament=self._name, change=pb.TOURNAMENT_CHANGE_CANCEL)
        return api.ask(api.stub.ChangeTournament, request).tournament

    def _end(self, server: LocalServer, fleet: Fleet) -> None:
        """Take the bots down; on the way out of an interrupted run, the server before them."""
        self._signals.ending = True
        try:
            if self._signals.caught is not None:
                note("stopping: matches are put away at the end of their deals; Ctrl-C again to stop at once")
                self._stop(server)
        finally:
            fleet.stop()
            if fleet.by_hand:
                names = ", ".join(fleet.by_hand)
                note(f"started by hand, and so to be stopped by hand: {names}")

    def _stop(self, server: LocalServer) -> None:
        """End the server; a signal meanwhile makes it not wait for deals to end."""
        server.child.terminate()
        deadline, hurried = time.monotonic() + GRACE, False
        while not server.child.wait(0.05) and time.monotonic() < deadline:
            if self._signals.hurried and not hurried:
                hurried = True
                server.child.hurry()
        server.child.close()

    def _results(self, tournament: pb.Tournament, api: Api) -> Played:
        standings = api.ask(api.stub.GetStandings, pb.GetStandingsRequest(tournament=self._name)).standings
        export(api, self._name, standings, self._layout.records, self._layout.standings)
        if tournament.state != pb.TOURNAMENT_STATE_FINISHED:
            total = counted(tournament.matches_total, "match")
            warn(f"the tournament was cancelled after {tournament.matches_done} of {total}")
        return Played(tournament, standings, self._warnings)
