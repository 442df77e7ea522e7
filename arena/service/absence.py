"""How long bots have kept a tournament waiting, and what follows from it.

Time counts from when a match first had to be passed over for a bot, until it is there again. It does not count while
no referee takes tables: nobody could be present then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from arena.service.spec import NoShow, TournamentSpec
from arena.storage.ports import BotId, Entrant

MOST_NAMES = 8


class Absences:
    """The absentees of one tournament. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._since: dict[BotId, float] = {}

    def observe(self, absent: Collection[BotId], present: Collection[BotId], now: float) -> None:
        """Note who is *absent* and waited for; those *present* are forgiven."""
        for bot in absent:
            self._since.setdefault(bot, now)
        for bot in [bot for bot in self._since if bot in present]:
            del self._since[bot]

    def forget(self) -> None:
        """Begin anew, because nobody could be present."""
        self._since.clear()

    def overdue(self, spec: TournamentSpec, now: float) -> frozenset[BotId]:
        """Return the bots that *spec* waits for no longer. With the policy `wait` there are none, ever."""
        if spec.no_show is NoShow.WAIT:
            return frozenset()
        return frozenset(bot for bot, since in self._since.items() if now - since >= spec.no_show_seconds)


def attention_text(
    entrants: Sequence[Entrant],
    absent: Collection[BotId],
    parked: int,
    *,
    referees: bool,
    passed_over: bool,
    unfit: Mapping[BotId, str] = MappingProxyType({}),
) -> str:
    """Return in words why a tournament does not go on as it should, or nothing.

    The *unfit* are there, but cannot play the rules: with why.
    """
    texts: list[str] = []
    if not referees:
        texts.append("no referee is running that takes tables")
    elif passed_over:
        names = [entrant.name for entrant in entrants if entrant.bot in absent and entrant.bot not in unfit]
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        if names:
            texts.append(f"waiting for {', '.join(names[:MOST_NAMES])}{more} to connect")
        unable = [entrant for entrant in entrants if entrant.bot in absent and entrant.bot in unfit]
        texts += [f"{entrant.name} is not seated: {unfit[entrant.bot]}" for entrant in unable[:MOST_NAMES]]
    if parked:
        texts.append(f"{parked} matches were given up after several attempts; resume the tournament to try them again")
    return "; ".join(texts)
