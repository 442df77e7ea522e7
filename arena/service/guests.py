"""Visits between referees: a bot is at one, and another needs it at a table.

The one in need calls for the bot where it is; there a ticket is made, and the bot is asked to redeem it at the other.
A call may be lost and a bot may not come: whoever still needs it calls again. One that does not follow at all plays
where it is, and its matches are left to that referee.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection
from typing import Final

import structlog

from arena.service import topics
from arena.service.news import News, rest_after
from arena.service.people import digest_of
from arena.storage.ports import (
    BotId,
    Call,
    Damaged,
    Fleet,
    Presence,
    Referee,
    StorageUnavailable,
    Ticket,
    Visits,
    Wakeups,
)
from referee.host import ports as host
from referee.host.hall import Hall
from referee.host.session import Invitation

TICKET_PREFIX: Final = "arena_ticket_"
CALL_AGAIN: Final = 3.0
"""Seconds after which a bot that has not come is called again."""

CALLS_REST: Final = 0.2
STUBBORN_SECONDS: Final = 60.0
FRESH: Final = 0.5


def new_ticket() -> str:
    """Return a new secret for one visit."""
    return TICKET_PREFIX + secrets.token_urlsafe(32)


class Guests:
    """What one referee has to do with visits. *monotonic* returns seconds."""

    def __init__(
        self,
        hall: Hall,
        visits: Visits,
        fleet: Fleet,
        wakeups: Wakeups,
        referee: Referee,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hall = hall
        self._visits = visits
        self._fleet = fleet
        self._wakeups = wakeups
        self._referee = referee
        self._monotonic = monotonic
        self._read = float("-inf")
        self._presences: tuple[Presence, ...] = ()
        self._called: dict[tuple[BotId, str], float] = {}
        self._stubborn: dict[BotId, float] = {}
        self._log = structlog.get_logger("guests")

    # --- calling

    async def elsewhere(self, bots: Collection[BotId]) -> frozenset[BotId]:
        """Return those of *bots* that are at another referee; what is known of that may be half a second old."""
        if self._monotonic() - self._read > FRESH:
            self._presences = tuple(await self._fleet.presences())
            self._read = self._monotonic()
        return frozenset(each.bot for each in self._presences if each.bot in bots and each.referee != self._referee.id)

    async def call(self, bots: Collection[BotId]) -> None:
        """Call *bots* here that are elsewhere, unless they were called a moment ago."""
        if not await self.elsewhere(bots):
            return
        now, here = self._monotonic(), self._hall.presences()
        self._called = {key: at for key, at in self._called.items() if now - at < CALL_AGAIN}
        calls: dict[tuple[BotId, str], Presence] = {}
        for each in self._presences:
            key = (each.bot, each.instance)
            if each.bot not in bots or each.referee == self._referee.id or key in self._called:
                continue
            if any(session.instance == each.instance for session in here.get(host.BotId(each.bot), ())):
                continue
            if key not in calls or calls[key].visiting:  # better asked where it is at home, once
                calls[key] = each
        self._called |= dict.fromkeys(calls, now)
        for each in calls.values():
            call = Call(each.bot, each.instance, self._referee.id, self._referee.address)
            await self._visits.call(each.referee, [call])
        if calls:
            await self._wakeups.publish(topics.CALLS)

    def note_stubborn(self, bots: Collection[BotId]) -> None:
        """Note that *bots* do not follow invitations: for a while they are not waited for."""
        for bot in bots:
            self._log.warning("bot_does_not_come", bot=bot, advice="it plays at its own referee only")
            self._stubborn[bot] = self._monotonic() + STUBBORN_SECONDS

    def stubborn(self, bots: Collection[BotId]) -> bool:
        """Whether one of *bots* has not followed a call lately."""
        return any(self._stubborn.get(bot, 0.0) > self._monotonic() for bot in bots)

    # --- being called

    async def answer_for_ever(self, news: News) -> None:
        """Send bots that are here where they are called, until cancelled."""
        while True:
            wait, begun = news.watch(), time.monotonic()
            try:
                for call in await self._visits.calls(self._referee.id):
                    await self._invite(call)
            except StorageUnavailable:
                pass  # whoever needs the bot calls again
            except Damaged as error:
                self._log.error("calls_damaged", error=str(error))
            await asyncio.sleep(rest_after(time.monotonic() - begun, CALLS_REST))
            await wait(1.0)

    async def _invite(self, call: Call) -> None:
        bot = host.BotId(call.bot)
        credential = self._hall.credential_of(bot, call.instance)
        if not credential:
            return  # it has left meanwhile
        secret = new_ticket()
        ticket = Ticket(call.bot, call.instance, call.referee, credential)
        await self._visits.put_ticket(digest_of(secret), ticket)
        if self._hall.invite(bot, call.instance, Invitation(call.address, secret)):
            self._log.info("bot_invited", bot=call.bot, referee=call.referee)

    async def move_out(self) -> None:
        """Send all bots that are here to the other referees, because this one goes away."""
        others = [each for each in await self._fleet.referees() if each.id != self._referee.id and not each.draining]
        there = {(each.bot, each.instance, each.referee) for each in await self._fleet.presences()}
        calls = [
            Call(BotId(bot), session.instance, other.id, other.address)
            for bot, sessions in self._hall.presences().items()
            for session in sessions
            for other in others
            if (BotId(bot), session.instance, other.id) not in there
        ]
        await asyncio.gather(*(self._invite(call) for call in calls))
