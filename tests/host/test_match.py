"""Matches in memory: whole games, absentees, checkpoints, our own errors, and determinism."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.host.capabilities import kinds_of
from referee.host.ports import Checkpoint, MatchId, MatchOrder, Outcome, Source
from referee.rules.presets import resolve
from tests.host.world import Action, Decision, World, assert_record, at_random, order_of, sources_of, two_deals

CASES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("standard", 4, {}),
    ("standard", 4, {"pass_cycle": ["hold"]}),
    ("classic", 3, {}),
    ("classic", 4, {}),
    ("classic", 5, {}),
    ("classic", 6, {}),
    ("classic", 7, {}),
    ("cancellation", 6, {}),
    ("cancellation", 8, {}),
    ("cancellation", 11, {}),
    ("hoemke-1111", 4, {}),
    ("hoemke-2222", 4, {}),
    ("hoemke-3333", 4, {}),
    ("hoemke-4444", 4, {}),
)


async def played(order: MatchOrder) -> Outcome:
    """Return the outcome of a match in which everybody answers at random."""
    world = World()
    await world.table(order)
    await world.settle()
    return world.sink.outcomes[order.match]


@pytest.mark.parametrize(("preset", "players", "options"), CASES)
async def test_whole_matches(preset: str, players: int, options: dict[str, object]) -> None:
    """A match of any rule set ends in a record that its cards bear out, with a close for each seat."""
    variant = two_deals(preset, players, deals=5, **options)
    world, order = World(), order_of(variant)
    kinds: set[str] = set()

    def note(decision: Decision) -> Action:
        kinds.add(decision.kind)
        return at_random(decision)

    bots = await world.table(order, note)
    await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    assert sources_of(outcome) == {"bot"}
    assert kinds <= kinds_of(variant)
    assert kinds | {"moon"} >= kinds_of(variant)
    assert outcome.faults == ({},) * players
    assert outcome.versions == tuple(f"{seat.bot}/1" for seat in order.seats)
    assert outcome.faulted == ((False,) * players,) * 5
    for bot in bots:
        (closing,) = bot.closed
        assert (closing.reason, closing.totals, closing.places) == ("finished", outcome.totals, outcome.places)
        assert len(bot.scores) == 5
        assert bot.session.seats == {}
        assert bot.session.open == 0
        assert not bot.refusals
    assert world.hall.tables == 0


async def test_a_game_to_a_target() -> None:
    """A game ends at the deal in which somebody reaches the target."""
    variant = resolve("standard", overrides={"target": 60})
    outcome = await played(order_of(variant))
    assert outcome.termination == "target"
    assert max(outcome.totals) >= 60


async def test_forced_plays_are_played_for_all() -> None:
    """With `auto_play_forced` no bot is asked for a play without a choice, and is told how many there were."""
    plain, forced = order_of(), order_of(auto_play_forced=True)
    outcome = await played(plain)
    world = World()
    asked: list[Decision] = []

    def note(decision: Decision) -> Action:
        asked.append(decision)
        return at_random(decision)

    await world.table(forced, note)
    await world.settle()
    automatic = world.sink.outcomes[forced.match]
    assert_record(forced, automatic)
    assert sources_of(automatic) == {"bot", "forced"}
    assert sources_of(outcome) == {"bot"}
    assert all(len(decision.legal) != 1 for decision in asked if decision.kind == "play")
    assert world.hall.tally.decisions[Source.FORCED] > 8
    assert automatic.faults == ({},) * 4


async def test_a_match_of_absentees_is_played_out() -> None:
    """With nobody present every decision is a substitute, every deal is faulted, and the loop is not held up."""
    world, order = World(), order_of(absent=("b0", "b1", "b2", "b3"))
    world.hall.host(order)
    assert not world.sink.outcomes  # one deal in a turn of the loop
    await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    assert sources_of(outcome) == {"autopilot"}
    assert outcome.faulted == ((True,) * 4,) * 2
    assert outcome.versions == ("",) * 4


async def test_a_void_between_two_deals_of_absentees() -> None:
    """A match stopped while its next deal waits for a turn of the loop deals no more."""
    world, order = World(), order_of(absent=("b0", "b1", "b2", "b3"))
    world.hall.host(order)
    world.hall.void(order.match, cancelled=True)
    await world.settle()
    assert world.sink.outcomes == {}
    assert world.sink.released == []


async def test_one_absentee_is_faulted_from_the_first_deal() -> None:
    """A seat that nobody was waited for is faulted in every deal, the others in none."""
    world, order = World(), order_of(absent=("b3",))
    await world.table(order)
    await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert outcome.faulted == ((False, False, False, True),) * 2


async def test_going_on_from_a_checkpoint() -> None:
    """An attempt that goes on from any checkpoint ends with the record of an undisturbed one."""
    variant = two_deals(deals=6)
    order = order_of(variant)
    whole = await played(order)
    world = World()
    await world.table(order)
    while not world.sink.checkpoints:
        for bot in world.bots:
            bot.turn()
        world.pass_time(0.1)
    (_, checkpoint) = world.sink.checkpoints[-1]
    assert 0 < len(checkpoint.deals) < 6
    world.hall.void(order.match, cancelled=False)
    again = await played(replace(order, attempt=2, checkpoint=checkpoint))
    assert assert_record(order, again) == assert_record(order, whole)
    assert again.faulted == whole.faulted
    assert again.totals == whole.totals


async def test_faults_and_banks_survive_a_checkpoint() -> None:
    """An attempt takes over banks and faults, and who has used up its faults stays on autopilot."""
    whole = await played(order_of())
    checkpoint = Checkpoint(
        deals=whole.deals[:1],
        totals=tuple(whole.deals[0]["totals"]),  # type: ignore[arg-type]
        faulted=((False, True, False, False),),
        banks=(3.0, 0.0, 20.0, 7.5),
        faults=({}, {"timeout": 5}, {"illegal": 1}, {}),
    )
    world, order = World(), order_of(attempt=2, checkpoint=checkpoint)
    bots = await world.table(order)
    assert [seat.bank for seat in world.hall._matches[order.match].seats] == [3.0, 0.0, 20.0, 7.5]
    await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    assert outcome.faulted == ((False, True, False, False), (False, True, False, False))
    assert outcome.faults == ({}, {"timeout": 5}, {"illegal": 1}, {})
    assert bots[1].opened == []


async def test_our_own_error_voids_only_its_match(capsys: pytest.CaptureFixture[str]) -> None:
    """An exception at one table gives back that attempt, is logged without hands, and leaves the other table alone."""
    world = World()
    broken, sound = order_of(match="broken"), order_of(match="sound")
    bots = await world.table(broken)
    world.hall.host(sound)
    table = world.hall._matches[broken.match].table

    class Broken:
        """A law that fails."""

        def __getattr__(self, name: str) -> object:
            hand_of_somebody = "QS AS KS"
            raise RuntimeError(f"no {name}" + "" * len(hand_of_somebody))

    table._law = Broken()  # type: ignore[assignment]
    await world.settle()
    assert world.sink.released == [(broken.match, "internal error")]
    assert set(world.sink.outcomes) == {sound.match}
    assert_record(sound, world.sink.outcomes[sound.match])
    for bot in bots:
        assert [closing.reason for closing in bot.closed] == ["voided", "finished"]
        assert bot.session.open == 0
    logged = capsys.readouterr().out
    assert "table_broke" in logged
    assert "RuntimeError" in logged
    assert "'QS AS KS'" not in logged.replace('hand_of_somebody = "QS AS KS"', "")
    assert "locals" not in logged


async def test_an_error_in_the_sink_gives_the_match_back(capsys: pytest.CaptureFixture[str]) -> None:
    """A result that cannot even be handed over is no result: the match is released, and played again."""
    world, order = World(), order_of()

    def refuse(*_: object) -> None:
        raise RuntimeError("the sink is broken")

    world.sink.commit = refuse  # type: ignore[assignment,method-assign]
    await world.table(order)
    await world.settle()
    assert world.sink.released == [(order.match, "internal error")]
    assert world.hall.tables == 0
    assert "table_broke" in capsys.readouterr().out


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_the_record_does_not_depend_on_the_order_of_answers(seed: int) -> None:
    """Whoever answers first, in whatever frames, at however many tables: records and faults are the same."""
    reference, shuffled = asyncio.run(interleaved(None)), asyncio.run(interleaved(Random(seed)))
    assert reference == shuffled


async def interleaved(rng: Random | None) -> dict[MatchId, bytes]:
    """Return the records of three matches of the same five bots, answers given in the order that *rng* chooses."""
    world = World()
    orders = [
        order_of(match="x", bots=["b0", "b1", "b2", "b3"]),
        order_of(match="y", bots=["b3", "b4", "b0", "b1"], auto_play_forced=True),
        order_of(two_deals("classic", 3), "z", bots=["b4", "b2", "b0"]),
    ]
    for order in orders:
        await world.table(order)
    while world.hall.tables:
        if rng is None:
            await world.settle()
            continue
        bot = rng.choice(world.bots)
        bot.listen()
        bot.get_ready()
        some = rng.sample(sorted(bot.open), rng.randint(0, len(bot.open)))
        bot.answer(some)
        if rng.random() < 0.1:
            world.pass_time(0.02)
    return {order.match: assert_record(order, world.sink.outcomes[order.match]) for order in orders}
