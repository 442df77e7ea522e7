"""One recorded deal, played again at a table by its decisions alone.

The table says what is legal and what follows; the record is only asked what the cards were and who chose what.
A decision that the rules forbid ends the deal as far as it can be judged: what comes after it has no meaning.
What the record says beside its decisions (direction, moon, points, totals, sources) is compared, and does not stop
the deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.cards import FACES, Card, Hand, card_name, cards_of, hand_of
from referee.rules.dealing import Dealt, pack_of
from referee.rules.play import Violation
from referee.rules.variant import MoonEffect
from referee.table.events import DealEnded
from referee.table.machine import DecisionKind, Need, Table
from referee.table.reading import Flaw, card_of, cards_of_list, integer_of, list_of, mapping_of, shown, value_at
from referee.table.record import SOURCES, names

_MOON_WORDS: Final = (MoonEffect.OTHERS_PLUS.value, MoonEffect.SELF_MINUS.value)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a record: what could be chosen (nothing is listed for a pass), and what was."""

    deal: int
    seat: int
    kind: DecisionKind
    legal: tuple[str, ...] | None
    chose: str | tuple[str, ...]


Report = Callable[[Flaw], None]
Witness = Callable[[Decision], None]


class Adjudicator:
    """Plays the deal of a record at *table*, which needs one.

    Flaws that do not stop the deal go to *report*; one that does is raised. Every decision goes to *witness*, if there
    is one, before it is judged.
    """

    def __init__(self, table: Table, deal: Mapping[str, object], report: Report, witness: Witness | None) -> None:
        self.table = table
        self.deal = deal
        self.report = report
        self.witness = witness
        self.number = table.number
        self.players = table.players

    def run(self) -> None:
        """Play the deal as far as the record goes; raise the `Flaw` that stops it."""
        table = self.table
        table.deal(self._dealt())
        self._compare_direction()
        self._passes()
        self._returns()
        self._pool()
        self._plays()
        self._moon()
        self._compare_score()
        self._compare_sources()

    def _dealt(self) -> Dealt:
        variant = self.table.variant
        orders: list[tuple[Card, ...]] = []
        left = Counter(pack_of(variant))
        for seat, value in enumerate(self._per_seat("hands")):
            cards = cards_of_list(value, "hands", seat)
            if len(cards) != variant.hand_size:
                raise Flaw("PACK", f"a hand has {variant.hand_size} cards, not {len(cards)}", seat=seat)
            self._draw(left, cards, "the hand", seat)
            orders.append(cards)
        kitty = cards_of_list(value_at(self.deal, "kitty"), "kitty")
        if len(kitty) != variant.kitty_size:
            raise Flaw("PACK", f"the kitty has {variant.kitty_size} cards, not {len(kitty)}")
        self._draw(left, kitty, "the kitty", None)
        return Dealt(tuple(hand_of(order) for order in orders), tuple(orders), kitty)

    def _draw(self, left: Counter[Card], cards: Sequence[Card], what: str, seat: int | None) -> None:
        for card in cards:
            if not left[card]:
                raise Flaw("PACK", f"{what} holds {card_name(card)}, but no copy of it is left in the pack", seat=seat)
            left[card] -= 1

    def _per_seat(self, key: str) -> list[object]:
        return list_of(value_at(self.deal, key), key, self.players)

    def _absent(self, key: str, why: str) -> None:
        value = value_at(self.deal, key)
        if value is not None:
            raise Flaw(key.upper(), f"{key} must be null {why}, not {shown(value)}")

    def _ended(self) -> DealEnded | None:
        last = self.table.log[-2 if self.table.over else -1]
        return last if isinstance(last, DealEnded) else None

    def _compare_direction(self) -> None:
        written, direction = value_at(self.deal, "direction"), self.table.direction
        if written != direction.value:
            text = f"cards go {direction.value} in deal {self.number}, not {shown(written)}"
            self.report(Flaw("DIRECTION", text))

    def _passes(self) -> None:
        if self.table.kind is not DecisionKind.PASS:
            self._absent("passes", "where nothing is passed")
            return
        if value_at(self.deal, "passes") is None:
            return
        for seat, value in enumerate(self._per_seat("passes")):
            if value is None:
                continue
            cards = cards_of_list(value, "passes", seat)
            self._tell(seat, DecisionKind.PASS, None, tuple(names(cards)))
            self._judge(self.table.pass_cards(seat, cards), seat, f"passes {' '.join(names(cards))}")

    def _returns(self) -> None:
        if self.table.kind is not DecisionKind.RETURN:
            self._absent("returns", "unless all have passed and cards are given back")
            return
        if value_at(self.deal, "returns") is None:
            return
        for seat, value in enumerate(self._per_seat("returns")):
            if value is None:
                continue
            card = card_of(value, "returns", seat)
            self._tell(seat, DecisionKind.RETURN, hand_of(self.table.received(seat)), card_name(card))
            self._judge(self.table.return_card(seat, card), seat, f"gives {card_name(card)} back")

    def _pool(self) -> None:
        if self.table.needs is not Need.POOL:
            self._absent("pool_dealt", "unless all have passed to the pool")
            return
        if value_at(self.deal, "pool_dealt") is None:
            return
        left = Counter(self.table.surrendered)
        shares: list[tuple[Card, ...]] = []
        for seat, value in enumerate(self._per_seat("pool_dealt")):
            cards = cards_of_list(value, "pool_dealt", seat)
            count = self.table.variant.pass_count
            if len(cards) != count:
                raise Flaw("POOL", f"{count} cards are dealt back to each seat, not {len(cards)}", seat=seat)
            for card in cards:
                if not left[card]:
                    raise Flaw("POOL", f"{card_name(card)} is dealt back, but does not lie in the pool", seat=seat)
                left[card] -= 1
            shares.append(cards)
        self.table.pool(shares)

    def _plays(self) -> None:
        table = self.table
        plays = list_of(value_at(self.deal, "plays"), "plays")
        if plays and table.kind is not DecisionKind.PLAY:
            raise Flaw("PLAYS", f"{shown(plays[0])} is played before play begins")
        for value in plays:
            seat, trick = table.turn, table.trick
            if seat < 0:
                raise Flaw("PLAYS", f"{shown(value)} is played after the last trick")
            card = card_of(value, "plays", seat, trick)
            if self.witness is not None:
                self._tell(seat, DecisionKind.PLAY, Hand(table.legal), card_name(card))
            violation = table.play(seat, card)
            if violation is not None:
                self._judge(violation, seat, f"plays {card_name(card)}", trick)

    def _moon(self) -> None:
        table, written = self.table, value_at(self.deal, "moon")
        if table.kind is DecisionKind.MOON and written is not None:
            seat = table.to_act[0]
            if written not in _MOON_WORDS:
                raise Flaw("MOON", f"a moon does others_plus or self_minus, not {shown(written)}", seat=seat)
            effect = MoonEffect(written)
            if self.witness is not None:
                self.witness(Decision(self.number, seat, DecisionKind.MOON, _MOON_WORDS, effect.value))
            self._judge(table.choose_moon(seat, effect), seat, f"chooses {effect.value}")
            return
        ended = self._ended()
        moon = None if ended is None else ended.moon
        if written != (None if moon is None else moon.value):
            fact = "nobody shot the moon" if moon is None else f"the moon does {moon.value}"
            shooter = None if ended is None else ended.shooter
            self.report(Flaw("MOON", f"{fact}, not {shown(written)}", seat=shooter))

    def _compare_score(self) -> None:
        ended = self._ended()
        for key in ("points", "totals"):
            written = value_at(self.deal, key)
            if ended is None:
                if written is not None:
                    self.report(Flaw(key.upper(), f"{key} must be null in a deal that is not over"))
                continue
            right = ended.points if key == "points" else ended.totals
            if written is None:
                self.report(Flaw(key.upper(), f"{key} must be {list(right)} in a deal that is over, not null"))
                continue
            for seat, (value, number) in enumerate(zip(self._per_seat(key), right, strict=True)):
                if integer_of(value, key, seat) != number:
                    self.report(Flaw(key.upper(), f"{key} must be {number}, not {shown(value)}", seat=seat))

    def _compare_sources(self) -> None:
        if self.deal.get("sources") is None:
            return
        sources = mapping_of(self.deal["sources"], "sources")
        for key in ("passes", "returns", "plays"):
            written, decided = sources.get(key), self.deal[key]
            if written is None:
                continue
            if not isinstance(decided, list):
                self.report(Flaw("SOURCES", f"sources of {key} must be null where {key} is, not {shown(written)}"))
                continue
            words = list_of(written, f"sources of {key}", len(decided))
            for place, (word, choice) in enumerate(zip(words, decided, strict=True)):
                self._compare_word(word, None if key == "plays" else place, made=choice is not None)
        self._compare_word(sources.get("moon"), None, made=self.deal["moon"] is not None)

    def _compare_word(self, word: object, seat: int | None, *, made: bool) -> None:
        if word is None:
            return
        if word not in SOURCES:
            self.report(Flaw("SOURCES", f"a source is one of {', '.join(SOURCES)}, not {shown(word)}", seat=seat))
        elif not made:
            self.report(Flaw("SOURCES", f"a source must be null where nothing was decided, not {word}", seat=seat))

    def _tell(self, seat: int, kind: DecisionKind, legal: Hand | None, chose: str | tuple[str, ...]) -> None:
        if self.witness is not None:
            faces = None if legal is None else tuple(names(cards_of(Hand(legal & FACES))))
            self.witness(Decision(self.number, seat, kind, faces, chose))

    def _judge(self, violation: Violation | None, seat: int, deed: str, trick: int | None = None) -> None:
        if violation is not None:
            raise Flaw(violation.name, f"seat {seat} {deed}: {violation.value}", seat=seat, trick=trick)
