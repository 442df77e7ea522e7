"""All that a table knows between two commands, and what can be read off it.

Mutable, with slots: it is written to some twenty times a trick. Only the commands of `machine.Table` write to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import Card, Hand
from referee.rules.play import law_of
from referee.rules.variant import Variant
from referee.table.events import Cards, Entry
from referee.table.phases import DecisionKind, Need


class TableState:
    """Where a game stands, from its first deal to its end.

    `log` holds all that has happened; `deal_start` and
    `play_start` are the indexes in it of the current deal's `DealStarted` and of its first play (-1 until play
    begins). `number` and `dealer` are of the current deal, or of the one needed. `turn` is the seat to play, -1 if
    none, and `legal` the faces it may play, so a forced play has one bit set. `trick` counts from 1, 0 before play.
    `taken` are the cards each seat has won in the deal, `carry` those of tricks that nobody won, `kitty` the cards
    still on the table; `shooter` is the seat that may choose what the moon does.
    """

    __slots__ = (
        "_best",
        "_law",
        "_leads",
        "_led",
        "_left",
        "_played",
        "_suit_end",
        "_two_packs",
        "_winner",
        "carry",
        "deal_start",
        "dealer",
        "deals_played",
        "direction",
        "hands",
        "hearts_open",
        "kind",
        "kitty",
        "leader",
        "legal",
        "log",
        "needs",
        "number",
        "over",
        "passes",
        "play_start",
        "players",
        "returns",
        "shooter",
        "taken",
        "totals",
        "trick",
        "turn",
        "variant",
    )

    def __init__(
        self,
        variant: Variant,
        *,
        first_deal: int = 1,
        first_dealer: int,
        totals: Sequence[int] | None = None,
        deals_played: int = 0,
    ) -> None:
        """Make a table whose next deal is number *first_deal*.

        A game that goes on from a checkpoint gives the *totals* so far and how many deals led to them.
        """
        players = variant.players
        self.variant = variant
        self.players = players
        self.number = first_deal
        self.dealer = first_dealer
        self.totals = (0,) * players if totals is None else tuple(totals)
        self.deals_played = deals_played
        self.log: list[Entry] = []
        self.deal_start = 0
        self.play_start = -1
        self.kind: DecisionKind | None = None
        self.needs: Need | None = Need.DEAL
        self.over = False
        self.direction = variant.direction(first_deal)
        self.hands: list[Hand] = [Hand(0)] * players
        self.kitty: Cards = ()
        self.passes: list[Cards | None] = [None] * players
        self.returns: list[Card | None] = [None] * players
        self.turn = -1
        self.legal = 0
        self.trick = 0
        self.leader = -1
        self.hearts_open = False
        self.taken: list[list[Card]] = [[] for _ in range(players)]
        self.carry: list[Card] = []
        self.shooter: int | None = None
        self._law = law_of(variant)
        self._two_packs = variant.packs == 2
        self._leads = [0, 0, 0, 0]
        self._played = 0
        self._led = -1
        self._suit_end = 0
        self._best = -1
        self._winner = -1
        self._left = players

    @property
    def to_act(self) -> tuple[int, ...]:
        """Return the seats whose decision is open, ascending."""
        match self.kind:
            case DecisionKind.PASS:
                return tuple(seat for seat, cards in enumerate(self.passes) if cards is None)
            case DecisionKind.RETURN:
                return tuple(seat for seat, card in enumerate(self.returns) if card is None)
            case DecisionKind.PLAY:
                return (self.turn,)
            case DecisionKind.MOON:
                return () if self.shooter is None else (self.shooter,)
        return ()

    @property
    def surrendered(self) -> Cards:
        """Return the cards that lie in the pool, by giver, each seat's in the order it named them."""
        return tuple(card for cards in self.passes for card in cards or ())

    def received(self, seat: int) -> Cards:
        """Return the cards that were passed to *seat*, empty until all have passed."""
        offset = self.variant.pass_offset(self.direction)
        giver = self.passes[(seat - offset) % self.players]
        return giver if giver is not None and self.kind is not DecisionKind.PASS else ()
