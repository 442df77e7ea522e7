"""What storage keeps so that bots can visit other referees: calls, and tickets.

A referee that needs a bot calls for it at a referee where it is. That one makes a ticket, keeps its digest here, and
invites the bot, which redeems the ticket where it was called. So no ticket is ever stored, and no token travels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.storage.ports.values import BotId, RefereeId

TICKET_SECONDS = 60
CALL_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Call:
    """A wish that a bot's instance visit a referee, which bots reach at `address`."""

    bot: BotId
    instance: str
    referee: RefereeId
    address: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a ticket is good for: one stream of this instance to this referee.

    `credential` is the digest of the token that let the bot in where it was invited; the visit ends with it.
    """

    bot: BotId
    instance: str
    referee: RefereeId
    credential: str


class Visits(Protocol):
    """Calls and tickets."""

    async def call(self, at: RefereeId, calls: Sequence[Call]) -> None:
        """Leave *calls* for the referee *at*, for half a minute."""

    async def calls(self, at: RefereeId) -> Sequence[Call]:
        """Take the calls that were left for the referee *at*."""

    async def put_ticket(self, digest: str, ticket: Ticket) -> None:
        """Keep a ticket for a minute under the SHA-256 hex *digest* of its secret."""

    async def redeem(self, digest: str) -> Ticket | None:
        """Return the ticket with this digest and forget it; None if there is none (any more)."""
