"""A match without a network: the referee's table, the kit's seats, and the messages of the wire between them.

It is a second, deliberately plain way from the log to `SeatUpdate`, so that the kit is tested against the rules, and
bots can be measured by the thousand deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from hearts.v1 import referee_service_pb2 as pb
from hearts.v1 import rules_pb2
from hearts_bot import Bot
from hearts_bot.table import SeatTable

from referee.rules.cards import Card, Hand, cards_of
from referee.rules.dealing import DealSource
from referee.rules.presets import rules_digest
from referee.rules.variant import MoonEffect, PassDirection, Variant
from referee.table.events import DealEnded, KittyTaken, PlayBegan
from referee.table.machine import DecisionKind, Need, Table
from referee.table.observe import (
    PassReceived,
    PoolReceived,
    ReturnReceived,
    SeatDealStarted,
    Seen,
    observe,
)

DIRECTIONS = {
    PassDirection.LEFT: pb.PASS_DIRECTION_LEFT,
    PassDirection.RIGHT: pb.PASS_DIRECTION_RIGHT,
    PassDirection.ACROSS: pb.PASS_DIRECTION_ACROSS,
    PassDirection.HOLD: pb.PASS_DIRECTION_HOLD,
    PassDirection.POOL: pb.PASS_DIRECTION_POOL,
    PassDirection.NONE: pb.PASS_DIRECTION_NONE,
}
KINDS = {
    DecisionKind.PASS: pb.DECISION_KIND_PASS,
    DecisionKind.RETURN: pb.DECISION_KIND_RETURN,
    DecisionKind.PLAY: pb.DECISION_KIND_PLAY,
    DecisionKind.MOON: pb.DECISION_KIND_MOON,
}
MOON = {
    MoonEffect.OTHERS_PLUS: pb.MOON_EFFECT_OTHERS_PLUS,
    MoonEffect.SELF_MINUS: pb.MOON_EFFECT_SELF_MINUS,
    None: pb.MOON_EFFECT_UNSPECIFIED,
}


def wire(cards: Sequence[int]) -> list[pb.SeatUpdate]:
    """Return *cards* as numbers on the wire."""
    return [card + 1 for card in cards]  # type: ignore[misc]  # an open enum is an integer


def rule_set(variant: Variant) -> rules_pb2.RuleSet:
    """Return *variant* as a message."""
    message = rules_pb2.RuleSet(target=variant.target or 0, deals=variant.deals or 0)
    message.stripped.extend(wire(variant.stripped))  # type: ignore[arg-type]
    message.pass_cycle.extend(variant.pass_cycle)
    message.first_dealer = "seed" if variant.first_dealer is None else str(variant.first_dealer)
    for field in rules_pb2.RuleSet.DESCRIPTOR.fields_by_name:
        if field not in {"target", "deals", "stripped", "pass_cycle", "first_dealer"}:
            setattr(message, field, getattr(variant, field))
    return message


def opened(variant: Variant, position: int, *, seat: int = 0, bot_seed: int = 0) -> pb.SeatOpened:
    """Return the message that opens a seat at *position*; its handle is 100 more unless *seat* is given."""
    return pb.SeatOpened(
        seat=seat or 100 + position, position=position, rules=rule_set(variant), bot_seed=bot_seed or 7 + position
    )


def tell(update: pb.SeatUpdate, entry: Seen) -> None:
    """Add what *entry* tells to *update*."""
    match entry:
        case int():
            update.plays.extend(wire([entry]))  # type: ignore[arg-type]
        case SeatDealStarted(number, dealer, direction, hand, totals):
            update.deal.number, update.deal.dealer, update.deal.direction = number, dealer, DIRECTIONS[direction]
            update.deal.hand.extend(wire(hand))  # type: ignore[arg-type]
            update.deal.totals.extend(totals)
        case PassReceived(sent, received):
            update.passed.gave.extend(wire(sent))  # type: ignore[arg-type]
            update.passed.received.extend(wire(received))  # type: ignore[arg-type]
        case ReturnReceived(sent, received):
            update.returned.gave, update.returned.received = sent + 1, received + 1  # type: ignore[assignment]
        case PoolReceived(sent, received):
            update.passed.gave.extend(wire(sent))  # type: ignore[arg-type]
            update.pool.received.extend(wire(received))  # type: ignore[arg-type]
        case PlayBegan(leader, shown):
            update.play.leader = leader
            update.play.shown = 0 if shown is None else shown + 1  # type: ignore[assignment]
        case KittyTaken(taker, cards):
            update.kitty.position = taker
            update.kitty.cards.extend(wire(cards))  # type: ignore[arg-type]
        case DealEnded(points, totals, shooter, moon):
            update.score.points.extend(points)
            update.score.totals.extend(totals)
            update.score.moon, update.score.shooter = MOON[moon], shooter or 0
        case _:
            pass


class LocalMatch:
    """One match of *bots* against each other. `seats` are the kit's tables, `seconds` what each bot has used."""

    def __init__(
        self,
        variant: Variant,
        source: DealSource,
        bots: Sequence[Bot],
        *,
        seeds: Sequence[int] | None = None,
        first_deal: int = 1,
        strict: bool = True,
        watch: Callable[[Table, SeatTable], None] | None = None,
    ) -> None:
        """Seat *bots* by position; *watch* is shown the table and the seat after each update."""
        dealer = (source.dealer(variant) + first_deal - 1) % variant.players
        self.table = Table(variant, first_deal=first_deal, first_dealer=dealer)
        seeds = seeds or range(7, 7 + len(bots))
        self.seats = [
            SeatTable(bot, opened(variant, position, bot_seed=seeds[position]), strict=strict)
            for position, bot in enumerate(bots)
        ]
        self.seconds = [0.0] * len(bots)
        self.decisions = [0] * len(bots)
        self.points: list[tuple[int, ...]] = []
        self.plays: list[int] = []
        self._source = source
        self._told = [0] * len(bots)
        self._watch = watch
        for seat in self.seats:
            seat.start()

    def run(self) -> LocalMatch:
        """Play to the end, and return the match."""
        table = self.table
        while not table.over:
            if table.needs is Need.DEAL:
                table.deal(self._source.deal(table.variant, table.number, table.dealer))
            elif table.needs is Need.POOL:
                table.pool(self._source.pool(table.variant, table.number, table.dealer, table.surrendered))
            else:
                for seat in table.to_act:
                    self.decide(seat)
            if isinstance(table.log[-1], DealEnded) or table.over:
                self._end_deal()
        return self

    def update(self, position: int, *, since: int | None = None) -> pb.SeatUpdate:
        """Return what *position* has not been told yet, or everything *since* an index of the log."""
        table = self.table
        update = pb.SeatUpdate(seat=self.seats[position].seat)
        begin = self._told[position] if since is None else since
        for entry in observe(table.log[begin:], position, table.variant):
            tell(update, entry)
        self._told[position] = len(table.log)
        if table.kind is not None and position in table.to_act:
            self.decisions[position] += since is None
            update.decision = self.decisions[position]
            update.kind = KINDS[table.kind]
            if table.kind is DecisionKind.PLAY:
                update.legal.extend(wire(cards_of(Hand(table.legal))))  # type: ignore[arg-type]
            elif table.kind is DecisionKind.RETURN:
                update.legal.extend(wire(sorted(set(table.received(position)))))  # type: ignore[arg-type]
        return update

    def decide(self, position: int) -> None:
        """Let the bot at *position* make its decision."""
        update = self.update(position)
        request = pb.PlayRequest()
        began = perf_counter()
        self.seats[position].update(update, request)
        self.seconds[position] += perf_counter() - began
        if self._watch is not None:
            self._watch(self.table, self.seats[position])
        self.apply(position, request.actions[0])

    def apply(self, position: int, action: pb.Action) -> None:
        """Do what *action* says; it must be legal."""
        table = self.table
        match table.kind:
            case DecisionKind.PASS:
                violation = table.pass_cards(position, [Card(card - 1) for card in action.cards])
            case DecisionKind.RETURN:
                violation = table.return_card(position, Card(action.card - 1))
            case DecisionKind.MOON:
                effect = next(effect for effect, number in MOON.items() if number == action.moon)
                violation = table.choose_moon(position, effect or MoonEffect.OTHERS_PLUS)
            case _:
                violation = table.play(position, Card(action.card - 1))
                self.plays.append(action.card - 1)
        assert violation is None, f"{table.kind} {action}: {violation}"

    def _end_deal(self) -> None:
        for position, seat in enumerate(self.seats):
            update = self.update(position)
            if update.HasField("score"):
                seat.update(update, pb.PlayRequest())
        ended = next(entry for entry in reversed(self.table.log) if isinstance(entry, DealEnded))
        self.points.append(ended.points)


def source_of(variant: Variant, seed: int) -> DealSource:
    """Return the cards that *seed* stands for."""
    return DealSource(seed.to_bytes(8, "big"), rules_digest(variant), "bots", "1")
