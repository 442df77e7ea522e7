"""A bot that misbehaves on purpose: when it strikes, what it sends, and how it is called."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hearts.v1 import referee_service_pb2 as pb

from arena.cli.chaosbot.hands import Hand
from arena.cli.chaosbot.plan import ANSWERS, KINDS, STREAMS, Plan, Trigger
from tests.cli.calling import Caller

HAND = [1, 14, 27, 40, 41]
RNG = Random(1)
FORKING = """
import asyncio, os
from arena.cli.chaosbot.bot import CHILDREN_AT_ONCE, ChaosBot
from arena.cli.chaosbot.plan import Plan

async def fork():
    bot = ChaosBot([], "", Plan("fork", delay=0.5))
    for _ in range(CHILDREN_AT_ONCE):
        await bot._moment("play")
    assert len(bot._children) == CHILDREN_AT_ONCE, bot._children
    while bot._children:
        await asyncio.sleep(0.01)
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        print("none is left")

asyncio.run(fork())
"""


def asked(kind: int, legal: list[int], **fields: object) -> tuple[Hand, pb.SeatUpdate]:
    """Return a hand of five cards, and the update with a decision that it has taken in."""
    hand = Hand(pb.SeatOpened(seat=7, rules={"pass_count": 3}))  # type: ignore[arg-type]
    update = pb.SeatUpdate(seat=7, decision=4, kind=kind, legal=legal, deal={"hand": HAND}, **fields)  # type: ignore[arg-type]
    hand.hear(update)
    return hand, update


@pytest.mark.parametrize(
    ("plan", "states", "strikes"),
    [
        (Plan("silent"), "welcome opened pass play moon deal-end", "pass play moon"),
        (Plan("silent", at="play"), "pass play play", "play play"),
        (Plan("garbage", at="deal-end"), "pass play deal-end", "deal-end"),
        (Plan("silent", at="play", after=2), "play play pass play play", "play play"),
        (Plan("silent", after=1, times=2), "pass play play play play", "play play"),
    ],
)
def test_when_it_strikes(plan: Plan, states: str, strikes: str) -> None:
    """At the moments that were asked for, after so many of them, and so often."""
    trigger = Trigger(plan)
    assert [state for state in states.split() if trigger.due(state)] == strikes.split()
    assert trigger.strikes == len(strikes.split())


def test_what_it_plays_when_it_behaves() -> None:
    """It plays what the referee would play for it."""
    hand, update = asked(pb.DECISION_KIND_PLAY, [40, 41, 27])
    assert hand.answer(update).card == 27
    hand, update = asked(pb.DECISION_KIND_RETURN, [27, 40])
    assert hand.answer(update).card == 40
    hand, update = asked(pb.DECISION_KIND_PASS, [])
    assert list(hand.answer(update).cards) == [41, 40, 27]
    hand, update = asked(pb.DECISION_KIND_MOON, [])
    assert hand.answer(update).moon == pb.MOON_EFFECT_OTHERS_PLUS


def test_cards_that_are_gone_and_come() -> None:
    """What was passed, received and played changes the hand, so a wrong card is wrong for the reason that is meant."""
    passed = {"gave": [1, 14, 27], "received": [2, 3, 4]}
    hand, update = asked(pb.DECISION_KIND_PLAY, [2, 3, 4, 40], passed=passed, plays=[2, 52])
    assert [action.card for action in hand.wrong("illegal", update, RNG) or ()] == [41]
    for _ in range(50):
        wrong = hand.wrong("not-held", update, RNG)
        assert wrong is not None
        assert wrong[0].card not in (3, 4, 40, 41)


@pytest.mark.parametrize("kind", list(ANSWERS))
@pytest.mark.parametrize(
    "decision", [pb.DECISION_KIND_PASS, pb.DECISION_KIND_RETURN, pb.DECISION_KIND_PLAY, pb.DECISION_KIND_MOON]
)
def test_every_wrong_answer_differs_from_the_good_one(kind: str, decision: int) -> None:
    """Each kind of fault sends something else than the good answer alone, at each kind of decision."""
    hand, update = asked(decision, [27])
    wrong = hand.wrong(kind, update, RNG)
    assert wrong is not None
    assert wrong != [hand.answer(update)]
    if kind in ("foreign-seat", "twice", "early"):
        assert hand.answer(update) in wrong


def test_nothing_illegal_can_be_done() -> None:
    """A hand whose cards may all be played has no illegal one."""
    hand, update = asked(pb.DECISION_KIND_PLAY, HAND)
    assert hand.wrong("illegal", update, RNG) is None


def test_help_lists_all_kinds(call: Caller) -> None:
    """The help tells what each kind of fault does."""
    out = call("chaos-bot", "--help").out
    assert {line.split()[0] for line in out.partition("Kinds of fault:\n")[2].partition("\n\n")[0].splitlines()} == set(
        KINDS
    )
    assert set(KINDS) == {"none", *ANSWERS, *STREAMS}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--fault", "bogus"), "bogus"),
        (("--fault", "silent", "--at", "hello"), "nothing is to be answered there"),
        (("--fault", "illegal", "--at", "opened"), "is about decisions"),
        (("--fault", "silent"), "ARENA_ADDRESS"),
        (("--fault", "silent", "--token-file", "/nowhere"), "/nowhere"),
        (("--fault", "slow", "--delay", "soon"), "--delay"),
    ],
)
def test_wrong_usage(call: Caller, words: tuple[str, ...], says: str) -> None:
    """What cannot be is told in one line."""
    called = call("chaos-bot", *words)
    assert called.code == 2
    assert says in called.err
    assert called.err.count("\n") == 1


def test_its_children_are_bounded_and_leave_nothing() -> None:
    """However often it forks, there are no more than so many at once, and no zombies when they are over."""
    ran = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout == "none is left\n", ran.stderr
