"""Which bots are at this referee, as the host reports it, for those who have to know: heartbeat and dispatch."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping

from arena.storage.ports import Abilities, BotId, Presence, RefereeId
from referee.host.capabilities import Capabilities
from referee.host.ports import Attending
from referee.rules.variant import Variant


def abilities_of(capabilities: Capabilities) -> Abilities:
    """Return what the host knows of a session's capabilities, as it is stored."""
    kinds = tuple(sorted(capabilities.kinds))
    return Abilities(capabilities.max_packs, capabilities.min_players, capabilities.max_players, kinds)


class Attendance:
    """The bots that are connected here. *monotonic* returns seconds."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.changed = asyncio.Event()
        """Set when anything changes; whoever acts on it clears it first."""

        self._monotonic = monotonic
        self._begun = monotonic()
        self._here: dict[BotId, tuple[Attending, ...]] = {}
        self._left: dict[BotId, float] = {}
        self._arrived = asyncio.Event()

    def note(self, bot: BotId, sessions: tuple[Attending, ...]) -> None:
        """Take in the sessions that a bot has here."""
        if self._here.get(bot, ()) == sessions:
            return
        if sessions:
            self._here[bot] = sessions
            self._left.pop(bot, None)
            self._arrived.set()
            self._arrived = asyncio.Event()
        else:
            del self._here[bot]
            self._left[bot] = self._monotonic()
        self.changed.set()

    def presences(self, referee: RefereeId) -> list[Presence]:
        """Return what *referee*, which is this one, has to say of its bots."""
        return [
            Presence(
                bot, referee, session.instance, session.tables, session.visiting, abilities_of(session.capabilities)
            )
            for bot, sessions in sorted(self._here.items())
            for session in sessions
        ]

    @property
    def sessions(self) -> Mapping[BotId, tuple[Attending, ...]]:
        """Return the sessions that are here, by bot."""
        return self._here

    def missing(self, bots: Collection[BotId]) -> frozenset[BotId]:
        """Return those of *bots* that are not here."""
        return frozenset(bot for bot in bots if bot not in self._here)

    def unable(self, bots: Collection[BotId], variant: Variant) -> frozenset[BotId]:
        """Return those of *bots* that are here, but by no session that can play these rules."""
        here = {bot: self._here[bot] for bot in bots if bot in self._here}
        able = (bot for bot, known in here.items() if any(session.capabilities.fit(variant) for session in known))
        return frozenset(here) - frozenset(able)

    def away(self, bots: Collection[BotId], seconds: float) -> frozenset[BotId]:
        """Return those of *bots* that have not been here for so many seconds, or since this referee began."""
        before = self._monotonic() - seconds
        return frozenset(bot for bot in bots if bot not in self._here and self._left.get(bot, self._begun) <= before)

    async def gathered(self, bots: Collection[BotId], seconds: float) -> None:
        """Wait until all of *bots* are here, at most so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                while not all(bot in self._here for bot in bots):
                    await self._arrived.wait()
        except TimeoutError:
            pass
