"""What goes over the wire: hellos are checked, rules are whole, and nothing hidden is in an update."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import count
from random import Random

import pytest
from hearts.v1 import referee_service_pb2 as pb
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.host import attendance
from referee.host.ports import MatchOrder
from referee.rules.cards import Card, Hand, cards_of, hand_of
from referee.rules.dealing import Dealt
from referee.rules.presets import from_json, resolve, to_json
from referee.rules.variant import Variant
from referee.table.events import CardsPassed
from referee.transport.convert import MAX_LABEL, MalformedFrame, greeting_from_wire, rules_to_wire, wire_faces
from referee.transport.servicer import RefereeServicer
from tests.host.world import Action, Bot, World, order_of, two_deals
from tests.transport.referee_client import first

SECRET = "arena_bot_secret"  # noqa: S105 - of no arena
VARIANTS = [
    resolve("standard"),
    resolve("standard", overrides={"target": None, "deals": 16, "first_dealer": 2}),
    resolve("classic", players=7),
    resolve("cancellation", players=11),
    resolve("hoemke-3421"),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.preset)
def test_rules_on_the_wire_are_whole(variant: Variant) -> None:
    """From the rule set on the wire the variant can be made again, option by option."""
    message = rules_to_wire(variant)
    told = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    for name, value in to_json(variant).items():
        if name == "stripped":
            assert [card - 1 for card in told[name]] == list(variant.stripped)
        elif name == "first_dealer":
            assert told[name] == str(value)
        elif isinstance(value, list):
            assert list(told[name]) == value
        elif value is not None:
            assert told[name] == value
        else:
            assert not told[name]
    assert from_json(to_json(variant)) == variant


@given(st.sets(st.integers(0, 51)))
def test_faces_on_the_wire(cards: set[int]) -> None:
    """A mask of faces is told card by card, numbered from 1, ascending."""
    assert wire_faces(sum(1 << card for card in cards)) == tuple(card + 1 for card in sorted(cards))


def hello(**fields: object) -> pb.PlayRequest:
    """Return a first request."""
    return first(SECRET, **fields)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.PlayRequest(), "HELLO_EXPECTED"),
        (pb.PlayRequest(actions=[pb.Action()]), "HELLO_EXPECTED"),
        (pb.PlayRequest(hello=pb.Hello(protocol_version=1), ready=[pb.Ready()]), "HELLO_ALONE"),
        (hello(protocol_version=0), "PROTOCOL_VERSION"),
        (hello(protocol_version=2), "PROTOCOL_VERSION"),
        (hello(instance="x" * (MAX_LABEL + 1)), "BAD_LABEL"),
        (hello(bot_version="a\nb"), "BAD_LABEL"),
        (hello(instance="\x00"), "BAD_LABEL"),
        (hello(bot_version="\u202e"), "BAD_LABEL"),
    ],
)
def test_hellos_that_are_refused(request_: pb.PlayRequest, reason: str) -> None:
    """A first request of the wrong form is refused with the reason that names what is wrong."""
    with pytest.raises(MalformedFrame) as refusal:
        greeting_from_wire(request_, 1)
    assert refusal.value.reason == reason


def test_hellos_that_are_taken() -> None:
    """Unset capabilities mean the defaults; kinds that are not known here are kept as such, not dropped."""
    greeting = greeting_from_wire(hello(bot_version="1.0 é", instance="x" * MAX_LABEL), 1)
    assert (greeting.capabilities.max_packs, greeting.capabilities.min_players) == (1, 3)
    assert greeting.capabilities.kinds == frozenset()
    assert greeting.token == SECRET
    assert SECRET not in repr(greeting)
    strange = hello(capabilities=pb.Capabilities(decision_kinds=[99]))  # type: ignore[list-item]
    assert greeting_from_wire(strange, 1).capabilities.kinds == {"unknown"}


@dataclass
class Fixed:
    """A source of cards that deals what it is told."""

    dealt: Dealt

    def deal(self, *_: object) -> Dealt:
        """Return the deal."""
        return self.dealt


class Wiretap:
    """A world in which the frames to the bot at seat 0 are kept as they go out."""

    def __init__(self, order: MatchOrder) -> None:
        self.order = order
        self.world = World()
        self.world.hall._handles = count(1).__next__  # they start anywhere; both worlds shall start alike
        self.frames: list[bytes] = []

    async def open(self) -> None:
        """Seat everybody and deal."""
        self.bots = await self.world.table(self.order)
        self.servicer = RefereeServicer(self.world.hall)
        self.table = self.world.hall._matches[self.order.match].table
        self._listen()
        for bot in self.bots:
            for seat in list(bot.session.seats.values()):
                attendance.ready(seat)
        self._listen()

    def _listen(self) -> None:
        tapped, *others = self.bots
        while tapped.session.has_something:
            frame = self.servicer._frame(tapped.session, self.world.hall.clock.now())
            self.frames.append(frame.SerializeToString(deterministic=True))
        for bot in others:
            bot.listen()

    def answer(self, position: int, action: Action) -> bool:
        """Let the seat at *position* answer; return whether that was legal."""
        bot: Bot = self.bots[position]
        (seat,) = bot.session.seats.values()
        bot.send(Action(seat.handle, seat.number, action.card, action.cards, action.moon))
        legal = not bot.session.refusals and not bot.refusals
        self._listen()
        return legal


async def run_world(
    variant: Variant, dealt: Dealt, rng: Random, steps: int
) -> tuple[Wiretap, list[tuple[int, Action]]]:
    """Return a world after so many random decisions, and the decisions."""
    tap = Wiretap(order_of(variant, deals=Fixed(dealt), first_dealer=3))
    await tap.open()
    table = tap.table
    made: list[tuple[int, Action]] = []
    while table.to_act and len(made) < steps and table.number == 1:
        position = rng.choice(table.to_act)
        if table.kind is not None and table.kind.value == "pass":
            chosen = rng.sample(cards_of(table.hands[position]), variant.pass_count)
            action = Action(0, 0, cards=[card + 1 for card in chosen])
        else:
            action = Action(0, 0, card=rng.choice(cards_of(Hand(table.legal))) + 1)
        made.append((position, action))
        assert tap.answer(position, action)
    return tap, made


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 50), st.sampled_from(["hold", "left", "across"]), st.booleans())
def test_hidden_cards_do_not_change_what_a_seat_is_told(seed: int, steps: int, direction: str, same_suit: bool) -> None:
    """Worlds that differ only in cards hidden from a seat send it the same bytes."""
    asyncio.run(compare(seed, steps, direction, same_suit))


async def compare(seed: int, steps: int, direction: str, same_suit: bool) -> None:
    """Play a deal for so many steps, exchange the cards that seat 0 cannot know, and play the same again."""
    rng = Random(seed)
    variant = two_deals(pass_cycle=[direction])
    deck = list(map(Card, range(52)))
    rng.shuffle(deck)
    orders = tuple(tuple(deck[seat::4]) for seat in range(4))
    first, made = await run_world(variant, Dealt(tuple(map(hand_of, orders)), orders, ()), rng, steps)
    log = first.table.log
    # Seat 0 knows its own hand as dealt, and what it received; all else that is not played yet is hidden from it.
    offset = variant.pass_offset(variant.direction(1))
    known = set(orders[0]) | {
        card
        for entry in log
        if isinstance(entry, CardsPassed) and (entry.seat + offset) % 4 == 0
        for card in entry.cards
    }
    played = {entry for entry in log if isinstance(entry, int)}
    hidden = [card for card in range(52) if card not in known | played]
    for _ in range(20):
        image = {card: card for card in map(Card, range(52))}
        groups = [[card for card in hidden if card // 13 == suit] for suit in range(4)] if same_suit else [hidden]
        for group in groups:
            shuffled = rng.sample(group, len(group))
            image.update(zip(map(Card, group), map(Card, shuffled), strict=True))
        others = tuple(tuple(image[card] for card in order) for order in orders)
        tap = Wiretap(order_of(variant, deals=Fixed(Dealt(tuple(map(hand_of, others)), others, ())), first_dealer=3))
        await tap.open()
        if all(tap.answer(position, changed(action, image)) for position, action in made):
            assert b"".join(tap.frames) == b"".join(first.frames)
            return
    assert not same_suit, "exchanges within a suit break no rule, so one of twenty is always possible"


def changed(action: Action, image: dict[Card, Card]) -> Action:
    """Return the same decision in the other world."""
    cards = [image[Card(card - 1)] + 1 for card in action.cards]
    return Action(0, 0, card=action.card and image[Card(action.card - 1)] + 1, cards=cards)


async def test_who_has_passed_and_how_long_it_took_is_not_told() -> None:
    """While others choose what to pass, nothing is sent to a seat that has chosen."""
    tap = Wiretap(order_of())
    await tap.open()
    frames = len(tap.frames)
    table = tap.table
    for position in (1, 2, 3):
        cards = [card + 1 for card in cards_of(table.hands[position])[:3]]
        assert tap.answer(position, Action(0, 0, cards=cards))
    assert len(tap.frames) == frames
