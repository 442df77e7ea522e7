"""The game at one table, as a state machine without I/O.

A command says what a seat wants. It returns the `Violation` that forbids it, and then nothing has changed; or None,
and then the log has grown by what happened, up to the next thing that somebody has to decide or to supply.
Nothing here waits, reads a clock or draws a card: where cards are needed (`needs`), the host deals them.

    needs DEAL -> [PASS -> [RETURN | needs POOL]] -> PLAY -> [MOON] -> needs DEAL ... -> over

What keeps it fast: `play` runs for nearly every decision of the arena, so the state is mutable, a play is an integer
in a list, and all that can wait for the end of a trick or of the deal does.
The log is the truth: `replay` builds the same table from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.rules.cards import FACES, SUIT_MASKS, TWO_OF_CLUBS, Card
from referee.rules.dealing import Dealt
from referee.rules.passing import verify_pass, verify_return
from referee.rules.play import Violation
from referee.rules.scoring import deal_points, game_over, places, shooter
from referee.rules.tricks import winner
from referee.rules.variant import MoonEffect, PassDirection
from referee.table.events import (
    CardReturned,
    CardsPassed,
    DealEnded,
    DealStarted,
    GameEnded,
    KittyTaken,
    MoonChosen,
    PassDone,
    PlayBegan,
    PoolDealt,
    ReturnsDone,
)
from referee.table.exchange import put_in, taken_out
from referee.table.phases import DecisionKind, Need, WrongCommand
from referee.table.state import TableState

__all__ = ["DecisionKind", "Need", "Table", "WrongCommand"]

_NO_PASS: Final = (PassDirection.HOLD, PassDirection.NONE)
_MOON_EFFECTS: Final = (MoonEffect.OTHERS_PLUS, MoonEffect.SELF_MINUS)


class Table(TableState):
    """One table, from its first deal to the end of the game. `TableState` tells what may be read."""

    __slots__ = ()

    # --- what the host supplies

    def deal(self, dealt: Dealt) -> None:
        """Start deal `number` with the cards *dealt*."""
        self._expect(Need.DEAL)
        players = self.players
        self.direction = direction = self.variant.direction(self.number)
        self.deal_start = len(self.log)
        self.play_start = -1
        self.hands = list(dealt.hands)
        self.kitty = dealt.kitty
        self.log.append(DealStarted(self.number, self.dealer, direction, dealt.hand_orders, dealt.kitty, self.totals))
        self.passes = [None] * players
        self.returns = [None] * players
        self.taken = [[] for _ in range(players)]
        self.carry = []
        self.shooter = None
        self.hearts_open = False
        self.trick = 0
        self._leads = [0, 0, 0, 0]
        self._played = 0
        self.needs = None
        if direction in _NO_PASS:
            self._begin_play()
        else:
            self.kind = DecisionKind.PASS

    def pool(self, dealt: Sequence[Sequence[Card]]) -> None:
        """Deal the pool back, *dealt* by seat: the surrendered cards, shuffled, as many to each seat as it gave."""
        self._expect(Need.POOL)
        cards = tuple(tuple(cards) for cards in dealt)
        given = tuple(gift or () for gift in self.passes)
        same = sorted(card for share in cards for card in share) == sorted(self.surrendered)
        if not same or [len(share) for share in cards] != [len(gift) for gift in given]:
            raise WrongCommand("the pool is not what was surrendered: deal the same cards, as many to each as it gave")
        self.hands = put_in(self.hands, cards)
        self.log.append(PoolDealt(given, cards))
        self.needs = None
        self._begin_play()

    # --- what the seats decide

    def pass_cards(self, seat: int, cards: Sequence[Card]) -> Violation | None:
        """Choose the *cards* that *seat* passes. They leave the hand when all seats have chosen."""
        if self.kind is not DecisionKind.PASS:
            return Violation.WRONG_DECISION
        if not 0 <= seat < self.players or self.passes[seat] is not None:
            return Violation.OUT_OF_TURN
        if violation := verify_pass(self.variant, self.hands[seat], cards):
            return violation
        self.passes[seat] = chosen = tuple(cards)
        self.log.append(CardsPassed(seat, chosen))
        if None not in self.passes:
            self._exchange()
        return None

    def return_card(self, seat: int, card: Card) -> Violation | None:
        """Choose the *card* that *seat* gives back, of those it has received."""
        if self.kind is not DecisionKind.RETURN:
            return Violation.WRONG_DECISION
        if not 0 <= seat < self.players or self.returns[seat] is not None:
            return Violation.OUT_OF_TURN
        if violation := verify_return(self.received(seat), card):
            return violation
        self.returns[seat] = card
        self.log.append(CardReturned(seat, card))
        if None not in self.returns:
            self._give_back()
        return None

    def play(self, seat: int, card: Card) -> Violation | None:
        """Play *card* for *seat*."""
        if seat != self.turn or card < 0 or not self.legal >> card & 1:
            return self._why_not_play(seat, card)
        hands = self.hands
        bit = 1 << card
        if self._two_packs and hands[seat] >> card + 52 & 1:
            bit <<= 52
        hands[seat] ^= bit  # type: ignore[call-overload]  # a cast to Hand would cost a call
        self.log.append(card)
        led = self._led
        if led < 0:
            led = self._led = card // 13
            self._leads[led] += 1
            self._suit_end = led * 13 + 13
            self._best = card
            self._winner = seat
        elif self._best < card < self._suit_end:
            self._best = card
            self._winner = seat
        left = self._left = self._left - 1
        if left:
            seat += 1
            if seat == self.players:
                seat = 0
            self.turn = seat
            if self.trick > 1:
                # The law of following after trick one is nothing else; tests hold it against `Law.legal`.
                hand = hands[seat]
                self.legal = hand & SUIT_MASKS[led] or hand & FACES
            else:
                self.legal = self._law.legal(hands[seat], led, 1, False)
        else:
            self._end_trick()
        return None

    def choose_moon(self, seat: int, effect: MoonEffect) -> Violation | None:
        """Choose what the moon does, for the *seat* that shot it."""
        if self.kind is not DecisionKind.MOON:
            return Violation.WRONG_DECISION
        if seat != self.shooter:
            return Violation.OUT_OF_TURN
        if effect not in _MOON_EFFECTS:
            return Violation.NOT_A_MOON_EFFECT
        self.log.append(MoonChosen(seat, effect))
        self._score(effect)
        return None

    # --- what follows from it

    def _expect(self, need: Need) -> None:
        if self.needs is not need:
            raise WrongCommand(f"the table was given a {need.name}, but it needs {self.needs}: look at `needs` first")

    def _why_not_play(self, seat: int, card: Card) -> Violation:
        if self.kind is not DecisionKind.PLAY:
            return Violation.WRONG_DECISION
        if seat != self.turn:
            return Violation.OUT_OF_TURN
        violation = self._law.violation(self.hands[seat], self._led, self.trick, self.hearts_open, card)
        assert violation is not None, "a card outside `legal` breaks no restriction"  # noqa: S101
        return violation

    def _exchange(self) -> None:
        direction = self.direction
        passes = tuple(cards or () for cards in self.passes)
        self.hands = taken_out(self.hands, passes)
        self.kind = None
        self.log.append(PassDone(direction, passes))
        if direction is PassDirection.POOL:
            self.needs = Need.POOL
            return
        self.hands = put_in(self.hands, passes, self.variant.pass_offset(direction))
        if self.variant.give_back:
            self.kind = DecisionKind.RETURN
        else:
            self._begin_play()

    def _give_back(self) -> None:
        returns = tuple(card for card in self.returns if card is not None)
        gifts = [(card,) for card in returns]
        self.hands = put_in(taken_out(self.hands, gifts), gifts, -self.variant.pass_offset(self.direction))
        self.log.append(ReturnsDone(self.direction, returns))
        self._begin_play()

    def _begin_play(self) -> None:
        law = self._law
        leader = law.opener(self.hands, self.dealer)
        self.log.append(PlayBegan(leader, TWO_OF_CLUBS if law.shows_two_of_clubs else None))
        self.play_start = len(self.log)
        self.kind = DecisionKind.PLAY
        self._lead(leader)

    def _lead(self, leader: int) -> None:
        self.trick += 1
        self.leader = self.turn = leader
        self._led = -1
        self._left = self.players
        self.legal = self._law.legal(self.hands[leader], -1, self.trick, self.hearts_open)

    def _end_trick(self) -> None:
        players = self.players
        cards: list[Card] = self.log[-players:]  # type: ignore[assignment]  # within a trick there are only plays
        taker = self._winner
        if self._two_packs:
            index = winner(cards, self.variant.cancellation)
            taker = (self.leader + index) % players if index >= 0 else -1
        if not self.hearts_open:
            played = self._played
            for card in cards:
                played |= 1 << card
            self._played = played
            self.hearts_open = self._law.hearts_open(self.trick + 1, played, self._leads)
        if taker < 0:  # R21: put aside, and the same seat leads again
            self.carry += cards
            taker = self.leader
        else:
            pile = self.taken[taker]
            pile += cards
            if self.carry:
                pile += self.carry
                self.carry = []
            if self.kitty:  # R6
                self.log.append(KittyTaken(taker, self.kitty))
                pile += self.kitty
                self.kitty = ()
        if self.hands[taker]:
            self._lead(taker)
        else:
            self._end_play()

    def _end_play(self) -> None:
        self.turn = -1
        self.legal = 0
        self.shooter = shooter(self.variant, self.taken)
        effect = self.variant.moon_effect
        if self.shooter is None:
            self._score(None)
        elif effect is MoonEffect.SHOOTER_CHOICE:
            self.kind = DecisionKind.MOON
        else:
            self._score(effect)

    def _score(self, moon: MoonEffect | None) -> None:
        points = deal_points(self.variant, self.taken, moon)
        self.totals = totals = tuple(had + got for had, got in zip(self.totals, points, strict=True))
        self.log.append(DealEnded(points, totals, self.shooter, moon))
        self.kind = None
        self.deals_played += 1
        termination = game_over(self.variant, self.deals_played, totals)
        if termination is None:
            self.number += 1
            self.dealer = (self.dealer + 1) % self.players
            self.needs = Need.DEAL
        else:
            self.over = True
            self.log.append(GameEnded(termination, places(totals), totals))
