"""What a bot knows at its table.

One `View` lives as long as the seat and changes from decision to decision: read it, keep no reference to its parts.
The kit only notes what arrives; tricks, hands, voids and the rest are worked out when the bot asks for them, once, so
a bot pays for nothing that it does not use.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from hearts.v1 import referee_service_pb2 as pb

from hearts_bot.cards import CARDS, Card, from_wire
from hearts_bot.rules import Rules, winner

_DIRECTIONS = {
    pb.PASS_DIRECTION_LEFT: "left",
    pb.PASS_DIRECTION_RIGHT: "right",
    pb.PASS_DIRECTION_ACROSS: "across",
    pb.PASS_DIRECTION_HOLD: "hold",
    pb.PASS_DIRECTION_POOL: "pool",
    pb.PASS_DIRECTION_NONE: "none",
}
_KINDS = {
    pb.DECISION_KIND_PASS: "pass",
    pb.DECISION_KIND_RETURN: "return",
    pb.DECISION_KIND_PLAY: "play",
    pb.DECISION_KIND_MOON: "moon",
}


class Trick(NamedTuple):
    """A finished trick. `cards` in the order played, from `leader` on; `winner` is a position, None if nobody won."""

    leader: int
    cards: tuple[Card, ...]
    winner: int | None

    def card_of(self, position: int) -> Card:
        """Return the card that *position* played."""
        return self.cards[(position - self.leader) % len(self.cards)]


class View:
    """All that one seat knows.

    Positions count clockwise from 0; `position` is one's own. `deal` is the number of the deal, `dealer` a position,
    `direction` one of left, right, across, hold, pool, none. `totals` are the running totals by position. `dealt` is
    the hand before passing, `passed` and `received` what went and came; `gave_back` and `got_back` likewise, where
    the rules have it. `leader` leads the first trick, having shown `shown` where the rules ask for it. `kitty_taker`
    is who took the kitty, None while nobody has.
    """

    __slots__ = (
        "_done",
        "_gone",
        "_hand",
        "_kitty",
        "_lead",
        "_legal",
        "_plays",
        "_random",
        "_synced",
        "_taken",
        "_trick",
        "_tricks",
        "_update",
        "_voids",
        "_voids_at",
        "bot_seed",
        "clock",
        "deal",
        "dealer",
        "dealt",
        "direction",
        "gave_back",
        "got_back",
        "kitty_taker",
        "leader",
        "opponents",
        "passed",
        "players",
        "position",
        "received",
        "rules",
        "seat",
        "shown",
        "totals",
    )

    def __init__(self, opened: pb.SeatOpened) -> None:
        self.seat = opened.seat
        self.position = opened.position
        self.rules = Rules.from_wire(opened.rules)
        self.players = self.rules.players
        self.clock = opened.clock
        self.bot_seed = opened.bot_seed
        self.opponents = tuple(opened.opponents)
        self.totals: tuple[int, ...] = (0,) * self.players
        self.deal = 0
        self.dealer = 0
        self.direction = "none"
        self._update = pb.SeatUpdate()
        self._legal: tuple[Card, ...] | None = None
        self._random: Random | None = None
        self._forget_deal()

    def _forget_deal(self) -> None:
        self.dealt: tuple[Card, ...] = ()
        self.passed: tuple[Card, ...] = ()
        self.received: tuple[Card, ...] = ()
        self.gave_back: Card | None = None
        self.got_back: Card | None = None
        self.leader = 0
        self.shown: Card | None = None
        self.kitty_taker: int | None = None
        self._kitty: tuple[Card, ...] = ()
        self._plays: list[int] = []
        self._hand: list[Card] = []
        self._tricks: list[Trick] = []
        self._trick: tuple[Card, ...] = ()
        self._taken: list[list[Card]] = [[] for _ in range(self.players + 1)]  # the last pile is the carried cards
        self._voids: list[set[int]] = [set() for _ in range(self.players)]
        self._lead = 0
        self._done = self._synced = self._gone = self._voids_at = 0

    # --- what the kit notes

    def note(self, update: pb.SeatUpdate) -> None:
        """Note what *update* tells."""
        if update.snapshot:
            self._forget_deal()
        has = update.HasField
        if has("deal"):
            self._begin_deal(update.deal)
        if has("passed"):
            self._exchange(from_wire(update.passed.gave), from_wire(update.passed.received))
        if has("returned"):
            returned = update.returned
            self.gave_back, self.got_back = CARDS[returned.gave - 1], CARDS[returned.received - 1]
            self._hand.remove(self.gave_back)
            self._hand.append(self.got_back)
            self._hand.sort()
        if has("pool"):
            self._exchange((), from_wire(update.pool.received))
        if has("play"):
            self.leader = self._lead = update.play.leader
            self.shown = CARDS[update.play.shown - 1] if update.play.shown else None
        plays = update.plays
        if plays:
            self._plays += plays[:]
        if has("kitty"):
            self.kitty_taker = update.kitty.position
            self._kitty = from_wire(update.kitty.cards)
            self._taken[self.kitty_taker] += self._kitty
        if has("score"):
            self.totals = tuple(update.score.totals)
        self._update = update
        self._legal = self._random = None

    def _begin_deal(self, deal: pb.DealStarted) -> None:
        self._forget_deal()
        self.deal = deal.number
        self.dealer = deal.dealer
        self.direction = _DIRECTIONS.get(deal.direction, "none")
        self.totals = tuple(deal.totals)
        self._hand = sorted(from_wire(deal.hand))
        self.dealt = tuple(self._hand)

    def _exchange(self, gave: tuple[Card, ...], received: tuple[Card, ...]) -> None:
        if gave:
            self.passed = gave
        if received:
            self.received = received
        for card in gave:
            self._hand.remove(card)
        self._hand += received
        self._hand.sort()

    # --- the decision

    @property
    def decision(self) -> int:
        """Return the number of the open decision, counted from 1 for each seat."""
        return self._update.decision

    @property
    def kind(self) -> str:
        """Return what is to be decided: pass, return, play or moon."""
        return _KINDS.get(self._update.kind, "")

    @property
    def legal(self) -> tuple[Card, ...]:
        """Return the cards that may be played or given back, each face once, ascending. Empty for pass and moon."""
        legal = self._legal
        if legal is None:
            legal = self._legal = tuple([CARDS[number - 1] for number in self._update.legal])
        return legal

    @property
    def time_millis(self) -> int:
        """Return the time for this decision, the bank not counted; 0 means no limit."""
        return self._update.time_millis

    @property
    def bank_millis(self) -> int:
        """Return what is left of the extra time for the whole match."""
        return self._update.bank_millis

    @property
    def took_millis(self) -> int:
        """Return how long the last answer took by the referee's clock."""
        return self._update.took_millis

    @property
    def random(self) -> Random:
        """Return a random generator for this one decision.

        It depends on the match's seed, the position, the deal and how many tricks have been played, and on nothing
        that came before: a bot that is restarted in mid-deal goes on as if nothing had been. `view.random` is the
        same generator until the decision is made.
        """
        if self._random is None:
            tricks = len(self._plays) // self.players
            self._random = Random(f"{self.bot_seed}/{self.position}/{self.deal}/{self._update.kind}/{tricks}")  # noqa: S311
        return self._random

    # --- the deal so far

    @property
    def hand(self) -> tuple[Card, ...]:
        """Return one's own cards, ascending; with two packs a card may be there twice."""
        self._sync()
        hand = self._hand
        position = self.position
        while self._gone < len(self._tricks):
            hand.remove(self._tricks[self._gone].card_of(position))
            self._gone += 1
        index = (position - self._lead) % self.players
        if index < len(self._trick) and self._gone == len(self._tricks):
            hand.remove(self._trick[index])
            self._gone += 1
        return tuple(hand)

    @property
    def plays(self) -> tuple[Card, ...]:
        """Return every card played in the deal so far, in order."""
        return from_wire(self._plays)

    @property
    def tricks(self) -> list[Trick]:
        """Return the finished tricks of the deal, in order. Not to be changed."""
        self._sync()
        return self._tricks

    @property
    def trick(self) -> tuple[Card, ...]:
        """Return the cards on the table, in the order played; empty when one is to lead."""
        self._sync()
        return self._trick

    @property
    def trick_leader(self) -> int:
        """Return the position that leads, or has led, the trick on the table; `trick[i]` is by `trick_leader + i`."""
        self._sync()
        return self._lead

    @property
    def taken(self) -> list[list[Card]]:
        """Return the cards that each position has taken in the deal, hidden kitty cards aside. Not to be changed."""
        self._sync()
        return self._taken[: self.players]

    @property
    def carried(self) -> list[Card]:
        """Return the cards of tricks that nobody won, which go to the next winner. Not to be changed."""
        self._sync()
        return self._taken[-1]

    @property
    def points(self) -> tuple[int, ...]:
        """Return the points each position has taken in the deal so far, the moon left aside."""
        points_of = self.rules.points_of
        return tuple([points_of(cards) for cards in self.taken])

    @property
    def voids(self) -> list[set[int]]:
        """Return the suits that each position has shown not to have, by not following. Not to be changed."""
        self._sync()
        for trick in self._tricks[self._voids_at :]:
            self._note_voids(trick.leader, trick.cards)
        self._voids_at = len(self._tricks)
        if self._trick:
            self._note_voids(self._lead, self._trick)
        return self._voids

    @property
    def unseen(self) -> list[Card]:
        """Return the cards that are neither in one's hand nor played nor seen in the kitty, ascending.

        So these are the cards of the others, those passed to them included, and a kitty that one has not seen.
        """
        left = [0] * 52
        for card in self.rules.pack:
            left[card] += 1
        for number in self._plays:
            left[number - 1] -= 1
        for card in self.hand + self._kitty:
            left[card] -= 1
        return [card for card in CARDS for _ in range(left[card])]

    def _note_voids(self, leader: int, cards: tuple[Card, ...]) -> None:
        suit = cards[0].suit
        for place, card in enumerate(cards):
            if card.suit != suit:
                self._voids[(leader + place) % self.players].add(suit)

    def _sync(self) -> None:
        plays = self._plays
        end = len(plays)
        if self._synced == end:
            return
        self._synced = end
        players = self.players
        start = self._done
        while end - start >= players:
            cards = from_wire(plays[start : start + players])
            self._finish(cards)
            start += players
        self._done = start
        self._trick = from_wire(plays[start:end])

    def _finish(self, cards: tuple[Card, ...]) -> None:
        leader = self._lead
        index = winner(cards, self.rules.cancellation)
        if index < 0:
            self._tricks.append(Trick(leader, cards, None))
            self._taken[-1] += cards
            return
        taker = self._lead = (leader + index) % self.players
        self._tricks.append(Trick(leader, cards, taker))
        pile = self._taken[taker]
        pile += cards
        if self._taken[-1]:
            pile += self._taken[-1]
            self._taken[-1] = []
