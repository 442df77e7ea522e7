"""One match being played: a table, its seats, and what happens between them.

The table says what is to be decided; this module asks the seats, applies their answers, and plays substitutes where a
bot fails. A fault costs the seat that made it and nobody else. `answer_play` is the hot path: it runs for nearly
every decision of the arena.
An exception in here is our own fault: the hall voids the attempt and no result comes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from referee.host import discipline
from referee.host.faults import Fault
from referee.host.ledger import MOST_ENTRIES, came_cards, entry_of
from referee.host.ports import Checkpoint, FaultEntry, MatchOrder, Outcome, Source
from referee.host.resume import checkpoint_of, restore
from referee.host.seat import AWAY, IDLE, NEVER, OPENING, QUEUED, SENT, Seat
from referee.host.session import Answer, Closing, Refusal
from referee.host.sources import DealSources
from referee.host.update import observed
from referee.rules.book import Rule
from referee.rules.cards import Card
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect
from referee.table.events import GameEnded
from referee.table.machine import DecisionKind, Need, Table
from referee.table.record import deal_json
from referee.table.substitute import substitute_moon, substitute_pass, substitute_play, substitute_return

if TYPE_CHECKING:
    from referee.host.hall import Hall

PLAY: Final = 0
PASS: Final = 1
RETURN: Final = 2
MOON: Final = 3
_KINDS: Final = {DecisionKind.PASS: PASS, DecisionKind.RETURN: RETURN, DecisionKind.MOON: MOON}
_MOONS: Final = {1: MoonEffect.OTHERS_PLUS, 2: MoonEffect.SELF_MINUS}

WRONG_FORM: Final = "WRONG_FORM"
FORMS: Final = (  # by `Seat.kind`
    "a play is answered with `card`, one of the cards of the pack",
    "a pass is answered with `cards`",
    "a return is answered with `card`, one of the cards of the pack",
    "a moon is answered with `moon`: others_plus or self_minus",
)


class HostedMatch:
    """A match from its start to its result, or to its being given up."""

    __slots__ = (
        "_auto",
        "_checkpointed",
        "_deals",
        "_faulted",
        "_ledger",
        "_simple",
        "_sources",
        "faults_now",
        "hall",
        "order",
        "over",
        "releasing",
        "seats",
        "table",
    )

    def __init__(self, order: MatchOrder, hall: Hall, handles: Callable[[], int]) -> None:
        variant, players, so_far = order.variant, order.variant.players, order.checkpoint
        done = len(so_far.deals) if so_far else 0
        self.order = order
        self.table = Table(
            variant,
            first_deal=done + 1,
            first_dealer=(order.first_dealer + done) % players,
            totals=so_far.totals if so_far else None,
            deals_played=done,
        )
        self.seats = [Seat(handles(), position, seat, self) for position, seat in enumerate(order.seats)]
        self.over = False
        self.releasing = ""  # why the match is to be handed back at the end of its deal
        self.hall = hall
        self._auto = order.auto_play_forced
        self._simple = variant.kitty_size == 0  # nothing but plays happens between the plays of a deal
        self._ledger: list[FaultEntry] = list(so_far.ledger) if so_far else []
        self._deals: list[dict[str, object]] = list(so_far.deals) if so_far else []
        self._faulted: list[tuple[bool, ...]] = list(so_far.faulted) if so_far else []
        self._sources = DealSources()
        self._checkpointed = hall.clock.now()
        if so_far:
            restore(self, so_far)
        self.faults_now = [seat.autopilot for seat in self.seats]  # who is at fault in the deal being played

    def begin_if_ready(self) -> None:
        """Deal, unless somebody still warms up."""
        if not self.over and not any(seat.state == OPENING for seat in self.seats):
            self.guarded(self.advance)

    @property
    def begun(self) -> bool:
        """Whether this attempt has dealt."""
        return bool(self.table.log)

    # --- answers

    def answer_play(self, seat: Seat, card: int) -> None:
        """Play *card*, numbered from 0, for *seat*, whose decision it was."""
        try:
            table = self.table
            violation = table.play(seat.position, card)  # type: ignore[arg-type]  # any int; a NewType costs a call
            if violation is not None:
                self._refuse(seat, violation, came_cards((card,)), in_form=0 <= card < 52)
                return
            turn = table.turn
            if turn >= 0:
                seat = self.seats[turn]
                legal = table.legal
                if seat.plain and not (self._auto and legal & (legal - 1) == 0):
                    self._ask(seat, PLAY, legal)
                    return
            self.advance()
        except Exception as error:
            self.hall.broke(self, error)

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Apply the *answer* of *seat* to a decision that is not a play."""
        self.guarded(lambda: self._answer(seat, answer))

    def _answer(self, seat: Seat, answer: Answer) -> None:
        table, position, before = self.table, seat.position, self.table.kind
        violation: Violation | None
        if seat.kind == PASS:
            cards = [Card(card - 1) for card in answer.cards[: table.variant.pass_count + 1]]  # it may be a million
            violation, in_form, came = table.pass_cards(position, cards), bool(cards), came_cards(cards)
        elif seat.kind == RETURN:
            violation, in_form = table.return_card(position, Card(answer.card - 1)), 1 <= answer.card <= 52
            came = came_cards((answer.card - 1,))
        else:
            effect = _MOONS.get(answer.moon)
            violation = table.choose_moon(position, effect) if effect else Violation.NOT_A_MOON_EFFECT
            in_form, came = effect is not None, f"moon {answer.moon}"
        if violation is not None:
            self._refuse(seat, violation, came, in_form=in_form)
        elif table.kind is not before or table.needs is not None or table.over:
            self.advance()

    def _refuse(self, seat: Seat, violation: Violation, came: str, *, in_form: bool) -> None:
        session = seat.session
        if session is not None:
            session.refused += 1
            if in_form:
                refusal = Refusal(seat.handle, seat.number, violation.name, violation.value, violation.rule)
            else:
                refusal = Refusal(seat.handle, seat.number, WRONG_FORM, FORMS[seat.kind], Rule.ANSWERS)
            session.refusals.append(refusal)
            self.hall.flusher.touch(session)
        discipline.fault(seat, Fault.ILLEGAL if in_form else Fault.PROTOCOL, came=came)
        self.settle(seat, Source.ILLEGAL)

    def note_fault(self, seat: Seat, kind: Fault, came: str) -> None:
        """Write a fault at *seat* into the ledger."""
        self.faults_now[seat.position] = True
        if len(self._ledger) < MOST_ENTRIES:
            self._ledger.append(entry_of(seat, kind, came))

    def settle(self, seat: Seat, source: Source) -> None:
        """Play a substitute for the open decision of *seat*, if there is one; it warms up no longer."""
        session = seat.session
        if seat.state == SENT and session is not None:
            session.open -= 1
            session.lapsed += 1
        opening = seat.state == OPENING
        due = seat.state != IDLE or seat.position in self.table.to_act  # refused a moment ago
        seat.state = IDLE
        seat.deadline = NEVER
        if opening:
            self.begin_if_ready()
        elif due:
            self.guarded(lambda: self._substitute(seat, source))

    def _substitute(self, seat: Seat, source: Source) -> None:
        before = self.table.kind
        self._play_for(seat.position, source)
        table = self.table
        if table.kind is DecisionKind.PLAY or table.kind is not before or table.needs is not None or table.over:
            self.advance()

    def _play_for(self, position: int, source: Source) -> None:
        """Make the decision of the seat at *position* for it, in the documented way."""
        table = self.table
        violation: Violation | None
        self._sources.note(table, position, source)
        match table.kind:
            case DecisionKind.PLAY:
                violation = table.play(position, substitute_play(table))
            case DecisionKind.PASS:
                violation = table.pass_cards(position, substitute_pass(table, position))
            case DecisionKind.RETURN:
                violation = table.return_card(position, substitute_return(table, position))
            case _:
                violation = table.choose_moon(position, substitute_moon(table))
        if violation is not None:
            raise AssertionError(f"a substitute was refused: {violation.name}")
        if source is Source.FORCED:
            self.seats[position].forced += 1
        else:
            self.seats[position].substituted = True
        self.hall.tally.decisions[source] += 1

    # --- what follows

    def advance(self) -> None:
        """Go on until some bot has to decide, or the match is over."""
        table, seats = self.table, self.seats
        while not self.over:
            if table.needs is Need.DEAL or table.over:
                if table.log and not self._end_deal():
                    return
                table.deal(self.order.deals.deal(table.variant, table.number, table.dealer))
            elif table.needs is Need.POOL:
                table.pool(self.order.deals.pool(table.variant, table.number, table.dealer, table.surrendered))
            elif table.kind is DecisionKind.PLAY:
                seat, legal = seats[table.turn], table.legal
                if seat.autopilot:
                    self._play_for(seat.position, Source.AUTOPILOT)
                elif self._auto and legal & (legal - 1) == 0:
                    self._play_for(seat.position, Source.FORCED)
                else:
                    if seat.limit < seat.full_limit:
                        seat.renew()
                    self._ask(seat, PLAY, legal)
                    return
            elif self._ask_all():
                return

    def _ask_all(self) -> bool:
        """Ask all seats that have a decision other than a play. Return whether a bot has to answer."""
        table = self.table
        kind = table.kind
        assert kind is not None, "a table that needs nothing waits for somebody"  # noqa: S101
        for position in table.to_act:
            seat = self.seats[position]
            if seat.autopilot:
                self._play_for(position, Source.AUTOPILOT)
            else:
                if seat.limit < seat.full_limit:
                    seat.renew()
                self._ask(seat, _KINDS[kind], self._choices(kind, position))
        return table.kind is kind

    def _choices(self, kind: DecisionKind, position: int) -> int:
        if kind is not DecisionKind.RETURN:
            return 0
        mask = 0
        for card in self.table.received(position):
            mask |= 1 << card
        return mask

    def _ask(self, seat: Seat, kind: int, legal: int) -> None:
        """Ask *seat* to decide, and tell it all that it has not been told."""
        seat.number += 1
        seat.kind = kind
        seat.legal = legal
        session = seat.session
        if session is None:
            self.await_return(seat, self.hall.clock.now())
            return
        seat.state = QUEUED
        table = self.table
        log, sent = table.log, seat.sent
        seat.sent = len(log)
        if 0 < table.play_start <= sent and self._simple:
            session.outbox.append((seat, seat.number, legal, log[sent:], ()))
        else:
            plays, rarer = observed(log[sent:], seat.position, table.variant)
            session.outbox.append((seat, seat.number, legal, plays, rarer))
        if session.dirty_since == 0.0:
            self.hall.flusher.touch(session)

    def await_return(self, seat: Seat, now: float) -> None:
        """Let the open decision of *seat*, whose bot is away since *now*, wait for the bot, for its grace."""
        if seat.state == SENT and seat.session is not None:
            seat.session.open -= 1
            seat.interrupt(now)
        seat.state = AWAY
        seat.away_since = now
        seat.deadline = now + seat.grace
        self.hall.deadlines.watch(seat)

    def _end_deal(self) -> bool:
        """Score a deal that is over: tell the seats, keep a checkpoint. Return whether another is to be dealt."""
        table = self.table
        self._deals.append(deal_json(table.log[table.deal_start :], self._sources.to_json(table)))
        self._faulted.append(tuple(self.faults_now))
        self._sources = DealSources()
        self.faults_now = [seat.autopilot for seat in self.seats]
        for seat in self.seats:
            self._tell(seat)
        if table.over:
            self._finish()
            return False
        if self.releasing:
            self.hall.sink.checkpoint(self.order, self._checkpoint())
            self.give_up(self.releasing)
            return False
        now = self.hall.clock.now()
        if now - self._checkpointed >= self.hall.config.checkpoint:
            self._checkpointed = now
            self.hall.sink.checkpoint(self.order, self._checkpoint())
        if all(seat.autopilot for seat in self.seats):
            self.hall.later(lambda: self.guarded(self._deal_again))
            return False
        return True

    def _deal_again(self) -> None:
        if not self.over:
            table = self.table
            table.deal(self.order.deals.deal(table.variant, table.number, table.dealer))
            self.advance()

    def _tell(self, seat: Seat) -> None:
        """Tell *seat* what it has not been told, without asking anything."""
        session = seat.session
        if session is None:
            return
        table = self.table
        plays, rarer = observed(table.log[seat.sent :], seat.position, table.variant)
        seat.sent = len(table.log)
        session.outbox.append((seat, 0, 0, plays, rarer))
        self.hall.flusher.touch(session)

    def _checkpoint(self) -> Checkpoint:
        return checkpoint_of(self, self._deals, self._faulted, self._ledger)

    def _finish(self) -> None:
        table, seats = self.table, self.seats
        ended = table.log[-1]
        assert isinstance(ended, GameEnded), "a table that is over says so last"  # noqa: S101
        outcome = Outcome(
            deals=tuple(self._deals),
            totals=ended.totals,
            places=ended.places,
            termination=ended.termination.value,
            faulted=tuple(self._faulted),
            faults=tuple(dict(seat.faults) for seat in seats),
            versions=tuple(seat.version for seat in seats),
            ledger=tuple(self._ledger),
        )
        self._close(ended.termination.value, "finished", ended.totals, ended.places)
        self.hall.sink.commit(self.order, outcome)

    def give_up(self, reason: str) -> None:
        """Hand the match back, to go on elsewhere from its last checkpoint."""
        self._close("released", "voided")
        self.hall.sink.release(self.order, reason)

    def void(self, *, cancelled: bool) -> None:
        """Stop without a result and without telling anybody but the bots."""
        self._close("void", "cancelled" if cancelled else "voided")

    def _close(self, termination: str, reason: str, totals: tuple[int, ...] = (), places: tuple[int, ...] = ()) -> None:
        self.over = True
        for seat in self.seats:
            session = seat.session
            if seat.state == SENT and session is not None:
                session.open -= 1
                session.lapsed += 1
            seat.state = IDLE
            seat.deadline = NEVER
            if session is not None:
                session.close(Closing(seat.handle, reason, totals, places, seat.fault_count))
                self.hall.flusher.touch(session)
        # The deadlines hold the seats, and thereby all this, until the entry of each has come up.
        self._deals, self._faulted = [], []
        self.table.log = []
        self.hall.ended(self, termination)
        self.seats = []  # they hold the match: else each would be kept for the garbage collector, which comes rarely

    def guarded(self, step: Callable[[], None]) -> None:
        """Run *step*; an exception in it is our own fault, and voids the attempt."""
        try:
            step()
        except Exception as error:
            self.hall.broke(self, error)
