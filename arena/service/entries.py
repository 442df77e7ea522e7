"""Who plays in a tournament: entering and withdrawing.

Before the start an entrant that withdraws leaves no trace. After it, the schedule stands: the rest of its matches is
played by substitutes, so that nobody else loses a match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from arena.errors import WrongState
from arena.service import checks
from arena.service.access import Action, Caller, require
from arena.service.fitness import check_fit
from arena.service.people import People
from arena.service.rows import Rows
from arena.service.spec import from_stored
from arena.service.tournaments import demand
from arena.storage.ports import (
    AlreadyExists,
    Bot,
    BotId,
    Entrant,
    Fleet,
    NotFound,
    Registry,
    TournamentRow,
    TournamentState,
)

MOST_ENTRANTS: Final = 400

_BEFORE: Final = (TournamentState.DRAFT, TournamentState.OPEN)
_DURING: Final = (TournamentState.RUNNING, TournamentState.PAUSED)


class Entries:
    """The use cases around entrants. *now* returns seconds since the epoch."""

    def __init__(self, rows: Rows, registry: Registry, fleet: Fleet, people: People, now: Callable[[], float]) -> None:
        self._rows = rows
        self._registry = registry
        self._fleet = fleet
        self._people = people
        self._now = now

    async def enter(self, caller: Caller, tournament: str, bot: str) -> Entrant:
        """Enter a bot and return the entrant. Entering it twice changes nothing.

        One that is connected and cannot play the rules is refused; one that is not connected may come to be able.
        """
        require(caller, Action.ENTER_BOT)
        row = await self._visible(caller, tournament)
        entered = await self._people.own_bot(caller, bot)
        sessions = await self._fleet.presences()
        owner = next((owner.name for owner in await self._registry.owners() if owner.id == entered.owner), "?")

        def enter(current: TournamentRow) -> TournamentRow:
            if _entrant(current, entered.id) is not None:
                return current
            self._check_open(caller, current)
            check_fit(sessions, entered.id, entered.name, current)
            return replace(current, entrants=(*current.entrants, _new_entrant(current, entered, owner)))

        row = await self._rows.edit(row.id, enter)
        entrant = _entrant(row, entered.id)
        assert entrant is not None  # noqa: S101 - it was entered just now
        return entrant

    async def withdraw(self, caller: Caller, tournament: str, bot: str) -> None:
        """Take a bot out. Withdrawing it twice changes nothing; `NotFound` if it is not in the tournament."""
        require(caller, Action.WITHDRAW_BOT)
        row = await self._visible(caller, tournament)
        ident = (await self._people.own_bot(caller, bot)).id
        if _entrant(row, ident) is None:
            raise NotFound("entrant", bot)
        await self._rows.edit(row.id, lambda current: withdrawn(current, ident))

    async def _visible(self, caller: Caller, tournament: str) -> TournamentRow:
        row = await self._rows.store.tournament(checks.ident("tournament", tournament))
        if row.state is TournamentState.DRAFT and not caller.organises:
            raise NotFound("tournament", tournament)
        return row

    def _check_open(self, caller: Caller, row: TournamentRow) -> None:
        demand(row, _BEFORE if caller.organises else (TournamentState.OPEN,), "enter a bot")
        close = from_stored(row.spec).entry_close
        if close is not None and self._now() > close:
            raise WrongState(row.state.value, f"the entry to tournament {row.name} is closed")
        if len(row.entrants) >= MOST_ENTRANTS:
            raise WrongState(row.state.value, f"tournament {row.name} is full: it has {MOST_ENTRANTS} entrants")


def withdrawn(row: TournamentRow, bot: BotId, reason: str = "") -> TournamentRow:
    """Return *row* without the bot before the start, or with it marked as withdrawn after it, for a *reason*."""
    demand(row, _BEFORE + _DURING, "withdraw a bot")
    if row.state in _BEFORE:
        left = [entrant for entrant in row.entrants if entrant.bot != bot]
        return replace(row, entrants=tuple(replace(entrant, number=number) for number, entrant in enumerate(left)))
    return replace(
        row,
        entrants=tuple(
            replace(entrant, withdrawn=True, reason=reason) if entrant.bot == bot and not entrant.withdrawn else entrant
            for entrant in row.entrants
        ),
    )


def _entrant(row: TournamentRow, bot: BotId) -> Entrant | None:
    return next((entrant for entrant in row.entrants if entrant.bot == bot), None)


def _new_entrant(row: TournamentRow, bot: Bot, owner: str) -> Entrant:
    """Return the entrant that *bot* becomes: under its own name, or with its owner's where that is taken."""
    taken = {entrant.name for entrant in row.entrants}
    for name in (bot.name, f"{bot.name} ({owner})", f"{bot.name} ({bot.id})"):
        if name not in taken:
            return Entrant(len(row.entrants), bot.id, name)
    raise AlreadyExists("entrant", bot.name)
