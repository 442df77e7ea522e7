"""Answers to decisions: wrong, illegal, too many, too late, and what each costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.host.discipline import AUTOPILOT
from referee.host.match import FORMS, WRONG_FORM
from referee.host.ports import Clock, MatchOrder, Source
from referee.rules.book import Rule
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect
from referee.table.events import MoonChosen
from tests.host.world import Action, Decision, World, assert_record, at_random, order_of, sources_of, two_deals

WRONG_PLAYS = [
    ("no card", Action(0, 0), WRONG_FORM),
    ("a card beyond the pack", Action(0, 0, card=53), WRONG_FORM),
    ("a number far beyond", Action(0, 0, card=9999), WRONG_FORM),
    ("the greatest number", Action(0, 0, card=2**31 - 1), WRONG_FORM),
    ("a negative number", Action(0, 0, card=-(2**31)), WRONG_FORM),
    ("cards for a play", Action(0, 0, cards=[1, 2, 3]), WRONG_FORM),
    ("a moon for a play", Action(0, 0, moon=1), WRONG_FORM),
]
WRONG_PASSES = [
    ("no cards", Action(0, 0), WRONG_FORM),
    ("a card for a pass", Action(0, 0, card=5), WRONG_FORM),
    ("two cards", Action(0, 0, cards=[1, 2]), "WRONG_NUMBER_OF_CARDS"),
    ("a million cards", Action(0, 0, cards=[1] * 1_000_000), "WRONG_NUMBER_OF_CARDS"),
    ("cards that are none", Action(0, 0, cards=[0, 9999, 2**31 - 1]), "NOT_IN_HAND"),
    ("negative cards", Action(0, 0, cards=[-1, -2, -3]), "NOT_IN_HAND"),
]


@pytest.mark.parametrize(
    ("kind", "wrong", "reason"),
    [("play", wrong, reason) for _, wrong, reason in WRONG_PLAYS]
    + [("pass", wrong, reason) for _, wrong, reason in WRONG_PASSES]
    + [("return", Action(0, 0), WRONG_FORM), ("return", Action(0, 0, card=-7), WRONG_FORM)]
    + [("return", Action(0, 0, cards=[3]), WRONG_FORM)]
    + [("moon", Action(0, 0), WRONG_FORM), ("moon", Action(0, 0, moon=3), WRONG_FORM)],
)
async def test_wrong_answers(kind: str, wrong: Action, reason: str) -> None:
    """An answer of the wrong form is refused with its reason, and a substitute is played; nobody else notices."""
    # classic with hearts that everybody may take: one seat shoots when all others duck; moons are forced below.
    variant = two_deals("hoemke-3344" if kind == "return" else "classic", 4)
    world, order = World(), order_of(variant)
    done: list[Decision] = []

    def once(decision: Decision) -> Action:
        if decision.kind == kind and not done:
            done.append(decision)
            return replace(wrong, seat=decision.seat, decision=decision.number)
        return at_random(decision)

    if kind == "moon":
        world, order, done = await moon_world(wrong)
    else:
        bots = await world.table(order, at_random)
        bots[0].strategy = once
        await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    (decision,) = done
    sinner = next(bot for bot in world.bots if bot.refusals)
    (refusal,) = sinner.refusals
    assert (refusal.handle, refusal.number, refusal.reason) == (decision.seat, decision.number, reason)
    told = {violation.name: (violation.value, violation.rule) for violation in Violation}
    assert (refusal.text, refusal.rule) in (
        [told[reason]] if reason in told else [(form, Rule.ANSWERS) for form in FORMS]
    )
    fault = "protocol" if reason == WRONG_FORM else "illegal"
    assert sorted(map(str, outcome.faults)) == sorted([str({fault: 1}), "{}", "{}", "{}"])
    assert sources_of(outcome) == {"bot", "illegal"}
    assert sum(map(sum, outcome.faulted)) == 1
    assert world.hall.tally.decisions[Source.ILLEGAL] == 1
    assert world.hall.tally.strays == 0


async def moon_world(wrong: Action) -> tuple[World, MatchOrder, list[Decision]]:
    """Return a played match in whose first moon the shooter answered by *wrong*; moons are made easy to shoot."""
    for seed in range(200):
        world = World()
        order = order_of(two_deals("classic", 4, deals=8), f"m{seed}")
        done: list[Decision] = []

        def shoot(decision: Decision, done: list[Decision] = done) -> Action:
            if decision.kind == "moon" and not done:
                done.append(decision)
                return replace(wrong, seat=decision.seat, decision=decision.number)
            if decision.kind == "play":  # one takes all it can, the others give it what counts
                high = decision.seat % 4 == 1
                ranked = sorted(decision.legal, key=lambda card: (card % 13, card // 13))
                return Action(decision.seat, decision.number, card=ranked[-1 if high else 0] + 1)
            return at_random(decision)

        await world.table(order, shoot)
        await world.settle()
        if done:
            return world, order, done
    raise AssertionError("nobody ever shot the moon")


async def test_a_moon_is_chosen_by_its_shooter() -> None:
    """The shooter's choice is applied, and recorded as its own."""
    world, order, (decision,) = await moon_world(Action(0, 0, moon=2))
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    moons = [deal for deal in outcome.deals if deal["moon"] is not None]
    assert moons[0]["moon"] == MoonEffect.SELF_MINUS.value
    assert moons[0]["sources"]["moon"] == "bot"  # type: ignore[index]
    assert decision.legal == ()
    assert MoonChosen.__name__ == "MoonChosen"  # `DealSources` looks for it by name


async def test_illegal_cards_name_the_rule_and_end_on_autopilot() -> None:
    """Every illegal card is refused by its rule; after so many the seat is on autopilot, and asked no more."""
    world, order = World(), order_of(two_deals(deals=3), fault_limit=4)
    bots = await world.table(order)

    def revoke(decision: Decision) -> Action:
        if decision.kind != "play":
            return at_random(decision)
        held = [card for card in range(52) if card not in decision.legal]
        return Action(decision.seat, decision.number, card=held[0] + 1)

    bots[2].strategy = revoke
    await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    assert outcome.faults[2] == {"illegal": 4}
    assert len(bots[2].refusals) == 4
    assert {note.code for note in bots[2].notes} == {"ILLEGAL", AUTOPILOT}
    assert sources_of(outcome) == {"bot", "illegal", "autopilot"}
    assert [row[2] for row in outcome.faulted] == [True, True, True]
    assert sum(map(sum, outcome.faulted)) == 3
    assert bots[2].closed[0].faults == 4


async def test_answers_that_count_for_nothing() -> None:
    """A second answer, an early one, one to a foreign seat and one to no seat are counted and change nothing."""
    world, order = World(), order_of()
    bots = await world.table(order)
    for bot in bots:
        bot.listen()
        bot.get_ready()
    for bot in bots:
        bot.listen()
    first, second = bots[0], bots[1]
    (decision,) = first.open.values()
    (foreign,) = second.open.values()
    answer = at_random(decision)
    first.send(answer, answer)
    assert world.hall.tally.strays == 1
    first.send(answer)
    first.send(at_random(foreign), Action(2**63, 1, card=1), Action(0, 0), replace(answer, decision=2**32 - 1))
    first.send(replace(answer, decision=decision.number + 1))
    assert world.hall.tally.strays == 7
    assert not first.refusals
    first.open.clear()
    await world.settle()
    assert_record(order, world.sink.outcomes[order.match])
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_an_answer_to_a_decision_that_has_not_left_us() -> None:
    """A guess at a decision before it is sent does not count, and the decision is sent as ever."""
    world, order = World(), order_of()
    bots = await world.table(order)
    for bot in bots:
        bot.listen()
        bot.get_ready()
    (handle,) = bots[0].session.seats
    bots[0].send(Action(handle, 1, cards=[1, 2, 3]))
    assert world.hall.tally.strays == 1
    await world.settle()
    assert world.sink.outcomes[order.match].faults == ({},) * 4


async def test_too_late_costs_the_bank_and_a_substitute() -> None:
    """A silent bot is given its time and its bank, once; then a substitute is played and the match goes on."""
    clock = Clock(decision=1.0, bank=2.0, network=0.1)
    world, order = World(), order_of(clock=clock)
    bots = await world.table(order)
    silent: list[int] = []

    def once(decision: Decision) -> Action | None:
        if decision.kind == "play" and len(silent) < 2 and decision.number not in silent:
            silent.append(decision.number)
            return None
        return at_random(decision)

    bots[1].strategy = once
    await world.settle()
    assert not world.sink.outcomes
    (seat,) = bots[1].session.seats.values()
    world.pass_time(3.0)
    await world.settle()
    assert len(silent) == 1
    world.pass_time(0.2)
    assert seat.bank == 0.0
    await world.settle()
    assert len(silent) == 2  # the next decision, which has no bank any more
    world.pass_time(1.2)
    await world.settle()
    outcome = world.sink.outcomes[order.match]
    assert_record(order, outcome)
    assert outcome.faults == ({}, {"timeout": 2}, {}, {})
    assert [note.code for note in bots[1].notes] == ["TIMEOUT", "TIMEOUT"]
    assert sources_of(outcome) == {"bot", "timeout"}
    assert any(update[0] is seat for update in bots[1].updates)


async def test_an_answer_after_its_time_is_a_stray() -> None:
    """An answer to a decision that a substitute has made is ignored, not taken for the next one."""
    world, order = World(), order_of(clock=Clock(decision=1.0, bank=0.0))
    bots = await world.table(order, lambda decision: None)
    await world.settle()
    (decision,) = bots[0].open.values()
    world.pass_time(1.5)
    bots[0].send(at_random(decision))
    assert world.hall.tally.strays == 1


async def test_bank_pays_for_slow_answers() -> None:
    """What an answer takes beyond its limit comes off the bank; nothing else does, and it is told."""
    world, order = World(), order_of(clock=Clock(decision=1.0, bank=5.0, network=0.1))
    bots = await world.table(order, lambda decision: None)
    await world.settle()
    seats = [next(iter(bot.session.seats.values())) for bot in bots]
    world.pass_time(1.0)
    bots[0].send(at_random(bots[0].open.popitem()[1]))
    world.pass_time(1.1)
    bots[1].send(at_random(bots[1].open.popitem()[1]))
    assert seats[0].bank == 5.0
    assert seats[1].bank == pytest.approx(4.0, abs=0.03)
    assert seats[1].took == pytest.approx(2.1, abs=0.03)


async def test_no_limit_but_the_watchdog() -> None:
    """Without a limit a decision may take the watchdog's time and no longer, the bank notwithstanding."""
    world, order = World(), order_of(clock=Clock(decision=0.0, bank=500.0, network=0.0, watchdog=30.0))
    await world.table(order, lambda decision: None)
    await world.settle()
    world.pass_time(29.5)
    assert world.hall.tally.decisions[Source.TIMEOUT] == 0
    world.pass_time(1.0)
    assert world.hall.tally.decisions[Source.TIMEOUT] == 4


async def test_the_watchdog_caps_the_bank() -> None:
    """However large the bank, one decision takes no longer than the watchdog allows."""
    world, order = World(), order_of(clock=Clock(decision=2.0, bank=500.0, network=0.0, watchdog=30.0))
    await world.table(order, lambda decision: None)
    await world.settle()
    world.pass_time(29.5)
    assert world.hall.tally.decisions[Source.TIMEOUT] == 0
    world.pass_time(1.0)
    assert world.hall.tally.decisions[Source.TIMEOUT] == 4
