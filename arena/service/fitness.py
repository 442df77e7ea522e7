"""Who cannot play the rules of a tournament, by what its sessions say of themselves when they connect.

Such a bot is not seated: to dispatch it is absent, so the policy for no-shows applies to it. Its owner is told by the
tournament, and the bot by a notice from the referee it is connected to, as soon as either comes.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Final

from arena.errors import WrongState
from arena.service import topics
from arena.service.attendance import Attendance
from arena.service.news import News, rest_after
from arena.service.spec import stored_rules
from arena.storage.ports import (
    Abilities,
    BotId,
    Damaged,
    Presence,
    StorageUnavailable,
    TournamentRow,
    Tournaments,
    TournamentState,
)
from referee.host import ports as host
from referee.host.capabilities import Capabilities
from referee.host.hall import Hall
from referee.rules.variant import Variant

LOOK_SECONDS: Final = 1.0
TO_COME: Final = (TournamentState.OPEN, TournamentState.RUNNING, TournamentState.PAUSED)


def lacks(abilities: Abilities | None, variant: Variant) -> str:
    """Return in words what keeps a session from a table with these rules, or nothing."""
    if abilities is None:
        return ""
    kinds = frozenset(abilities.kinds)
    return Capabilities(abilities.max_packs, abilities.min_players, abilities.max_players, kinds).lacks(variant)


def unfit(presences: Iterable[Presence], bots: Collection[BotId], variant: Variant) -> dict[BotId, str]:
    """Return those of *bots* that are connected, but by no session that can play these rules, with what they lack."""
    found: defaultdict[BotId, list[str]] = defaultdict(list)
    for presence in presences:
        if presence.bot in bots:
            found[presence.bot].append(lacks(presence.abilities, variant))
    return {bot: texts[0] for bot, texts in found.items() if all(texts)}


def check_fit(presences: Iterable[Presence], bot: BotId, name: str, row: TournamentRow) -> None:
    """Refuse the entry of a bot that is connected and cannot play the rules; one that is not may come to be able."""
    why = unfit(presences, (bot,), stored_rules(row.spec)).get(bot)
    if why:
        text = f"bot {name} cannot play the rules of tournament {row.name}: {why}"
        raise WrongState(row.state.value, f"{text}; let it connect with capabilities that cover them, then enter it")


class Fitness:
    """Tells the bots at one referee of the tournaments in which they will not be seated."""

    def __init__(self, hall: Hall, attendance: Attendance, store: Tournaments) -> None:
        self._hall = hall
        self._attendance = attendance
        self._store = store
        self._rows: list[tuple[TournamentRow, Variant]] = []

    async def tell_for_ever(self, news: News) -> None:
        """Read what is to come when tournaments change, and tell new sessions once a second, until cancelled."""
        heard = -1
        while True:
            wait, begun = news.watch(), time.monotonic()
            latest = news.heard[topics.TOURNAMENTS]
            if latest != heard:
                try:
                    await self.read()
                    heard = latest
                except (StorageUnavailable, Damaged):
                    pass  # asked again in a second
            self.tell()
            await asyncio.sleep(rest_after(time.monotonic() - begun, LOOK_SECONDS))
            await wait(LOOK_SECONDS)

    async def read(self) -> None:
        """Read the tournaments that bots are entered in and that are not over."""
        rows = await self._store.tournaments_in(TO_COME)
        self._rows = []
        for row in rows:
            with suppress(Damaged):  # the scheduler tells of it when it is to be played
                self._rows.append((row, stored_rules(row.spec)))

    def tell(self) -> None:
        """Tell every session here, once, of each tournament that its bot is entered in and that it cannot play."""
        here = self._attendance.sessions
        for row, variant in self._rows:
            for entrant in row.entrants:
                for session in here.get(entrant.bot, ()):
                    why = "" if entrant.withdrawn else session.capabilities.lacks(variant)
                    if why:
                        text = f"this session will not be seated in tournament {row.name}: {why}"
                        self._hall.tell_once(host.BotId(entrant.bot), session.instance, row.id, text)
