"""A bot's connection to its referee: stream after stream, until told to stop or refused for good.

    connect -> hello -> frames ... -> ended -> [final: stop] | wait -> connect

A process of one bot and instance that is replaced by another stops for good, so that two never fight for the seats.
An arena may have several referees. One of them is home, the next of the given ones when it is not to be had; the others
are visited when they invite.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from hearts.v1 import referee_service_pb2 as pb

from hearts_bot import secure
from hearts_bot.conversation import Conversation, Endpoint
from hearts_bot.session import Session
from hearts_bot.status import BackOff, Ending
from hearts_bot.table import BotFailed

log = logging.getLogger("hearts_bot")

STEADY_SECONDS: Final = 10.0
"""A stream that has lived so long was a success: the next loss starts the back-off anew."""


class Connection:
    """One bot at its referee, and at those that invite it, for as long as it takes."""

    def __init__(
        self,
        homes: Sequence[Endpoint],
        hello: pb.Hello,
        new_session: Callable[[], Session],
        *,
        give_up_after: float = 0.0,
        back_off: BackOff | None = None,
    ) -> None:
        """Prepare to play at the first of *homes* that lets us in.

        *hello* is all but the token, *give_up_after* the seconds to try in vain, 0 for ever.
        """
        self.session = new_session()
        self._homes = homes
        self._tried = 0
        self._hello = hello
        self._new_session = new_session
        self._give_up_after = give_up_after
        self._back_off = back_off or BackOff()
        self._visits: set[asyncio.Task[None]] = set()
        self._failure: BotFailed | None = None

    async def run(self, stop: asyncio.Event) -> Ending | None:
        """Play until *stop* is set, then return None; or return the ending that makes coming back useless.

        Raises `BotFailed` if the session is strict and the bot failed.
        """
        try:
            ending = await self._play_on(stop)
        finally:
            for visit in self._visits:
                visit.cancel()
            await asyncio.gather(*self._visits, return_exceptions=True)
        if self._failure is not None:
            raise self._failure
        return ending

    async def _play_on(self, stop: asyncio.Event) -> Ending | None:
        now = asyncio.get_running_loop().time
        last_good = now()
        while not stop.is_set():
            began = now()
            home = self._homes[self._tried % len(self._homes)]
            talk = Conversation(home, self._hello, self.session, lambda to: self._accept(to, stop))
            ending = await talk.hold(stop)
            if ending is None or ending.final:
                return ending
            last_good = max(last_good, talk.heard)
            if talk.heard - began >= STEADY_SECONDS:
                self._back_off.reset()
            if self._visits:
                last_good = now()
            if self._give_up_after and now() - last_good >= self._give_up_after:
                return ending
            self._tried += 1
            another = self._tried % len(self._homes)
            delay = self._back_off.next(None if another else ending.retry_after)
            log.warning("the stream ended: %s; coming back in %.1f s", _told(ending, home), delay)
            await _wait(stop, delay)
        return None

    def _accept(self, endpoint: Endpoint, stop: asyncio.Event) -> None:
        visit = asyncio.create_task(self._visit(endpoint, stop))
        self._visits.add(visit)
        visit.add_done_callback(self._visits.discard)

    async def _visit(self, endpoint: Endpoint, stop: asyncio.Event) -> None:
        """Play at another referee. A ticket is good once, so there is no coming back without a new invitation."""
        log.info("invited to %s", endpoint.address)
        talk = Conversation(endpoint, self._hello, self._new_session(), lambda to: self._accept(to, stop))
        try:
            ending = await talk.hold(stop)
        except BotFailed as failure:
            self._failure = failure
            stop.set()
            return
        if ending is None:
            return
        if ending.replaced:  # by our own home stream, most likely: it goes to another referee when one is lost
            log.info("the visit to %s ended: another stream of this bot plays there now", endpoint.address)
        else:
            log.warning("the visit to %s ended: %s", endpoint.address, ending)


def _told(ending: Ending, home: Endpoint) -> str:
    hint = secure.hint(str(ending), home.address)
    return f"{ending} ({hint})" if hint else str(ending)


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
