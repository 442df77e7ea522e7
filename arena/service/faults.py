"""The ledger of faults: what each bot did wrong in the matches that have a result.

Faults are kept with the records, and are for the bot's owner and for organisers: they name cards of its hand. They are
told before the record is released, because who has to mend a bot should not wait, and its own hand is no news to it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from arena.service.access import Action, Caller, require
from arena.service.ledgers import Ledgers
from arena.service.people import People
from arena.service.results import decode_ledger, decode_result
from arena.service.tournaments import TournamentService
from arena.storage.ports import BotId, NotFound, TournamentRow, Tournaments
from referee.host.ports import FaultEntry

AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class FoundFault:
    """A fault, with the match and the number of the entrant."""

    match: int
    entrant: int
    entry: FaultEntry


class Faults:
    """Reads the ledger for those who may see it."""

    def __init__(self, tournaments: TournamentService, store: Tournaments, ledgers: Ledgers, people: People) -> None:
        self._tournaments = tournaments
        self._store = store
        self._ledgers = ledgers
        self._people = people

    async def of(self, caller: Caller, tournament: str, bot: str = "") -> AsyncIterator[FoundFault]:
        """Yield the faults of *bot*, or of all bots that the caller may see, in schedule order."""
        require(caller, Action.READ_FAULTS)
        row = await self._tournaments.get(caller, tournament)
        bots = await self._visible(caller, row, bot)
        entrants = {entrant.number for entrant in row.entrants if entrant.bot in bots}
        if row.started is None or not entrants:
            return
        plan, _ = await self._ledgers.of(row)
        stored = await self._store.results(row.id)
        spoilt = []
        for number in sorted(stored):
            seating = plan.schedule.match(number).seating
            faults = decode_result(stored[number], number).faults
            if any(seat in entrants and counts for seat, counts in zip(seating, faults, strict=True)):
                spoilt.append(number)
        for start in range(0, len(spoilt), AT_ONCE):
            blobs = await self._store.records(row.id, spoilt[start : start + AT_ONCE])
            for number in sorted(blobs):
                seating = plan.schedule.match(number).seating
                for entry in decode_ledger(blobs[number], number):
                    if seating[entry.position] in entrants:
                        yield FoundFault(number, seating[entry.position], entry)

    async def _visible(self, caller: Caller, row: TournamentRow, bot: str) -> frozenset[BotId]:
        entered = {entrant.name: entrant.bot for entrant in row.entrants}
        wanted = frozenset(entered.values())
        if bot:
            wanted = frozenset({entered.get(bot, BotId(bot))}) & wanted
            if not wanted:
                raise NotFound("entrant", bot)
        if caller.organises:
            return wanted
        own = wanted & {each.id for each in await self._people.bots(caller)}
        if bot and not own:
            raise NotFound("entrant", bot)  # another owner's, as if it did not exist
        return own
