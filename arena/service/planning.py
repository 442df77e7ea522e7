"""A started tournament as a plan: its rules, its schedule, and every match of it as an order to a referee.

All of it follows from what was frozen at the start (spec, rules, number of entrants) and the root secret, so any
process can compute it, and none needs to store it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from arena.schedule.plan import Boards, MatchPlan, Schedule, plan
from arena.service.commitment import Chain
from arena.service.results import decode_checkpoint
from arena.service.spec import TournamentSpec, format_of, from_stored, stored_rules
from arena.storage.ports import Entrant, MatchKey, Taken, TournamentId, TournamentRow
from referee.host.ports import BotId, MatchId, MatchOrder, SeatOrder
from referee.rules.dealing import DealSource
from referee.rules.presets import rules_digest
from referee.rules.variant import Variant

_KEPT: Final = 64


@dataclass(frozen=True, slots=True)
class Plan:
    """What is being played: everything of a tournament that does not change from its start to its end."""

    tournament: TournamentId
    spec: TournamentSpec
    variant: Variant
    digest: str
    schedule: Schedule
    entrants: int

    def unit_of(self, number: int) -> range:
        """Return the matches whose records are released together with that of match *number*."""
        schedule = self.schedule
        match = schedule.match(number)
        if self.spec.boards is not Boards.BALANCED:
            return schedule.matches_of_block(match.block)
        first = last = match.block
        while first and self._unit_of_block(first - 1) == match.unit:
            first -= 1
        while last + 1 < schedule.blocks and self._unit_of_block(last + 1) == match.unit:
            last += 1
        return range(schedule.matches_of_block(first).start, schedule.matches_of_block(last).stop)

    def _unit_of_block(self, block: int) -> int:
        return self.schedule.match(self.schedule.matches_of_block(block).start).unit

    def revealed_rounds(self, prefix: int) -> int:
        """Return how many rounds are over when the first *prefix* matches are."""
        return self.schedule.match(prefix).round if prefix < len(self.schedule) else self.schedule.rounds


def plan_of(row: TournamentRow) -> Plan:
    """Return the plan of a tournament that has been started."""
    spec, variant = from_stored(row.spec), stored_rules(row.spec)
    schedule = plan(format_of(spec, variant), len(row.entrants))
    return Plan(row.id, spec, variant, rules_digest(variant), schedule, len(row.entrants))


class Plans:
    """Plans already made, the latest few.

    A plan for hundreds of entrants takes seconds, so it is made in a thread, once for all who ask meanwhile.
    """

    def __init__(self, kept: int = _KEPT) -> None:
        self._most = kept
        self._plans: OrderedDict[TournamentId, asyncio.Task[Plan]] = OrderedDict()

    async def of(self, row: TournamentRow) -> Plan:
        """Return the plan of a tournament that has been started."""
        made = self._plans.get(row.id)
        if made is None or (made.done() and (made.cancelled() or made.exception() is not None)):
            made = self._plans[row.id] = asyncio.create_task(asyncio.to_thread(plan_of, row))
            if len(self._plans) > self._most:
                self._plans.popitem(last=False)
        self._plans.move_to_end(row.id)
        return await asyncio.shield(made)


def deals_of(made: Plan, match: MatchPlan, chain: Chain) -> DealSource:
    """Return where the cards of *match* come from."""
    return DealSource(chain.secret(match.round), made.digest, made.spec.name, match.board)


def order_of(
    made: Plan, chain: Chain, entrants: Sequence[Entrant], taken: Taken, absent: Collection[str] = ()
) -> MatchOrder:
    """Return the order for a match that was *taken*; nobody waits for the bots in *absent*, nor for withdrawn ones."""
    match = made.schedule.match(taken.key.number)
    deals = deals_of(made, match, chain)
    spec = made.spec
    return MatchOrder(
        match=MatchId(str(taken.key)),
        attempt=taken.attempt,
        variant=made.variant,
        deals=deals,
        first_dealer=deals.dealer(made.variant),
        seats=tuple(
            SeatOrder(
                bot=BotId(entrant.bot),
                name=entrant.name,
                bot_seed=deals.bot_seed(str(match.number), entrant.name),
                present=not entrant.withdrawn and entrant.bot not in absent,
            )
            for entrant in (entrants[number] for number in match.seating)
        ),
        clock=spec.clock,
        auto_play_forced=spec.auto_play_forced,
        reveal_opponents=spec.reveal_opponents,
        fault_limit=spec.fault_limit,
        checkpoint=None if taken.checkpoint is None else decode_checkpoint(taken.checkpoint),
    )


def key_of(text: str) -> MatchKey:
    """Return the match that a `MatchKey` was written as."""
    tournament, _, number = text.rpartition(".")
    return MatchKey(TournamentId(tournament), int(number))
