"""Plans and orders: what follows from a started tournament."""

from __future__ import annotations

import pytest

from arena.schedule.plan import Boards
from arena.service.commitment import Chain
from arena.service.planning import Plans, key_of, order_of, plan_of
from arena.service.results import encode_checkpoint
from arena.storage.ports import BotId, MatchKey, Taken
from referee.host.ports import Checkpoint
from tests.service.builders import ADMIN, World, outcome


async def test_an_order_holds_everything(world: World) -> None:
    """The order for a match names its seats and deals; the same match gives the same order, another attempt or not."""
    row = await world.started(5, passes=2, auto_play_forced=True)
    plan = plan_of(row)
    chain = Chain(await world.storage.tournaments.secret(row.id), plan.schedule.rounds)
    key = MatchKey(row.id, 7)
    order = order_of(plan, chain, row.entrants, Taken(key, 1, None))
    seating = plan.schedule.match(7).seating
    assert [BotId(seat.bot) for seat in order.seats] == [row.entrants[number].bot for number in seating]
    assert len({seat.bot_seed for seat in order.seats}) == 4
    assert key_of(order.match) == key
    assert order.auto_play_forced
    assert order.checkpoint is None
    again = order_of(plan, chain, row.entrants, Taken(key, 2, None))
    assert (again.deals, again.first_dealer, again.seats) == (order.deals, order.first_dealer, order.seats)
    played = outcome((0, 5, 8, 13))
    checkpoint = Checkpoint(played.deals, played.totals, played.faulted, (1.0,) * 4, played.faults)
    later = order_of(plan, chain, row.entrants, Taken(key, 2, encode_checkpoint(checkpoint)))
    assert later.checkpoint == checkpoint


async def test_nobody_waits_for_the_withdrawn_and_the_absent(world: World) -> None:
    """Seats of withdrawn and of absent bots are not present."""
    row = await world.started()
    await world.control.use_cases.entries.withdraw(ADMIN, row.id, row.entrants[0].bot)
    row = await world.row(row)
    plan = plan_of(row)
    chain = Chain(b"x" * 32, plan.schedule.rounds)
    order = order_of(plan, chain, row.entrants, Taken(MatchKey(row.id, 0), 1, None), {row.entrants[1].bot})
    away = {row.entrants[0].bot, row.entrants[1].bot}
    assert {BotId(seat.bot) for seat in order.seats if not seat.present} == away


async def test_matches_of_a_board_share_deals(world: World) -> None:
    """Matches with one board are dealt the same, others are not."""
    row = await world.started(passes=2)
    plan = plan_of(row)
    chain = Chain(b"x" * 32, plan.schedule.rounds)
    deals: dict[str, set[object]] = {}
    for match in plan.schedule:
        order = order_of(plan, chain, row.entrants, Taken(MatchKey(row.id, match.number), 1, None))
        dealt = order.deals.deal(plan.variant, 1, order.first_dealer)
        deals.setdefault(match.board, set()).add((order.first_dealer, dealt.hand_orders))
    assert [len(each) for each in deals.values()] == [1, 1]
    first, second = deals.values()
    assert first != second


@pytest.mark.parametrize(("boards", "length"), [(Boards.SINGLE, 1), (Boards.ROTATIONS, 4), (Boards.BALANCED, 12)])
async def test_units(world: World, boards: Boards, length: int) -> None:
    """Records are released by unit: match, block, or all blocks of a balanced unit."""
    plan = await Plans().of(await world.started(boards=boards, passes=2))
    units = [plan.unit_of(number) for number in range(len(plan.schedule))]
    assert all(number in unit for number, unit in enumerate(units))
    assert {len(unit) for unit in units} == {length}


async def test_plans_are_made_once(world: World) -> None:
    """A plan is kept, and rounds are revealed as the first matches end."""
    row, plans = await world.started(passes=3), Plans()
    plan = await plans.of(row)
    assert await plans.of(row) is plan
    assert [plan.revealed_rounds(prefix) for prefix in (0, 3, 4, 11, 12)] == [0, 0, 1, 2, 3]
