"""Any sequence of commands, legal or not, thrown at a table: it neither breaks nor forgets."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from referee.rules.cards import Card
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect, Variant
from referee.table.machine import Need, Table, WrongCommand
from referee.table.replay import replay
from tests.rules.strategies import variants
from tests.table.invariants import check_state
from tests.table.players import decide, source_of, state_of, supply

ANY_SEAT = st.integers(-2, 12)
ANY_CARD = st.integers(-3, 110).map(Card)
SEEDS = st.integers(0, 2**32)


class AnyCommands(RuleBasedStateMachine):
    """A table of any rule set and a crowd that says anything at any time."""

    @initialize(variant=variants(), seed=SEEDS, first_deal=st.integers(1, 9))
    def open(self, variant: Variant, seed: int, first_deal: int) -> None:
        """Open the table."""
        self.source = source_of(variant, seed)
        dealer = self.source.dealer(variant)
        self.table = Table(variant, first_deal=first_deal, first_dealer=dealer)

    @property
    def goes_on(self) -> bool:
        """Whether somebody has to decide or to supply something."""
        return not self.table.over

    @precondition(lambda self: self.goes_on)
    @rule(seed=SEEDS, steps=st.one_of(st.integers(1, 12), st.integers(1, 80)))
    def go_on(self, seed: int, steps: int) -> None:
        """Let some things happen as they should."""
        rng = Random(seed)
        for _ in range(steps):
            if self.table.over:
                return
            if not supply(self.table, self.source):
                assert decide(self.table, rng) is None
            check_state(self.table)

    def say(self, command: Callable[[], Violation | None]) -> None:
        """Give a command: it is refused and nothing has changed, or the log has grown."""
        before = state_of(self.table)
        if command() is None:
            assert len(self.table.log) > len(before["log"])  # type: ignore[arg-type]
        else:
            assert state_of(self.table) == before

    @rule(seat=ANY_SEAT, card=ANY_CARD)
    def play(self, seat: int, card: Card) -> None:
        """Let any seat play any number."""
        self.say(lambda: self.table.play(seat, card))

    @rule(card=ANY_CARD)
    def play_in_turn(self, card: Card) -> None:
        """Let the seat in turn play any number."""
        self.say(lambda: self.table.play(self.table.turn, card))

    @rule(seat=ANY_SEAT, named=st.lists(ANY_CARD, max_size=6))
    def pass_cards(self, seat: int, named: list[Card]) -> None:
        """Let any seat pass any numbers."""
        self.say(lambda: self.table.pass_cards(seat, named))

    @rule(seat=ANY_SEAT, card=ANY_CARD)
    def return_card(self, seat: int, card: Card) -> None:
        """Let any seat give any number back."""
        self.say(lambda: self.table.return_card(seat, card))

    @rule(seat=ANY_SEAT, effect=st.sampled_from(MoonEffect))
    def choose_moon(self, seat: int, effect: MoonEffect) -> None:
        """Let any seat choose what the moon does, what is no effect included."""
        self.say(lambda: self.table.choose_moon(seat, effect))

    @precondition(lambda self: self.table.needs is not Need.DEAL)
    @rule()
    def deal_unasked(self) -> None:
        """Deal in the middle of a deal, or after the game: our own mistake, and it changes nothing."""
        dealt = self.source.deal(self.table.variant, 1, 0)
        before = state_of(self.table)
        with pytest.raises(WrongCommand):
            self.table.deal(dealt)
        assert state_of(self.table) == before

    @rule(shares=st.lists(st.lists(st.integers(0, 51).map(Card), max_size=3), max_size=11), seed=SEEDS)
    def pool_of_other_cards(self, shares: list[list[Card]], seed: int) -> None:
        """Deal back a pool that was not asked for, of other cards, or of the right ones in unequal shares."""
        table, before = self.table, state_of(self.table)
        if table.needs is Need.POOL and seed % 2:
            given = Random(seed).sample(table.surrendered, len(table.surrendered))
            shares = [given[1:], given[:1], *[[]] * (table.players - 2)]
        elif table.needs is Need.POOL:
            shares = [*shares, [Card(0)] * 3]
        with pytest.raises(WrongCommand):
            table.pool(shares)
        assert state_of(table) == before

    @invariant()
    def holds(self) -> None:
        """Cards are conserved, somebody can act or something is needed or all is over, and scores are right."""
        check_state(self.table)

    def teardown(self) -> None:
        """Hold the log against the table: replayed, it gives the same one."""
        table = getattr(self, "table", None)
        if table is not None and table.log:
            assert state_of(replay(table.variant, table.log)) == state_of(table)


TestAnyCommands = AnyCommands.TestCase
TestAnyCommands.settings = settings(stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
