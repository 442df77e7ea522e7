"""Worlds that a seat cannot tell apart: one deal played at random, and the same deal with cards exchanged behind it.

A story tells a deal by places, not by cards: place 17 is the card that was dealt as the 18th, whichever it is.
So the same story can be told with other cards in the places that a seat has not seen, and, if the rules allow all its
decisions and nothing public comes out otherwise, that seat must be told the same to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from referee.rules.cards import Card, hand_of
from referee.rules.dealing import Dealt, deal_out, pack_of
from referee.rules.variant import KittyView, MoonEffect, PassDirection, Variant
from referee.table.events import DealEnded, DealStarted, KittyTaken, PlayBegan
from referee.table.machine import DecisionKind, Need, Table

Place = int
Faces = Sequence[Card]
Step = tuple[DecisionKind, int, tuple[Place, ...], MoonEffect | None]
"""A decision: its kind, the seat, the places of the cards named, and the effect chosen."""
PUBLIC = (PlayBegan, DealEnded)


@dataclass
class Story:
    """One deal: who was dealt, surrendered and got what, and all decisions in their order."""

    variant: Variant
    dealer: int
    orders: tuple[tuple[Place, ...], ...]
    kitty: tuple[Place, ...]
    steps: list[Step] = field(default_factory=list)
    pool: tuple[tuple[Place, ...], ...] = ()

    def dealt(self, faces: Faces) -> Dealt:
        """Return the deal in the world of *faces*."""
        orders = tuple(tuple(faces[place] for place in order) for order in self.orders)
        return Dealt(tuple(map(hand_of, orders)), orders, tuple(faces[place] for place in self.kitty))

    def shares(self, faces: Faces) -> tuple[tuple[Card, ...], ...]:
        """Return the pool as it is dealt back in the world of *faces*."""
        return tuple(tuple(faces[place] for place in share) for share in self.pool)

    def told(self, faces: Faces) -> Table | None:
        """Return the table at the end of the story in the world of *faces*; None where the rules forbid it."""
        table = Table(self.variant, first_dealer=self.dealer)
        table.deal(self.dealt(faces))
        for step in self.steps:
            if table.needs is Need.POOL:
                table.pool(self.shares(faces))
            if table.kind is not step[0] or not decided(table, step, faces):
                return None
        if table.needs is Need.POOL:
            table.pool(self.shares(faces))
        return table


def decided(table: Table, step: Step, faces: Faces) -> bool:
    """Let *step* happen at *table*; return whether it may."""
    kind, seat, places, effect = step
    named = [faces[place] for place in places]
    match kind:
        case DecisionKind.PASS:
            return table.pass_cards(seat, named) is None
        case DecisionKind.RETURN:
            return table.return_card(seat, named[0]) is None
        case DecisionKind.PLAY:
            return table.play(seat, named[0]) is None
    return effect is not None and table.choose_moon(seat, effect) is None


@dataclass
class Knowledge:
    """Where the cards lie as a story is told, and which places each seat has seen."""

    held: list[list[Place]]
    seen: list[set[Place]]
    passed: list[tuple[Place, ...]]

    def move(self, giver: int, taker: int, places: Sequence[Place]) -> None:
        """Give *places* from one seat to another, who sees them."""
        for place in places:
            self.held[giver].remove(place)
        self.held[taker] += places
        self.seen[taker].update(places)


def told_at_random(variant: Variant, rng: Random, most: int) -> tuple[Story, list[Card], list[set[Place]]]:
    """Return a random story, its cards by place, and the places each seat has seen.

    It ends with the deal, or after *most* decisions and those that are forced by then, which a host may make for bots.
    """
    faces = pack_of(variant)
    rng.shuffle(faces)
    places = [Card(place) for place in range(len(faces))]  # `deal_out` deals anything
    dealer, players = rng.randrange(variant.players), variant.players
    orders = deal_out(places, players, dealer, variant.hand_size)
    story = Story(variant, dealer, orders, tuple(places[players * variant.hand_size :]))
    table = Table(variant, first_dealer=dealer)
    table.deal(story.dealt(faces))
    know = Knowledge([list(order) for order in orders], [set(order) for order in orders], [()] * players)
    while not table.over and table.needs is not Need.DEAL:
        if table.needs is Need.POOL:
            given = [place for gift in know.passed for place in gift]
            rng.shuffle(given)
            count = variant.pass_count
            story.pool = tuple(tuple(given[seat * count : (seat + 1) * count]) for seat in range(players))
            for seat, share in enumerate(story.pool):
                know.held[seat] += share
                know.seen[seat].update(share)
            table.pool(story.shares(faces))
            continue
        if len(story.steps) >= most and not is_forced(table):
            break
        before = len(table.log)
        step = choose(table, know, faces, rng)
        assert decided(table, step, faces)
        story.steps.append(step)
        settle(table, step, know, story)
        for entry in table.log[before:]:
            if isinstance(entry, KittyTaken):
                for seat, seen in enumerate(know.seen):
                    if seat == entry.seat or variant.kitty_view is KittyView.ALL:
                        seen.update(story.kitty)
    return story, faces, know.seen


def choose(table: Table, know: Knowledge, faces: Faces, rng: Random) -> Step:
    """Return a random legal decision of a seat that has one to make."""
    kind, seat = table.kind, rng.choice(table.to_act)
    assert kind is not None
    match kind:
        case DecisionKind.PASS:
            return kind, seat, tuple(rng.sample(know.held[seat], table.variant.pass_count)), None
        case DecisionKind.RETURN:
            giver = (seat - table.variant.pass_offset(table.direction)) % table.players
            return kind, seat, (rng.choice(know.passed[giver]),), None
        case DecisionKind.PLAY:
            return kind, seat, (rng.choice([at for at in know.held[seat] if table.legal >> faces[at] & 1]),), None
    return kind, seat, (), rng.choice((MoonEffect.OTHERS_PLUS, MoonEffect.SELF_MINUS))


def settle(table: Table, step: Step, know: Knowledge, story: Story) -> None:
    """Let *know* follow what *step*, the last of *story*, has brought about."""
    kind, seat, places, _ = step
    offset = table.variant.pass_offset(table.direction)
    if kind is DecisionKind.PASS:
        know.passed[seat] = places
    if kind is DecisionKind.PLAY:
        know.held[seat].remove(places[0])
        for seen in know.seen:
            seen.update(places)
    elif table.kind is kind or kind is DecisionKind.MOON:
        pass
    elif table.direction is PassDirection.POOL:
        for giver, gift in enumerate(know.passed):
            know.held[giver] = [place for place in know.held[giver] if place not in gift]
    else:  # all have chosen
        step_on = offset if kind is DecisionKind.PASS else -offset
        for made, giver, gift, _ in story.steps:
            if made is kind:
                know.move(giver, (giver + step_on) % table.players, gift)


def other_faces(
    story: Story, faces: list[Card], seen: set[Place], rng: Random, *, tries: int = 30
) -> list[Card] | None:
    """Return other cards by place that make no difference to a seat that has *seen* some; None if none are found.

    They make none if the rules allow all decisions, and what is public (who opens, what is scored) comes out the same.
    """
    hidden = [place for place in range(len(faces)) if place not in seen]
    truth = story.told(faces)
    assert truth is not None
    for attempt in range(tries):
        world = list(faces)
        group = hidden
        if attempt % 3 and hidden:  # within a suit it is legal more often
            suit = faces[rng.choice(hidden)] // 13
            group = [place for place in hidden if faces[place] // 13 == suit]
        group = rng.sample(group, min(len(group), rng.choice((2, 2, 3, 5, 52))))
        for place, other in zip(group, rng.sample(group, len(group)), strict=True):
            world[place] = faces[other]
        if world == faces:
            continue
        table = story.told(world)
        if table is not None and public(table) == public(truth):
            return world
    return None


def public(table: Table) -> list[object]:
    """Return what everybody at *table* comes to know beside the plays and their own cards."""
    takers = [entry.seat for entry in table.log if isinstance(entry, KittyTaken)]
    events = [entry for entry in table.log if isinstance(entry, PUBLIC)]
    return [*events, *takers, table.turn, table.to_act, is_forced(table)]


def is_forced(table: Table) -> bool:
    """Return whether the seat in turn has one card to play and no choice."""
    return table.kind is DecisionKind.PLAY and table.legal & (table.legal - 1) == 0


def differing(truth: Table, world: Table) -> set[str]:
    """Return what kinds of entries differ between two tables."""
    pairs = zip(truth.log, world.log, strict=True)
    return {type(one).__name__ for one, other in pairs if one != other} - {DealStarted.__name__}
