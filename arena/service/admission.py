"""Who a bot's token speaks for, asked of storage and remembered for half a second.

So a burst of connections asks once, and what an organiser revokes is void within a second: new streams are refused by
the next question, and `Admissions.recheck` names the tokens whose streams are to be ended. A ticket is asked for once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

import structlog

from arena.errors import NotAuthenticated
from arena.service.guests import TICKET_PREFIX
from arena.service.people import digest_of, usable
from arena.storage.ports import Bot, BotId, Damaged, NotFound, RefereeId, Registry, Role, StorageUnavailable, Visits
from referee.host import ports as host

FRESH: Final = 0.5
_REMEMBERED: Final = 4096


class Admissions:
    """The `Admission` of the host. *now* returns seconds since the epoch, *monotonic* seconds."""

    def __init__(
        self,
        registry: Registry,
        visits: Visits,
        referee: RefereeId,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._registry = registry
        self._visits = visits
        self._referee = referee
        self._now = now
        self._monotonic = monotonic
        self._known: dict[str, tuple[float, host.BotIdentity]] = {}
        self._log = structlog.get_logger("admission")

    async def admit(self, token: str) -> host.BotIdentity:
        """Return whose token it is, or whose ticket; raise `NotAdmitted` or `AdmissionUnavailable`."""
        if not token:
            raise host.NotAdmitted("TOKEN_MISSING", "send the bot's token in `Hello.token`")
        digest = digest_of(token)
        try:
            return await (self._visitor(digest) if token.startswith(TICKET_PREFIX) else self._resident(digest))
        except Damaged as error:
            self._log.error("token_damaged", error=str(error))
            text = "what is stored of this token cannot be read; ask an organiser for another"
            raise host.NotAdmitted("TOKEN_UNKNOWN", text) from error

    async def _resident(self, digest: str) -> host.BotIdentity:
        at, identity = self._known.get(digest, (0.0, None))
        if identity is None or self._monotonic() - at > FRESH:
            identity = await self._ask(digest)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[digest] = (self._monotonic(), identity)
        return identity

    async def recheck(self, credentials: Iterable[str]) -> dict[str, str]:
        """Return those of *credentials* that are good no more, with the reason. Raises nothing."""
        self._known.clear()
        void: dict[str, str] = {}
        for digest in credentials:
            try:
                await self._ask(digest)
            except host.NotAdmitted as error:
                void[digest] = error.reason
            except host.AdmissionUnavailable:
                break
            except Damaged as error:  # that is not the bot's fault: what is connected stays
                self._log.error("token_damaged", error=str(error))
        return void

    async def _visitor(self, digest: str) -> host.BotIdentity:
        try:
            ticket = await self._visits.redeem(digest)
        except StorageUnavailable as error:
            raise host.AdmissionUnavailable("the arena's storage is away: come back in a while") from error
        if ticket is None or ticket.referee != self._referee:
            text = "tickets are good once, for a minute, at one referee: wait for the next invitation"
            raise host.NotAdmitted("TICKET_UNKNOWN", text)
        identity = await self._ask(ticket.credential)
        return replace(identity, instance=ticket.instance)

    async def _ask(self, digest: str) -> host.BotIdentity:
        try:
            token = usable(await self._registry.token(digest), self._now())
            if token.role is not Role.BOT:
                text = f"this is a token of the role {token.role.value}, and to play takes one of the role bot"
                raise host.NotAdmitted("ROLE_INSUFFICIENT", text)
            bot: Bot = await self._registry.bot(BotId(token.subject))
        except NotAuthenticated as error:
            raise host.NotAdmitted(error.reason, str(error)) from None
        except NotFound:
            raise host.NotAdmitted("TOKEN_UNKNOWN", "the bot of this token is gone; register it again") from None
        except StorageUnavailable as error:
            raise host.AdmissionUnavailable("the arena's storage is away: come back in a while") from error
        return host.BotIdentity(host.BotId(bot.id), bot.name, credential=digest)
