"""One deal, played decision by decision."""

from collections.abc import Sequence

from tests.naive.cards import contains, faces, same, without
from tests.naive.options import Rules
from tests.naive.passing import direction, giver, receiver
from tests.naive.play import following, leading, opener, opening, winning_place
from tests.naive.scoring import EFFECTS, deal_points, shooter


class Refused(Exception):
    """A decision that the rules forbid; the deal is as it was before."""


class Deal:
    """The cards of one deal and everything that happened to them.

    `stage` is what has to happen next: "pass", "return", "pool" (somebody must shuffle and deal the pool),
    "play", "moon" or "over".
    """

    def __init__(
        self, rules: Rules, number: int, dealer: int, hands: Sequence[Sequence[str]], kitty: Sequence[str]
    ) -> None:
        """Start with the hands as dealt, in seat order, and the cards left over."""
        self.rules, self.number, self.dealer = rules, number, dealer
        self.seats = list(range(rules["players"]))
        self.hands = [list(hand) for hand in hands]
        self.kitty = list(kitty)
        self.direction = direction(rules, number)
        self.passes: list[list[str] | None] = [None for _ in self.seats]
        self.returns: list[str | None] = [None for _ in self.seats]
        self.received: list[list[str]] = [[] for _ in self.seats]
        self.tricks: list[list[str]] = []
        self.trick: list[str] = []
        self.winners: list[int | None] = []
        self.carried: list[str] = []
        self.taken: list[list[str]] = [[] for _ in self.seats]
        self.kitty_taker: int | None = None
        self.leader = -1
        self.moon: str | None = None
        self.points: list[int] | None = None
        self.stage = "pass"
        if self.direction in ("none", "hold"):
            self._start_play()

    def waiting(self) -> list[int]:
        """Return the seats that have to decide now."""
        if self.stage == "pass":
            return [seat for seat in self.seats if self.passes[seat] is None]
        if self.stage == "return":
            return [seat for seat in self.seats if self.returns[seat] is None]
        if self.stage == "play":
            return [self.turn()]
        if self.stage == "moon":
            return [seat for seat in [shooter(self.rules, self.taken)] if seat is not None]
        return []

    def turn(self) -> int:
        """Return the seat whose card comes next."""
        return (self.leader + len(self.trick)) % len(self.seats)

    def legal(self, seat: int) -> list[str]:  # noqa: PLR0911 -- one answer per stage
        """Return what the seat may choose from now: each face once, or words; any card in hand while passing."""
        if seat not in self.waiting():
            return []
        if self.stage == "pass":
            return faces(self.hands[seat])
        if self.stage == "return":
            return faces(self.received[seat])
        if self.stage == "moon":
            return list(EFFECTS)
        hand = self.hands[seat]
        if self.trick:
            return faces(following(self.rules, hand, self.trick[0], len(self.tricks) + 1))
        if self.tricks:
            return faces(leading(self.rules, hand, self.tricks))
        return faces(opening(self.rules, hand))

    def _demand(self, stage: str, seat: int) -> None:
        """Refuse what nobody asked this seat for."""
        if self.stage != stage:
            raise Refused(f"no {stage} now, but {self.stage}")
        if seat not in self.waiting():
            raise Refused(f"seat {seat} has no {stage} to make now")

    def give(self, seat: int, cards: Sequence[str]) -> None:
        """Pass cards from the hand as dealt."""
        self._demand("pass", seat)
        if len(cards) != self.rules["pass_count"]:
            raise Refused(f"{len(cards)} cards passed, not {self.rules['pass_count']}")
        if not contains(self.hands[seat], cards):
            raise Refused("passes a card that it does not hold")
        self.passes[seat] = list(cards)
        given = [cards for cards in self.passes if cards is not None]
        if len(given) < len(self.seats):
            return
        for giving in self.seats:
            self.hands[giving] = without(self.hands[giving], given[giving])
        if self.direction == "pool":
            self.stage = "pool"
            return
        for giving in self.seats:
            getting = receiver(self.direction, giving, len(self.seats))
            self.received[getting] = given[giving]
            self.hands[getting] += given[giving]
        if self.rules["give_back"]:
            self.stage = "return"
        else:
            self._start_play()

    def pool(self) -> list[str]:
        """All the cards given to the dealer."""
        return [card for cards in self.passes for card in cards or []]

    def deal_pool(self, dealt: Sequence[Sequence[str]]) -> None:
        """Put the shuffled pool into the hands, so many cards per seat as each gave."""
        if self.stage != "pool":
            raise Refused("there is no pool to deal")
        if [len(cards) for cards in dealt] != [self.rules["pass_count"] for _ in self.seats]:
            raise Refused("the pool is not dealt evenly")
        if not same([card for cards in dealt for card in cards], self.pool()):
            raise Refused("the pool dealt is not the pool given")
        for seat in self.seats:
            self.received[seat] = list(dealt[seat])
            self.hands[seat] += dealt[seat]
        self._start_play()

    def give_back(self, seat: int, card: str) -> None:
        """Return one of the cards just received to the seat it came from."""
        self._demand("return", seat)
        if card not in self.received[seat]:
            raise Refused("returns a card that it was not passed")
        self.returns[seat] = card
        if None in self.returns:
            return
        for returning, back in enumerate(self.returns):
            assert back is not None
            self.hands[returning].remove(back)
            self.hands[giver(self.direction, returning, len(self.seats))].append(back)
        self._start_play()

    def _start_play(self) -> None:
        """Find the opener."""
        self.stage = "play"
        self.leader = opener(self.rules, self.dealer, self.hands)

    def shown(self) -> int | None:
        """Return the seat that shows 2C before the first trick."""
        shows = self.rules["opening_lead"] == "show_2c_any_nonscoring"
        return opener(self.rules, self.dealer, self.hands) if shows and self.stage == "play" else None

    def play(self, seat: int, card: str) -> None:
        """Put a card on the trick, and settle the trick if it was the last one."""
        self._demand("play", seat)
        if card not in self.hands[seat]:
            raise Refused("plays a card that it does not hold")
        if card not in self.legal(seat):
            raise Refused(f"{card} may not be played, but {' '.join(self.legal(seat))}")
        self.hands[seat].remove(card)
        self.trick.append(card)
        if len(self.trick) == len(self.seats):
            self._settle()

    def _settle(self) -> None:
        """Give the trick to its winner, or set it aside."""
        place = winning_place(self.rules, self.trick)
        self.carried += self.trick
        self.tricks.append(self.trick)
        self.trick = []
        if place is None:
            self.winners.append(None)
        else:
            winner = (self.leader + place) % len(self.seats)
            self.winners.append(winner)
            self.leader = winner
            if self.kitty:
                self.kitty_taker = winner
            self.taken[winner] += self.carried + self.kitty
            self.carried, self.kitty = [], []
        if not any(self.hands):
            self._count()

    def dead(self) -> list[str]:
        """Return the cards nobody won in a deal that is played out."""
        return self.carried + self.kitty

    def _count(self) -> None:
        """Score the deal, unless the shooter has to choose first."""
        if shooter(self.rules, self.taken) is None:
            self._finish(None)
        elif self.rules["moon_effect"] == "shooter_choice":
            self.stage = "moon"
        else:
            self._finish(self.rules["moon_effect"])

    def choose(self, seat: int, effect: str) -> None:
        """Settle what the moon does."""
        self._demand("moon", seat)
        if effect not in EFFECTS:
            raise Refused(f"{effect} is no effect of the moon")
        self._finish(effect)

    def _finish(self, moon: str | None) -> None:
        """Write down the points."""
        self.moon = moon
        self.points = deal_points(self.rules, self.taken, moon)
        self.stage = "over"
