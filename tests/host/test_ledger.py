"""What is written down of faults, and what another attempt knows of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.host import attendance
from referee.host.faults import Fault
from referee.host.ledger import MOST_ENTRIES, came_cards
from referee.host.ports import FaultEntry, MatchOrder
from referee.rules.cards import parse_card
from tests.host.world import Action, Decision, World, at_random, order_of, two_deals


async def sinned(order: MatchOrder, decision_kind: str, wrong: Action) -> tuple[FaultEntry, Decision]:
    """Play a match in which the first decision of a kind is answered by *wrong*; return its entry and the decision."""
    world, done = World(), list[Decision]()

    def once(decision: Decision) -> Action:
        if decision.kind == decision_kind and not done:
            done.append(decision)
            return replace(wrong, seat=decision.seat, decision=decision.number)
        return at_random(decision)

    await world.table(order, once)
    await world.settle()
    (entry,) = world.sink.outcomes[order.match].ledger
    return entry, done[0]


async def test_a_card_that_may_not_be_played() -> None:
    """The legal cards were expected, and the card that came is named."""
    entry, decision = await sinned(order_of(), "play", Action(0, 0, card=parse_card("AH") + 1))
    assert (entry.kind, entry.decision, entry.deal, entry.play) == ("illegal", "play", 1, 1)
    assert entry.expected == "2C"
    assert entry.came == "AH"
    assert decision.legal == (parse_card("2C"),)


async def test_a_play_of_the_wrong_form() -> None:
    """What is no card is shown by its number on the wire."""
    entry, _ = await sinned(order_of(), "play", Action(0, 0, card=77))
    assert (entry.kind, entry.came) == ("protocol", "card 77")


async def test_a_wrong_pass() -> None:
    """How many cards of which hand were expected, and what came."""
    entry, decision = await sinned(order_of(), "pass", Action(0, 0, cards=[1, 2]))
    assert (entry.kind, entry.decision, entry.play, entry.came) == ("illegal", "pass", 0, "2C 3C")
    assert entry.expected.startswith("3 of ")
    assert len(entry.expected.split()) == 2 + len(decision.hand)


async def test_a_wrong_return() -> None:
    """The cards that were received were expected."""
    entry, _ = await sinned(order_of(two_deals("hoemke-3344")), "return", Action(0, 0, card=0))
    assert (entry.kind, entry.decision, entry.came) == ("protocol", "return", "card 0")
    assert len(entry.expected.split(" or ")) == 4


async def test_a_bot_that_is_silent_gone_or_leaves() -> None:
    """Without an answer it is said what was not there; giving up a seat that nothing is asked of names no decision."""
    world, order = World(), order_of(fault_limit=2)
    bots = await world.table(order, lambda decision: None)
    await world.settle()
    world.hall.left(bots[1].session)
    seat = next(iter(bots[2].session.seats.values()))
    attendance.leave(seat)
    world.pass_time(60)
    ledger = world.hall._matches[order.match]._ledger
    told = {(entry.position, entry.kind, entry.decision, entry.came) for entry in ledger}
    assert (0, "timeout", "pass", "nothing in time") in told
    assert (1, "disconnect", "pass", "nothing: the bot was not connected") in told
    assert (2, "disconnect", "pass", "nothing: the bot was not connected") in told


async def test_a_bot_that_never_gets_ready() -> None:
    """Warming up is something to be expected, too."""
    world, order = World(), order_of()
    await world.table(order)
    seat = world.hall._matches[order.match].seats[0]
    attendance.late(seat)
    (entry,) = world.hall._matches[order.match]._ledger
    assert (entry.kind, entry.decision, entry.expected) == ("timeout", "ready", "ready")


async def test_the_ledger_has_an_end() -> None:
    """No match writes more than so many faults, however many there are."""
    world, order = World(), order_of(fault_limit=1000)
    await world.table(order)
    match = world.hall._matches[order.match]
    for _ in range(MOST_ENTRIES + 5):
        match.note_fault(match.seats[0], Fault.TIMEOUT, "")
    assert len(match._ledger) == MOST_ENTRIES


async def test_another_attempt_knows_all_of_it() -> None:
    """Ledger, autopilot, grace and version go over with the checkpoint; a seat that was given up stays given up."""
    world, order = World(), order_of(two_deals(deals=4), fault_limit=50)
    await world.table(order, lambda decision: None)
    await world.settle()
    attendance.leave(world.hall._matches[order.match].seats[3])
    match = world.hall._matches[order.match]
    match.seats[1].grace = 7.5
    checkpoint = match._checkpoint()
    world.hall.void(order.match, cancelled=False)
    second = World()
    again = replace(order, attempt=2, checkpoint=checkpoint)
    await second.table(again)
    resumed = second.hall._matches[order.match]
    assert [seat.autopilot for seat in resumed.seats] == [False, False, False, True]
    assert resumed.seats[1].grace == 7.5
    assert resumed.seats[3].version == "b3/1"
    await second.settle()
    outcome = second.sink.outcomes[order.match]
    assert [entry.position for entry in outcome.ledger] == [3]
    assert outcome.faults[3] == {"disconnect": 1}


@pytest.mark.parametrize(("numbers", "text"), [((), "no card"), ((0, 51), "2C AH"), ((-1, 52, 9), "card 0 card 53 JC")])
def test_cards_that_came(numbers: tuple[int, ...], text: str) -> None:
    """Cards are named; what is none is shown as it came."""
    assert came_cards(numbers) == text
