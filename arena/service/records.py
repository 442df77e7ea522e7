"""Released records: assembled when they are read, from the schedule and what was stored of the game.

A record is sealed until the last match of its block (with `balanced` boards, of its unit) has its result, because the
same deals are still being played elsewhere. Once the tournament is over, nothing is sealed any more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from typing import Final

from arena.service.planning import Plan
from arena.service.results import StoredRecord, decode_record
from arena.storage.ports import TournamentRow, Tournaments, TournamentState
from referee.rules.variant import Termination
from referee.table.record import encode, record_json, result_json

AT_ONCE: Final = 50
OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


def released(plan: Plan, state: TournamentState, done: Collection[int], numbers: Iterable[int]) -> Iterator[int]:
    """Yield those of *numbers* whose records are released, when the matches *done* have results."""
    unit, complete = range(0), False
    for number in numbers:
        if number not in done:
            continue
        if state not in OVER and number not in unit:
            unit = plan.unit_of(number)
            complete = all(other in done for other in unit)
        if state in OVER or complete:
            yield number


def canonical_record(plan: Plan, names: Sequence[str], number: int, stored: StoredRecord) -> bytes:
    """Return the canonical record of match *number*, whose entrants are called *names* by number.

    Origin says where in the tournament it belongs: its name, block, board, first deal and seating. Matches, rounds and
    blocks count from where the wire's do, and nothing in it depends on how the run went.
    """
    match = plan.schedule.match(number)
    return encode(
        record_json(
            plan.variant,
            [names[entrant] for entrant in match.seating],
            stored.deals,
            result=result_json(Termination(stored.termination), stored.places),
            versions=stored.versions,
            origin={
                "tournament": plan.spec.name,
                "match": number,
                "round": match.round + 1,
                "block": match.block,
                "board": match.board,
                "first_deal": match.first_deal,
                "seating": list(match.seating),
            },
        )
    )


class Records:
    """Reads released records out of storage."""

    def __init__(self, store: Tournaments) -> None:
        self._store = store

    async def of(
        self, row: TournamentRow, plan: Plan, done: Collection[int], wanted: Sequence[int]
    ) -> AsyncIterator[tuple[int, bytes]]:
        """Yield number and canonical record of the released ones of *wanted*, or of all if that is empty, in order."""
        numbers = sorted(set(wanted)) if wanted else range(len(plan.schedule))
        names = [entrant.name for entrant in row.entrants]
        free = list(released(plan, row.state, done, numbers))
        for start in range(0, len(free), AT_ONCE):
            blobs = await self._store.records(row.id, free[start : start + AT_ONCE])
            for number in sorted(blobs):
                yield number, canonical_record(plan, names, number, decode_record(blobs[number], number))
