"""Tournaments from draft to end: who may move them where, and what happens on the way.

    draft -> open -> running <-> paused -> cancelled
                        └-> finished

Everything that deals and schedule depend on is frozen at the start. A step that takes several writes does the one that
changes the state last if it is a precondition (the secret before the start) and first if the rest follows from it
(voiding after the cancel), so that one interrupted anywhere can be repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Final

from arena.errors import Invalid, WrongState
from arena.schedule.plan import PlanError, Schedule, check_worth, plan
from arena.service import checks, topics
from arena.service.access import Action, Caller, require
from arena.service.commitment import Chain, new_root, root_of_seed
from arena.service.people import new_id
from arena.service.rows import Rows
from arena.service.spec import TournamentSpec, format_of, freeze, from_stored, to_stored, validate
from arena.storage.ports import NotFound, TournamentId, TournamentRow, TournamentState

MOST_MATCHES: Final = 1_000_000

DRAFT, OPEN, RUNNING, PAUSED, FINISHED, CANCELLED = TournamentState


class Change(StrEnum):
    """What can be done with a tournament."""

    OPEN = "open"
    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"


_FROM: Final = {
    Change.OPEN: (DRAFT,),
    Change.START: (DRAFT, OPEN),
    Change.PAUSE: (RUNNING,),
    Change.RESUME: (RUNNING, PAUSED),
    Change.CANCEL: (DRAFT, OPEN, RUNNING, PAUSED, CANCELLED),
}
DELETABLE: Final = (DRAFT, OPEN, FINISHED, CANCELLED)


def demand(row: TournamentRow, states: Sequence[TournamentState], what: str) -> None:
    """Raise `WrongState` unless the tournament is in one of *states*."""
    if row.state not in states:
        wanted = " or ".join(state.value for state in states)
        raise WrongState(row.state.value, f"tournament {row.name} is {row.state.value}; to {what} it must be {wanted}")


class TournamentService:
    """The use cases around whole tournaments. *now* returns seconds since the epoch."""

    def __init__(self, rows: Rows, now: Callable[[], float]) -> None:
        self._rows = rows
        self._store = rows.store
        self._now = now

    async def create(self, caller: Caller, spec: TournamentSpec) -> TournamentRow:
        """Create a tournament in the state draft; `AlreadyExists` if its name is taken."""
        require(caller, Action.CREATE_TOURNAMENT)
        validate(spec)
        row = TournamentRow(TournamentId(new_id("t")), spec.name, to_stored(spec), DRAFT, self._now())
        await self._store.add_tournament(row)
        await self._rows.publish(topics.TOURNAMENTS)
        return row

    async def get(self, caller: Caller, ident: str) -> TournamentRow:
        """Return a tournament by id or name. A draft is there for organisers only."""
        require(caller, Action.READ)
        row = await self._store.tournament(checks.ident("tournament", ident))
        if row.state is DRAFT and not caller.organises:
            raise NotFound("tournament", ident)
        return row

    async def list(self, caller: Caller) -> Sequence[TournamentRow]:
        """Return the tournaments that the caller may see, the newest first."""
        require(caller, Action.READ)
        return [row for row in await self._store.tournaments() if caller.organises or row.state is not DRAFT]

    async def change(self, caller: Caller, ident: str, change: Change) -> TournamentRow:
        """Move a tournament on and return it as it is then; `WrongState` if it cannot go there from where it is."""
        require(caller, Action.CHANGE_TOURNAMENT)
        row = await self._store.tournament(checks.ident("tournament", ident))
        demand(row, _FROM[change], change.value)
        match change:
            case Change.OPEN:
                return await self._rows.edit(row.id, partial(self._moved, change, OPEN))
            case Change.START:
                return await self._start(row)
            case Change.PAUSE:
                return await self._rows.edit(row.id, partial(self._moved, change, PAUSED))
            case Change.RESUME:
                row = await self._rows.edit(row.id, partial(self._moved, change, RUNNING))
                await self._store.unpark(row.id)
                await self._rows.publish(topics.TOURNAMENTS)
                return row
            case Change.CANCEL:
                row = await self._rows.edit(row.id, self._cancelled)
                await self._store.void_in_flight(row.id)
                await self._rows.publish(topics.TOURNAMENTS)
                return row

    async def delete(self, caller: Caller, ident: str) -> None:
        """Delete a tournament that is not being played, with all that belongs to it."""
        require(caller, Action.DELETE_TOURNAMENT)
        row = await self._store.tournament(checks.ident("tournament", ident))
        demand(row, DELETABLE, "delete")
        await self._store.delete_tournament(row.id, expect=row.state)
        await self._rows.publish(topics.TOURNAMENTS)

    async def _start(self, row: TournamentRow) -> TournamentRow:
        """Freeze what the deals and the schedule depend on, commit to the secret, and run."""
        spec = from_stored(row.spec)
        root = root_of_seed(spec.name, spec.seed) if spec.seed else new_root()
        root = await self._store.put_secret(row.id, root)  # of several starts at once, all commit to one
        entrants = len(row.entrants)
        # A schedule for hundreds of entrants takes a while; other callers need not wait for it.
        started = await asyncio.to_thread(self._started, row, spec, root)

        def start(current: TournamentRow) -> TournamentRow:
            demand(current, _FROM[Change.START], Change.START.value)
            if len(current.entrants) != entrants:
                raise WrongState(current.state.value, "somebody was entered or withdrawn just now: start again")
            return replace(started, entrants=current.entrants, revision=current.revision)

        return await self._rows.edit(row.id, start)

    def _started(self, row: TournamentRow, spec: TournamentSpec, root: bytes) -> TournamentRow:
        entrants = len(row.entrants)
        spec, variant = freeze(spec, entrants)
        if entrants < variant.players:
            text = (
                f"tournament {row.name} has {entrants} entrants and its tables seat {variant.players}: "
                f"enter {variant.players - entrants} more"
            )
            raise WrongState(row.state.value, text)
        wanted = format_of(spec, variant)
        try:
            check_worth(wanted, entrants)
        except PlanError as error:
            raise Invalid(f"spec.{error.option}", error.value, error.reason) from None
        schedule: Schedule = plan(wanted, entrants)
        if len(schedule) > MOST_MATCHES:
            raise Invalid("spec.passes", spec.passes, f"so many that there are at most {MOST_MATCHES:,} matches")
        return replace(
            row,
            spec=to_stored(spec, variant, schedule.rounds),
            state=RUNNING,
            started=self._now(),
            matches_total=len(schedule),
            commitment="" if spec.seed else Chain(root, schedule.rounds).commitment,
            attention="",
        )

    def _moved(self, change: Change, to: TournamentState, row: TournamentRow) -> TournamentRow:
        demand(row, _FROM[change], change.value)
        return replace(row, state=to, attention="")

    def _cancelled(self, row: TournamentRow) -> TournamentRow:
        demand(row, _FROM[Change.CANCEL], Change.CANCEL.value)
        if row.state is CANCELLED:
            return row
        return replace(row, state=CANCELLED, ended=self._now(), attention="")
