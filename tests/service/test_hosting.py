"""The referee's side on real storage, with a real hall: taking, writing, losing, leaving.

Withdrawn bots are played by substitutes at once, so a tournament of theirs needs no connection to be played.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from arena.app.lifecycle import cancelled
from arena.service import topics
from arena.service.admission import Admissions
from arena.service.commitment import Chain
from arena.service.news import News
from arena.service.planning import order_of, plan_of
from arena.service.results import decode_result
from arena.storage.connect import open_storage
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import (
    Abilities,
    BotId,
    MatchKey,
    MatchState,
    Presence,
    Referee,
    RefereeId,
    Role,
    Taken,
    TournamentRow,
)
from referee.host.capabilities import Capabilities
from referee.host.hall import Hall, HallConfig
from referee.host.metrics import HostMetrics
from referee.host.ports import Attending, Checkpoint, MatchOrder
from referee.host.ports import BotId as HostBotId
from referee.host.session import Greeting
from tests.service.builders import ADMIN, REFEREE, World, outcome, world_on
from tests.service.side import Side
from tests.support.waiting import until


async def withdrawn(world: World, **given: object) -> TournamentRow:
    """Start a tournament all of whose bots withdraw, and put its first matches in line."""
    row = await world.started(**given)  # type: ignore[arg-type] # fields of the spec
    for entrant in row.entrants:
        await world.control.use_cases.entries.withdraw(ADMIN, row.id, entrant.bot)
    return await lined_up(world, row)


async def lined_up(world: World, row: TournamentRow) -> TournamentRow:
    """Put matches in line."""
    world.monotonic += 2
    await world.attend(row)
    await world.control.scheduler.look()
    return await world.row(row)


def order(row: TournamentRow, number: int = 0, attempt: int = 1) -> MatchOrder:
    """Return the order for a match."""
    plan = plan_of(row)
    chain = Chain(b"x" * 32, plan.schedule.rounds)
    return order_of(plan, chain, row.entrants, Taken(MatchKey(row.id, number), attempt, None))


async def test_a_match_is_taken_hosted_and_written(world: World, side: Side) -> None:
    """A match in line is played, and its result is in storage; what is not in line (any more) is left alone."""
    row = await withdrawn(world)
    key = (await world.in_line(row))[0]
    await side.hosting.host_match(key)
    results = await until(lambda: world.storage.tournaments.results(row.id))
    result = decode_result(results[key.number])
    assert (result.deals, result.termination) == (2, "deals")
    assert all(all(deal) for deal in result.faulted)
    await side.hosting.host_match(key)
    await side.hosting.host_match(MatchKey(row.id, 3))
    await side.hosting.host_match(replace(key, tournament=type(key.tournament)("t_gone")))
    assert side.hall.tables == 0
    assert side.writer.tally.committed == {"deals": 1}


async def test_a_match_waits_for_a_free_table(world: World) -> None:
    """With one table, several matches are played one after the other, each once."""
    side = Side(world, capacity=1)
    row = await withdrawn(world, passes=3)
    keys = await world.in_line(row)
    assert len(keys) == 3
    await asyncio.gather(*(side.hosting.host_match(key) for key in keys))

    async def all_written() -> bool:
        return len(await world.storage.tournaments.results(row.id)) == 3

    await until(all_written)
    await cancelled(side.tasks)


async def test_a_match_waits_for_its_bots(world: World, side: Side) -> None:
    """A match is not taken before its bots are here, as after a restart of this referee."""
    row = await lined_up(world, await world.started())
    key = (await world.in_line(row))[0]
    taking = asyncio.create_task(side.hosting.host_match(key))
    for entrant in row.entrants:
        assert not taking.done()
        assert (await world.storage.tournaments.match_rows(row.id, [key.number]))[key.number][0] is MatchState.READY
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4)])
        await asyncio.sleep(0)
    await asyncio.wait_for(taking, 5)
    assert (await world.storage.tournaments.match_rows(row.id, [key.number]))[key.number] == (MatchState.HOSTED, 1)
    assert side.hall.tables == 1


async def test_what_is_lost_is_stopped(world: World, side: Side) -> None:
    """A match that was cancelled, or given to another referee, is stopped at the next check."""
    row = await lined_up(world, await world.started(passes=2))
    for entrant in row.entrants:
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4)])
    first, second = await world.in_line(row)
    await side.hosting.host_match(first)
    await side.hosting.host_match(second)
    await side.hosting.check()
    assert side.hall.tables == 2
    await world.storage.tournaments.release(first, 1, park_after=3)
    taken = await world.storage.tournaments.take(first, RefereeId("r_other"))
    assert taken is not None
    await side.hosting.check()
    assert [str(match) for match in side.hall.hosted] == [str(second)]
    await world.change(row, "cancel")
    await side.hosting.check()
    assert side.hall.tables == 0


async def test_draining_hands_back_unharmed(world: World, side: Side) -> None:
    """A referee that goes away hands its matches back, ready at once, attempts not counted against them."""
    row = await lined_up(world, await world.started())
    for entrant in row.entrants:
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4)])
    key = (await world.in_line(row))[0]
    for attempt in range(1, 6):
        taken = await world.storage.tournaments.take(key, REFEREE.id)
        assert taken is not None
        assert taken.attempt == attempt
        await world.storage.tournaments.release(key, attempt, park_after=0)
    await side.hosting.host_match(key)
    await side.hosting.drain(0.05)
    await side.hosting.leave()
    assert (await world.storage.tournaments.match_rows(row.id, [key.number]))[key.number][0] is MatchState.READY
    assert await world.storage.fleet.referees() == []


async def test_a_late_result_is_dropped(world: World, side: Side) -> None:
    """What an old attempt reports is not written, and counted as lost; the writer goes on."""
    row = await lined_up(world, await world.started(passes=2))
    first, second = await world.in_line(row)
    for key in (first, second):
        assert await world.storage.tournaments.take(key, REFEREE.id)
    await world.storage.tournaments.release(first, 1, park_after=3)
    side.writer.checkpoint(order(row, first.number), Checkpoint((), (0,) * 4, (), (0.0,) * 4, ({},) * 4))
    side.writer.commit(order(row, first.number), outcome((0, 5, 8, 13)))
    side.writer.commit(order(row, second.number), outcome((0, 5, 8, 13)))
    assert await side.writer.written(10)
    assert set(await world.storage.tournaments.results(row.id)) == {second.number}
    assert side.writer.tally.lost == 1
    assert side.writer.tally.deals == 2


async def test_the_latest_checkpoint_counts(world: World, side: Side) -> None:
    """Of several checkpoints the latest is kept, and the next attempt gets it."""
    row = await lined_up(world, await world.started())
    key = (await world.in_line(row))[0]
    assert await world.storage.tournaments.take(key, REFEREE.id)
    played = outcome((0, 5, 8, 13))
    for count in (1, 2):
        side.writer.checkpoint(
            order(row), Checkpoint(played.deals[:count], (0,) * 4, played.faulted[:count], (1.0,) * 4, ({},) * 4)
        )
    side.writer.release(order(row), "a test")
    assert await side.writer.written(10)
    taken = await world.storage.tournaments.take(key, REFEREE.id)
    assert taken is not None
    checkpoint = order_of(plan_of(row), Chain(b"x", 4), row.entrants, taken).checkpoint
    assert checkpoint is not None
    assert len(checkpoint.deals) == 2


async def test_an_outage_is_waited_out(own_valkey: EmbeddedValkey) -> None:
    """With storage killed, results are kept and written when it is back; the heartbeat is heard again too.

    The log says once that it is away and once that it is back, however many results wait and however often it is tried.
    """
    storage = await open_storage(own_valkey.url)
    world = world_on(storage)
    side = Side(world)
    row = await lined_up(world, await world.started(passes=2))
    keys = await world.in_line(row)
    for key in keys:
        assert await storage.tournaments.take(key, REFEREE.id)
    beating = asyncio.create_task(side.hosting.beat_for_ever())

    async def heard() -> bool:
        return side.hosting.heard

    await until(heard)
    with capture_logs() as lines:

        async def retried() -> bool:
            away = any(line["event"] == "storage_away" for line in lines)
            return away and side.writer.tally.retries > len(keys)

        own_valkey.stop()
        for key in keys:
            side.writer.commit(order(row, key.number), outcome((0, 5, 8, 13)))
        await until(retried)
        assert side.writer.waiting == len(keys)
        side.clock += 10
        assert not side.hosting.heard
        await asyncio.to_thread(own_valkey.start)
        assert await side.writer.written(15)

        async def told() -> bool:
            return len(lines) >= 4

        await until(told)
    assert sorted(line["event"] for line in lines) == ["storage_away", "storage_back", "writes_go_on", "writes_wait"]
    assert set(await storage.tournaments.results(row.id)) == {key.number for key in keys}
    await until(heard)
    await cancelled([beating, *side.tasks])
    await storage.aclose()


async def test_presences_are_told(world: World, side: Side) -> None:
    """What the host reports of bots is in storage with the next heartbeat."""
    two_packs = Capabilities(max_packs=2, max_players=8, kinds=frozenset({"play", "pass"}))
    side.writer.presence(
        HostBotId("b_one"), [Attending("1", 8), Attending("2", 8, visiting=True, capabilities=two_packs)]
    )
    side.writer.presence(HostBotId("b_two"), [Attending("", 8)])
    side.writer.presence(HostBotId("b_two"), [])
    await side.hosting.beat(presences=True)
    one = BotId("b_one")
    assert await world.storage.fleet.presences() == [
        Presence(one, REFEREE.id, "1", 8, abilities=Abilities()),
        Presence(one, REFEREE.id, "2", 8, visiting=True, abilities=Abilities(2, 3, 8, ("pass", "play"))),
    ]
    side.clock += 30
    two, three = BotId("b_two"), BotId("b_three")
    assert side.attendance.away({BotId("b_one"), two, three}, 20) == {two, three}
    assert side.attendance.away({two, three}, 40) == frozenset()


async def test_revoking_ends_what_is_connected(world: World, side: Side) -> None:
    """When a token is revoked, the sessions that it let in are ended with the reason, and no other of the same bot."""
    (bot,) = await world.bots(1)
    people = world.control.use_cases.people
    token, secret = await people.create_token(ADMIN, Role.BOT, bot.id)
    _, another = await people.create_token(ADMIN, Role.BOT, bot.id)
    admissions, news = (
        Admissions(world.storage.registry, world.storage.visits, REFEREE.id),
        News(world.storage.wakeups, (topics.TOKENS,)),
    )
    side.hall = Hall(admissions, side.writer, HallConfig(), HostMetrics(CollectorRegistry()))
    hosting = side.hosting_of(side.hall, world)
    loops = [asyncio.create_task(news.run()), asyncio.create_task(hosting.end_revoked(news, admissions))]
    sessions = [await side.hall.admit(Greeting(secret, instance=name)) for name in ("a", "b")]
    kept = await side.hall.admit(Greeting(another, instance="c"))
    await people.revoke_token(ADMIN, token.id)

    async def ended() -> bool:
        news.tell(topics.TOKENS)  # the hint may have come before anybody listened
        return all(session.end is not None for session in sessions)

    await until(ended)
    assert {session.end.reason for session in sessions if session.end} == {"TOKEN_REVOKED"}
    assert kept.end is None
    await cancelled(loops)


async def test_a_match_whose_bot_stays_elsewhere_is_left_to_others(world: World, side: Side) -> None:
    """A bot that is at another referee and does not come: its match goes back in line, and the next ones at once."""
    row = await lined_up(world, await world.started(passes=2))
    for entrant in row.entrants[1:]:
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4)])
    first, second = await world.in_line(row)
    away = Referee(RefereeId("r_away"), "away:1", 4)
    await world.storage.fleet.beat(away, lease=60)
    await world.storage.fleet.set_presence(away.id, [Presence(row.entrants[0].bot, away.id, "", 4)])
    taking = asyncio.create_task(side.hosting.host_match(first))

    async def called() -> bool:
        side.clock += 1.0
        return taking.done()

    await until(called)
    await side.hosting.host_match(second)
    assert side.hall.tables == 0
    rows = await world.storage.tournaments.match_rows(row.id, [first.number, second.number])
    assert {state for state, _ in rows.values()} == {MatchState.READY}
    assert {call.referee for call in await world.storage.visits.calls(away.id)} == {REFEREE.id}
    assert await world.storage.queue.requeue_ready() == 2, "they were to be put on the queue anew at once"


async def test_a_full_hall_leaves_a_match_to_others(world: World) -> None:
    """A match in line does not wait long for a table: another referee may have one."""
    side = Side(world, capacity=1)
    row = await lined_up(world, await world.started(passes=2))
    for entrant in row.entrants:
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4)])
    first, second = await world.in_line(row)
    await side.hosting.host_match(first)
    await side.hosting.host_match(second)
    assert [str(match) for match in side.hall.hosted] == [str(first)]
    assert await world.storage.queue.requeue_ready() == 1
    await cancelled(side.tasks)


async def test_what_storage_only_believes_to_be_hosted_is_handed_back(world: World, side: Side) -> None:
    """A match that storage has given to this referee, and that is not here, is in line again after two looks."""
    row = await lined_up(world, await world.started(passes=2))
    for entrant in row.entrants:
        side.writer.presence(HostBotId(entrant.bot), [Attending("", 4)])
    lost, kept = await world.in_line(row)
    await side.hosting.host_match(kept)
    assert await world.storage.tournaments.take(lost, REFEREE.id) is not None
    numbers = [lost.number, kept.number]
    await side.hosting.release_forgotten()
    rows = await world.storage.tournaments.match_rows(row.id, numbers)
    assert {state for state, _ in rows.values()} == {MatchState.HOSTED}
    await side.hosting.release_forgotten()
    rows = await world.storage.tournaments.match_rows(row.id, numbers)
    assert rows[lost.number] == (MatchState.READY, 1)
    assert rows[kept.number] == (MatchState.HOSTED, 1)
