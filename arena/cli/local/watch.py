"""Watches a tournament in a thread of its own, through restarts of the server's parts."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Refused, dial
from arena.cli.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

_RETRY_SECONDS: Final = 0.5


class Watcher:
    """The latest news of one tournament. *where* tells where the API is now."""

    def __init__(self, where: Callable[[], str], token: str, tournament: str) -> None:
        self._where: Final = where
        self._token: Final = token
        self._request: Final = pb.WatchTournamentRequest(tournament=tournament, interval_millis=500)
        self._news: SimpleQueue[pb.WatchTournamentResponse | Failure] = SimpleQueue()
        self._closed: Final = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def next(self, timeout: float) -> pb.WatchTournamentResponse | None:
        """Return the latest news, None if there are none within *timeout* seconds. Raises what the server refused."""
        try:
            news = self._news.get(timeout=timeout)
            while not self._news.empty():
                news = self._news.get_nowait()
        except Empty:
            return None
        if isinstance(news, Failure):
            raise news
        return news

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with dial(self._where(), self._token) as api:
                    for news in api.stream(api.stub.WatchTournament, self._request):
                        self._news.put(news)
                        if self._closed.is_set() or news.tournament.state in (
                            pb.TOURNAMENT_STATE_FINISHED,
                            pb.TOURNAMENT_STATE_CANCELLED,
                        ):
                            return
            except Refused as error:
                self._news.put(error)
                return
            except (Failure, OSError, ValueError, KeyError):  # a part of the server is being restarted
                pass
            self._closed.wait(_RETRY_SECONDS)
