"""Worlds that differ only in cards hidden from a seat: the frames that go out to it are the same to the byte."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import pytest
from hearts.v1 import referee_service_pb2 as pb
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.host import attendance
from referee.host.ports import MatchOrder
from referee.rules.cards import Card, cards_of
from referee.rules.dealing import Dealt
from referee.rules.variant import MoonEffect, Variant
from referee.table.machine import DecisionKind
from referee.transport.servicer import RefereeServicer
from tests.host.world import Action, World, order_of
from tests.rules.strategies import variants
from tests.table.players import ALL_KINDS, rules, source_of
from tests.table.worlds import Faces, Step, Story, other_faces, told_at_random

POOL: dict[str, Any] = {"pass_mode": "pool"}
MOONS = {MoonEffect.OTHERS_PLUS: 1, MoonEffect.SELF_MINUS: 2, None: 0}


@dataclass
class Told:
    """A source of cards that deals a story first, and then the same to every world."""

    story: Story
    faces: Faces

    def deal(self, variant: Variant, number: int, dealer: int) -> Dealt:
        """Return the deal of the story, or a later one."""
        return self.story.dealt(self.faces) if number == 1 else source_of(variant, 1).deal(variant, number, dealer)

    def pool(self, *_: object) -> tuple[tuple[Card, ...], ...]:
        """Return the pool of the story."""
        return self.story.shares(self.faces)


class Wiretap:
    """A world in which the frames to the bot at one seat are kept as they go out."""

    def __init__(self, order: MatchOrder, tapped: int = 0) -> None:
        self.order = order
        self.tapped = tapped
        self.world = World()
        self.world.hall._handles = count(1).__next__  # they start anywhere; all worlds shall start alike
        self.frames: list[bytes] = []

    async def open(self) -> None:
        """Seat everybody and deal."""
        self.bots = await self.world.table(self.order)
        self.servicer = RefereeServicer(self.world.hall)
        self.match = self.world.hall._matches[self.order.match]
        self.table = self.match.table
        self._listen()
        for bot in self.bots:
            for seat in list(bot.session.seats.values()):
                attendance.ready(seat)
        self._listen()

    def _listen(self) -> None:
        for position, bot in enumerate(self.bots):
            if position != self.tapped:
                bot.listen()
                continue
            while bot.session.has_something:
                frame = self.servicer._frame(bot.session, self.world.hall.clock.now())
                self.frames.append(frame.SerializeToString(deterministic=True))

    def answer(self, position: int, action: Action) -> None:
        """Let the seat at *position* answer; it must be legal."""
        bot = self.bots[position]
        seat = self.match.seats[position]
        bot.send(Action(seat.handle, seat.number, action.card, action.cards, action.moon))
        assert not bot.session.refusals
        assert not bot.refusals
        self._listen()

    async def come_again(self) -> None:
        """Let the tapped bot's stream break, and the bot come back: it is told the whole deal again."""
        self.bots[self.tapped].drop()
        self.bots[self.tapped] = await self.world.connect(self.order.seats[self.tapped].bot)
        told = len(self.frames)
        self._listen()
        assert pb.PlayResponse.FromString(self.frames[told]).opened[0].snapshot

    def tell(self, step: Step, faces: Faces) -> None:
        """Let a *step* of a story be answered."""
        kind, seat, places, effect = step
        named = [faces[place] + 1 for place in places]
        if kind is DecisionKind.PASS:
            self.answer(seat, Action(0, 0, cards=named))
        else:
            self.answer(seat, Action(0, 0, card=sum(named), moon=MOONS[effect]))


async def frames_of(story: Story, faces: Faces, tapped: int, *, forced: bool) -> list[bytes]:
    """Return the frames that the seat *tapped* gets in the world of *faces*, the snapshot after a reconnect the last.

    *Forced* plays are made for the bots or not.
    """
    order = order_of(story.variant, deals=Told(story, faces), first_dealer=story.dealer, auto_play_forced=forced)
    tap = Wiretap(order, tapped)
    await tap.open()
    plays = 0
    for step in story.steps:
        plays += step[0] is DecisionKind.PLAY
        table = tap.table
        made = sum(isinstance(entry, int) for entry in table.log[table.deal_start :])
        if tap.match.over or table.number != 1 or (step[0] is DecisionKind.PLAY and made >= plays):
            continue  # it was forced
        tap.tell(step, faces)
    if not tap.match.over:
        await tap.come_again()
    return tap.frames


def compare(variant: Variant, seed: int, most: int, *, forced: bool = False) -> bool:
    """Tell a story in two worlds that a seat cannot tell apart, if there is a second one; return whether there was."""
    rng = Random(seed)
    story, faces, seen = told_at_random(variant, rng, most)
    seat = rng.randrange(variant.players)
    world = other_faces(story, faces, seen[seat], rng)
    if world is None:
        return False
    one = asyncio.run(frames_of(story, faces, seat, forced=forced))
    other = asyncio.run(frames_of(story, world, seat, forced=forced))
    assert b"".join(one) == b"".join(other)
    assert one
    return True


@settings(deadline=None)
@given(variants(), st.integers(0, 2**32), st.integers(1, 120), st.booleans())
def test_hidden_cards_do_not_change_what_a_seat_is_told(variant: Variant, seed: int, most: int, forced: bool) -> None:
    """Any rule set, any piece of a deal, any seat: the same bytes, one frame after the other."""
    compare(variant, seed, most, forced=forced)


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(
    "variant",
    [
        *(rules(preset, players, deals=2) for preset, players in ALL_KINDS),
        rules("hoemke-4433", deals=1),
        rules("hoemke-3433", deals=1),
        rules("cancellation", 7, kitty_view="all", deals=2, **POOL),
        rules("cancellation", 9, kitty_view="taker", deals=2, pass_cycle=["hold"]),
    ],
    ids=lambda value: f"{value.preset}-{value.players}" if isinstance(value, Variant) else None,
)
def test_every_kind_of_rule_set_has_such_worlds(variant: Variant, forced: bool) -> None:
    """Packs of one and two, pools, cards given back, kitties seen by one or all, the deuce shown: told the same."""
    assert sum(compare(variant, seed, 1 + seed * 9, forced=forced) for seed in range(12)) >= 4


async def test_who_has_passed_and_how_long_it_took_is_not_told() -> None:
    """While others choose what to pass, nothing is sent to a seat that has chosen."""
    tap = Wiretap(order_of())
    await tap.open()
    frames = len(tap.frames)
    for position in (1, 2, 3):
        cards = [card + 1 for card in cards_of(tap.table.hands[position])[:3]]
        tap.answer(position, Action(0, 0, cards=cards))
    assert len(tap.frames) == frames
