"""All tables of one stream: frames in, frames out, no network.

One request answers one response, so busy tables share frames and idle ones are not kept waiting; only when the bot
has thought for a while are the answers so far sent ahead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final

from hearts.v1 import referee_service_pb2 as pb

from hearts_bot.bot import Bot
from hearts_bot.cards import CARDS
from hearts_bot.table import SeatTable

log = logging.getLogger("hearts_bot")

FLUSH_SECONDS: Final = 0.005
"""Answers are held back for the rest of their frame at most so long."""


class Session:
    """The tables of one bot at one referee. It outlives the stream: after a reconnect its seats are still its own."""

    def __init__(self, new_bot: Callable[[], Bot], *, strict: bool = False) -> None:
        self.tables: dict[int, SeatTable] = {}
        self.decisions = 0
        self.matches = 0
        self._new_bot = new_bot
        self._strict = strict
        self._lost: set[int] = set()

    def handle(self, response: pb.PlayResponse) -> Iterator[pb.PlayRequest]:
        """Take a frame, and yield the frames that answer it: none if there is nothing to say."""
        request = pb.PlayRequest()
        if response.HasField("welcome"):
            self._welcome(response.welcome)
        for opened in response.opened:
            self._open(opened)
            request.ready.add().seat = opened.seat
        for rejection in response.rejections:
            self._reject(rejection)
        if response.updates:
            tables = self.tables
            deadline = monotonic() + FLUSH_SECONDS
            for update in response.updates:
                table = tables.get(update.seat)
                if table is None:
                    log.warning("an update for seat %d, which was never opened: ignored", update.seat)
                    continue
                table.update(update, request)
                if monotonic() > deadline:
                    self.decisions += len(request.actions)
                    yield request
                    request = pb.PlayRequest()
                    deadline = monotonic() + FLUSH_SECONDS
        for closed in response.closed:
            self._close(closed)
        for notice in response.notices:
            log.warning("the referee says%s: %s %s", _at(notice.seat), notice.code, notice.text)
        if response.HasField("draining"):
            log.info("the referee goes away in %.1f s at the latest", response.draining.remaining_millis / 1000)
        if request.actions or request.ready:
            self.decisions += len(request.actions)
            yield request

    def _welcome(self, welcome: pb.Welcome) -> None:
        log.info(
            "playing as %s (%s), session %s: at most %d tables and %d open decisions",
            welcome.bot_name,
            welcome.bot,
            welcome.session,
            welcome.max_tables,
            welcome.max_open_decisions,
        )
        for seat in self._lost:  # gone since before the last reconnect
            self.tables.pop(seat, None)
        self._lost = set(self.tables)

    def _open(self, opened: pb.SeatOpened) -> None:
        self._lost.discard(opened.seat)
        if opened.seat not in self.tables or not opened.snapshot:
            table = self.tables[opened.seat] = SeatTable(self._new_bot(), opened, strict=self._strict)
            table.start()

    def _close(self, closed: pb.SeatClosed) -> None:
        table = self.tables.pop(closed.seat, None)
        if table is not None:
            self.matches += 1
            table.close(closed)

    def _reject(self, rejection: pb.Rejection) -> None:
        table = self.tables.get(rejection.seat)
        where, card, allowed = "", "", ""
        if table is not None:
            view = table.view
            where = f", deal {view.deal}"
            if (view.kind, view.decision) == ("play", rejection.decision):
                where += f", trick {len(view.tricks) + 1}"
                card = f" {CARDS[table.played - 1] if 0 < table.played <= len(CARDS) else table.played}:"
                allowed = f"; allowed: {' '.join(map(str, view.legal))}"
        log.error(
            "refused%s%s, decision %d:%s %s%s: %s%s; a substitute is played",
            _at(rejection.seat),
            where,
            rejection.decision,
            card,
            rejection.reason,
            f" (R{rejection.rule})" if rejection.rule else "",
            rejection.text,
            allowed,
        )


def _at(seat: int) -> str:
    return f" at seat {seat}" if seat else ""
