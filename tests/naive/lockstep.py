"""The referee's table and the naive deal side by side, given the same decisions and compared at every step."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from referee.rules.cards import CARD_NAMES, Card, Hand, cards_of, hand_of, parse_card
from referee.rules.dealing import DealSource, Dealt
from referee.rules.presets import resolve as referee_resolve
from referee.rules.presets import rules_digest
from referee.rules.variant import MoonEffect
from referee.table.events import DealEnded, GameEnded, KittyTaken, PlayBegan
from referee.table.machine import DecisionKind, Need, Table
from tests.naive.deal import Deal, Refused
from tests.naive.options import Rules, pack, resolve
from tests.naive.scoring import EFFECTS, ending, places, shooter
from tests.naive.stacked import STACKS, twins
from tests.naive.strategies import STRATEGIES, cards_to_pass, to_cancel
from tests.naive.tally import count_deal, count_hands

FACES = [str(name) for name in CARD_NAMES]


class Disagreement(AssertionError):
    """The two implementations differ."""


def agree(what: str, referee: object, naive: object) -> None:
    """Raise `Disagreement` unless both say the same."""
    if referee != naive:
        raise Disagreement(f"{what}: the referee says {referee}, the naive implementation {naive}")


def cards(names: Sequence[str]) -> tuple[Card, ...]:
    """Return the referee's cards of these names."""
    return tuple(parse_card(name) for name in names)


def names(some: Sequence[Card]) -> list[str]:
    """Name the referee's cards, sorted."""
    return sorted(CARD_NAMES[card] for card in some)


def held(hand: int) -> list[str]:
    """Name the cards of a referee's hand, copies and all, sorted."""
    return names(cards_of(Hand(hand)))


class Lockstep:
    """One game, driven on both sides by one stream of random numbers."""

    def __init__(self, given: Rules, rng: Random, tally: Counter[str], *, hostile: float = 0.05) -> None:
        """Set up a game of the rules *given*; before so many decisions (0 to 1) illegal ones are tried."""
        self.rng, self.tally, self.hostile = rng, tally, hostile
        self.rules = resolve(given)
        overrides = {name: value for name, value in given.items() if name not in ("preset", "players")}
        self.variant = referee_resolve(given["preset"], players=given["players"], overrides=overrides)
        self.source = DealSource(rng.randbytes(8), rules_digest(self.variant), "naive", "1")
        dealer = self.source.dealer(self.variant)
        if self.rules["first_dealer"] != "seed":
            agree("first dealer", dealer, self.rules["first_dealer"])
        self.number = rng.choice([1, 1, 1, 2, 4, 7])
        self.dealer = dealer if self.number == 1 else rng.randrange(self.rules["players"])
        self.table = Table(self.variant, first_deal=self.number, first_dealer=self.dealer)
        self.totals = [0] * self.rules["players"]
        self.deals = 0
        self.deal: Deal | None = None
        self.strategy = rng.choice(STRATEGIES)

    def run(self, decisions: int | None = None) -> None:
        """Play to the end of the game, or so many decisions."""
        made = 0
        while not self.table.over and made != decisions:
            if self.table.needs is Need.DEAL:
                self._start()
            elif self.table.needs is Need.POOL:
                self._pool()
            else:
                self._decide()
                made += 1
            self._compare()

    # --- cards

    def _start(self) -> None:
        """Deal the next deal, from the deal procedure or stacked."""
        self.strategy = self.rng.choice(STRATEGIES)
        dealt = self.source.deal(self.variant, self.table.number, self.table.dealer)
        agree("the pack", names([*sum(dealt.hand_orders, ()), *dealt.kitty]), sorted(pack(self.rules)))
        if self.rng.random() < 0.4:
            stack = self.rng.choice(STACKS)
            hands, kitty = stack(self.rules, self.rng)
            if stack is twins and self.rng.random() < 0.7:
                self.strategy = to_cancel
            orders = tuple(cards(hand) for hand in hands)
            dealt = Dealt(tuple(hand_of(order) for order in orders), orders, cards(kitty))
        hands = [[FACES[card] for card in order] for order in dealt.hand_orders]
        count_hands(self.tally, self.rules, hands)
        self.table.deal(dealt)
        self.deal = Deal(self.rules, self.number, self.dealer, hands, [FACES[card] for card in dealt.kitty])
        agree("number and dealer", (self.table.number, self.table.dealer), (self.number, self.dealer))

    def _pool(self) -> None:
        """Deal the pool back on both sides."""
        deal, table = self._deal(), self.table
        agree("the pool", names(table.surrendered), sorted(deal.pool()))
        dealt = self.source.pool(self.variant, table.number, table.dealer, table.surrendered)
        table.pool(dealt)
        deal.deal_pool([[FACES[card] for card in share] for share in dealt])
        self.tally["pools with own cards back"] += any(
            set(given or []) & set(back) for given, back in zip(deal.passes, deal.received, strict=True)
        )

    def _deal(self) -> Deal:
        assert self.deal is not None
        return self.deal

    # --- decisions

    def _decide(self) -> None:
        """Make one decision on both sides, perhaps after some that both must refuse."""
        deal = self._deal()
        seat = self.rng.choice(deal.waiting())
        legal = deal.legal(seat)
        if self.rng.random() < self.hostile:
            self._try_everything(seat, legal)
        if deal.stage == "pass":
            given = cards_to_pass(deal, seat, self.strategy, self.rng)
            self._both("pass", seat, given, allowed=True)
            self.tally["passes with twins"] += len(set(given)) < len(given)
        elif deal.stage == "play":
            self._both("play", seat, self.strategy(deal, seat, legal, self.rng), allowed=True)
        else:
            self._both(deal.stage, seat, self.rng.choice(legal), allowed=True)

    def _both(self, kind: str, seat: int, choice: Any, *, allowed: bool | None = None) -> None:  # noqa: ANN401
        """Put a decision to both; they must agree whether it is allowed."""
        deal, table = self._deal(), self.table
        naive: dict[str, Callable[[int, Any], None]] = {
            "pass": deal.give,
            "return": deal.give_back,
            "play": deal.play,
            "moon": deal.choose,
        }
        before = (len(table.log), table.kind, table.turn, table.legal, list(table.hands))
        if kind == "pass":
            violation = table.pass_cards(seat, cards(choice))
        elif kind == "moon":
            violation = table.choose_moon(seat, MoonEffect(choice))
        else:
            violation = (table.play if kind == "play" else table.return_card)(seat, parse_card(choice))
        try:
            naive[kind](seat, choice)
        except Refused as refused:
            if violation is None or allowed:
                raise Disagreement(f"seat {seat} {kind} {choice}: {violation} against {refused}") from refused
            after = (len(table.log), table.kind, table.turn, table.legal, list(table.hands))
            agree("the table after a refusal", after, before)
            self.tally["refusals"] += 1
        else:
            agree(f"seat {seat} {kind} {choice}", violation, None)

    def _try_everything(self, seat: int, legal: list[str]) -> None:
        """Try what must be refused: other seats, other kinds of decision, other cards, wrong numbers of cards."""
        deal, rng = self._deal(), self.rng
        stage, count = deal.stage, self.rules["pass_count"]
        others = [other for other in deal.seats if other not in deal.waiting()]
        hand = deal.hands[seat]
        for kind in ("pass", "return", "play"):
            some: Any = rng.sample(hand, min(count, len(hand))) if kind == "pass" else rng.choice(hand or FACES)
            if kind != stage:
                self._both(kind, seat, some)
            for other in others[:3]:
                self._both(kind, other, some)
        for other in deal.seats:
            if stage != "moon" or other != seat:
                self._both("moon", other, rng.choice(EFFECTS))
        if stage == "moon":
            self._both("moon", seat, "shooter_choice")
        elif stage == "pass":
            size = rng.choice([count - 1, count + 1])
            self._both("pass", seat, hand[:size] if size < len(hand) else [*hand, *hand[:1]])
            absent = [face for face in FACES if face not in hand]
            self._both("pass", seat, [rng.choice(absent), *hand[: count - 1]])
            more = hand.count(hand[0]) + 1
            if count >= more:
                self._both("pass", seat, [hand[0]] * more + [card for card in hand if card != hand[0]][: count - more])
        elif stage in ("play", "return"):
            for face in FACES:
                if face not in legal:
                    self._both(stage, seat, face)

    # --- comparison

    def _compare(self) -> None:
        """Compare who acts, what is legal, and where every card is."""
        deal, table = self._deal(), self.table
        between = table.needs is Need.DEAL or table.over
        stage = "over" if between else "pool" if table.needs is Need.POOL else table.kind.value if table.kind else "-"
        agree("stage", stage, deal.stage)
        agree("who acts", list(table.to_act), deal.waiting())
        if table.kind is DecisionKind.PLAY:
            agree("legal cards", held(table.legal), deal.legal(table.turn))
            agree("trick", (table.trick, table.leader), (len(deal.tricks) + 1, deal.leader))
            if deal.trick:
                return
        elif table.kind is DecisionKind.RETURN:
            for seat in deal.waiting():
                agree("received", names(table.received(seat)), sorted(deal.received[seat]))
        agree("hands", [held(hand) for hand in table.hands], [sorted(hand) for hand in deal.hands])
        agree("taken", [names(pile) for pile in table.taken], [sorted(pile) for pile in deal.taken])
        agree("carried and kitty", (names(table.carry), names(table.kitty)), (sorted(deal.carried), sorted(deal.kitty)))
        if between:
            self._end_of_deal()
            self._both("play", 0, FACES[0])

    def _end_of_deal(self) -> None:
        """Compare what the log says of the deal, the score, and whether the game is over."""
        deal, table = self._deal(), self.table
        log = table.log[table.deal_start :]
        [began] = [entry for entry in log if isinstance(entry, PlayBegan)]
        [ended] = [entry for entry in log if isinstance(entry, DealEnded)]
        shows = self.rules["opening_lead"] == "show_2c_any_nonscoring"
        agree("2C shown", began.shown is not None, shows)
        agree("direction", table.direction.value, deal.direction)
        agree("kitty's taker", [e.seat for e in log if isinstance(e, KittyTaken)], _listed(deal.kitty_taker))
        hero = shooter(self.rules, deal.taken)
        agree("shooter", ended.shooter, hero)
        agree("moon", ended.moon.value if ended.moon else None, deal.moon)
        agree("points", list(ended.points), deal.points)
        self.totals = [had + got for had, got in zip(self.totals, deal.points or [], strict=True)]
        agree("totals", (list(ended.totals), list(table.totals)), (self.totals, self.totals))
        self.deals += 1
        self.number += 1
        self.dealer = (self.dealer + 1) % self.rules["players"]
        why = ending(self.rules, self.deals, self.totals)
        agree("over", table.over, why is not None)
        if why is not None:
            last = table.log[-1]
            assert isinstance(last, GameEnded)
            right = (why, places(self.totals), self.totals)
            self.tally[f"games ended by {why}"] += 1
            agree("end", (last.termination.value, list(last.places), list(last.totals)), right)
        count_deal(self.tally, deal, hero)


def _listed(seat: int | None) -> list[int]:
    return [] if seat is None else [seat]
