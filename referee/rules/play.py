"""Which cards a seat may play next, and why not the others.

The law of play is one ordered list of restrictions. Each names the cards that it leaves of those still allowed; one
that would leave none does not bind, because a seat always has a play (R18): that is the rule behind "unless you hold
nothing else".
Legality and its explanation read the same list, so they cannot disagree.

What a restriction asks for depends on the rule set and on the situation (first trick or later, leading or following
which suit, hearts open or closed), but never on the hand. So a `Law` is the list compiled once for every situation;
all that is left to do per play is to intersect bitmasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from referee.rules.book import Rule
from referee.rules.cards import (
    CLUBS,
    DIAMONDS,
    FACES,
    HEARTS,
    QUEEN_OF_SPADES,
    SPADES,
    SUIT_MASKS,
    TWO_OF_CLUBS,
    TWO_OF_DIAMONDS,
    TWO_OF_SPADES,
    Card,
    Hand,
)
from referee.rules.masks import harmful_mask, scoring_mask
from referee.rules.variant import FirstTrickPenalty, HeartsLead, LeadEscape, OpeningLead, Scoring, Variant


class Violation(Enum):
    """Why a decision is not allowed. The names are part of the wire contract and of reports on records.

    The value is the reason in words; `rule` is the rule that the decision breaks.
    """

    _value_: str
    rule: Rule

    def __new__(cls, text: str, rule: Rule) -> Violation:
        """Make the violation of *rule* that *text* tells."""
        violation = object.__new__(cls)
        violation._value_ = text
        violation.rule = rule
        return violation

    NOT_IN_HAND = "the card is not in the hand", Rule.OWN_CARDS
    OPENING_LEAD = "the rules of the opening lead do not allow this card to open the deal", Rule.OPENING_LEAD
    MUST_FOLLOW_SUIT = "the suit led must be followed", Rule.FOLLOWING_SUIT
    NO_PENALTY_ON_FIRST_TRICK = "no harmful card on the first trick while there is another choice", Rule.FIRST_TRICK
    HEARTS_CLOSED = "hearts may not be led yet while there is another choice", Rule.LEADING_HEARTS
    WRONG_NUMBER_OF_CARDS = "this is not the number of cards asked for", Rule.CARDS_PASSED
    NOT_RECEIVED = "only a card just received can be given back", Rule.GIVING_BACK
    NOT_A_MOON_EFFECT = "the shooter chooses others_plus or self_minus", Rule.WHAT_A_MOON_DOES
    WRONG_DECISION = "this is not the kind of decision that is open", Rule.ANSWERS
    OUT_OF_TURN = "it is not this seat's turn", Rule.TURNS


Narrow = Callable[[int], int]
"""Given the faces still allowed, returns those that a restriction leaves; 0 when it does not bind."""

PLAIN: Final = FACES ^ SUIT_MASKS[HEARTS]
_QS: Final = 1 << QUEEN_OF_SPADES
_TWOS: Final = 1 << TWO_OF_CLUBS | 1 << TWO_OF_DIAMONDS | 1 << TWO_OF_SPADES


class Situation(NamedTuple):
    """All that the law of play depends on, besides the hand."""

    variant: Variant
    first: bool
    """Whether this is trick one."""
    led: int
    """The suit led; -1 when the seat leads."""
    hearts_open: bool


def _lowest_rank(cards: int) -> int:
    """Return those of *cards* that no other of *cards* ranks below."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & 0x1FFF
    low = ranks & -ranks
    return cards & (low | low << 13 | low << 26 | low << 39)


def _lowest_per_suit(cards: int) -> int:
    """Return the lowest of *cards* of each suit."""
    lows = 0
    for mask in SUIT_MASKS:
        suit = cards & mask
        lows |= suit & -suit
    return lows


def _low_club(cards: int) -> int:
    clubs = cards & SUIT_MASKS[CLUBS]
    return clubs & -clubs


def _harmless(scoring: Scoring) -> int:
    return FACES & ~harmful_mask(scoring)


def _plain_first(scoring: Scoring, pick: Narrow) -> Narrow:
    """Apply *pick* to the harmless cards, which are plain, else to the plain cards, else to the hearts."""
    harmless = _harmless(scoring)
    return lambda cards: pick(cards & harmless or cards & PLAIN or cards)


_OPENINGS: Final[dict[OpeningLead, Callable[[Scoring], Narrow]]] = {
    OpeningLead.ELDEST_LOWEST_PLAIN: lambda scoring: _plain_first(scoring, _lowest_rank),
    OpeningLead.ELDEST_LOWEST_PER_SUIT: lambda scoring: _plain_first(scoring, _lowest_per_suit),
    OpeningLead.LOW_CLUB: lambda _: _low_club,
    OpeningLead.FIRST_PLAIN_TWO: lambda _: _TWOS.__and__,
    OpeningLead.SHOW_2C_ANY_NONSCORING: lambda scoring: (FACES & ~scoring_mask(scoring)).__and__,
    OpeningLead.ELDEST_ANY_NONPENALTY: lambda scoring: _harmless(scoring).__and__,
}


def _open(at: Situation) -> Narrow | None:
    """R11: what may open the deal."""
    return _OPENINGS[at.variant.opening_lead](at.variant.scoring) if at.first and at.led < 0 else None


def _follow(at: Situation) -> Narrow | None:
    """R14: the suit led."""
    return SUIT_MASKS[at.led].__and__ if at.led >= 0 else None


def _keep_first_trick_clean(at: Situation) -> Narrow | None:
    """R15: no harmful card on the first trick."""
    applies = at.first and at.led >= 0 and at.variant.first_trick_penalty is FirstTrickPenalty.BARRED_UNLESS_FORCED
    return _harmless(at.variant.scoring).__and__ if applies else None


def _wait_for_hearts(at: Situation) -> Narrow | None:
    """R16: no heart is led while hearts are closed; R17: unless the hand is nothing else."""
    if at.first or at.led >= 0 or at.hearts_open:
        return None
    if at.variant.lead_escape is LeadEscape.ONLY_HEARTS:
        return PLAIN.__and__
    return lambda cards: 0 if (plain := cards & PLAIN) == _QS else plain


RESTRICTIONS: Final[tuple[tuple[Violation, Callable[[Situation], Narrow | None]], ...]] = (
    (Violation.OPENING_LEAD, _open),
    (Violation.MUST_FOLLOW_SUIT, _follow),
    (Violation.NO_PENALTY_ON_FIRST_TRICK, _keep_first_trick_clean),
    (Violation.HEARTS_CLOSED, _wait_for_hearts),
)


def _plain_suits_led(_trick: int, _played: int, leads: Sequence[int]) -> bool:
    plain = leads[CLUBS], leads[DIAMONDS], leads[SPADES]
    return min(plain) >= 1 or sorted(plain)[1] >= 2


_HEARTS_OPEN: Final[dict[HeartsLead, Callable[[int, int, Sequence[int]], bool]]] = {
    HeartsLead.AFTER_TRICK_1: lambda trick, played, leads: True,
    HeartsLead.BROKEN_BY_HEART: lambda trick, played, leads: played & SUIT_MASKS[HEARTS] != 0,
    HeartsLead.AFTER_TRICK_3: lambda trick, played, leads: trick > 3,
    HeartsLead.AFTER_PLAIN_SUITS_LED: _plain_suits_led,
    HeartsLead.BROKEN_BY_HEART_OR_QS: lambda trick, played, leads: played & (SUIT_MASKS[HEARTS] | _QS) != 0,
}
"""Whether hearts are open, by the arguments of `Law.hearts_open`."""

_Steps = tuple[tuple[Violation, Narrow], ...]


def _steps(at: Situation) -> _Steps:
    return tuple((why, narrow) for why, rule in RESTRICTIONS if (narrow := rule(at)) is not None)


def _steps_by_lead(variant: Variant, *, first: bool, hearts_open: bool) -> tuple[_Steps, ...]:
    """Return the steps by suit led; the last entry, which index -1 finds, is for a seat that leads."""
    return tuple(_steps(Situation(variant, first, led, hearts_open)) for led in (0, 1, 2, 3, -1))


class Law:
    """The law of play of one rule set. Get it from `law_of`, which compiles each rule set once."""

    __slots__ = ("_closed", "_first", "_hearts_open", "_open", "shows_two_of_clubs", "variant")

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.shows_two_of_clubs = variant.opening_lead is OpeningLead.SHOW_2C_ANY_NONSCORING
        """Whether the opening leader shows the two of clubs to all before leading."""
        self._hearts_open = _HEARTS_OPEN[variant.hearts_lead]
        self._first = _steps_by_lead(variant, first=True, hearts_open=False)
        self._closed = _steps_by_lead(variant, first=False, hearts_open=False)
        self._open = _steps_by_lead(variant, first=False, hearts_open=True)

    def legal(self, hand: Hand, led: int, trick: int, hearts_open: bool) -> Hand:
        """Return the faces that may be played from *hand*; empty only if the hand is.

        *led* is the suit led, -1 for a seat that leads; *trick* counts from 1; *hearts_open* matters only to a seat
        that leads a later trick than the first.
        """
        cards = hand & FACES
        for _, narrow in (self._first if trick == 1 else self._open if hearts_open else self._closed)[led]:
            cards = narrow(cards) or cards
        return Hand(cards)

    def violation(self, hand: Hand, led: int, trick: int, hearts_open: bool, card: Card) -> Violation | None:
        """Return the first restriction that playing *card* breaks, or None if it may be played."""
        if not 0 <= card < 52 or not hand >> card & 1:
            return Violation.NOT_IN_HAND
        cards = hand & FACES
        for why, narrow in (self._first if trick == 1 else self._open if hearts_open else self._closed)[led]:
            cards = narrow(cards) or cards
            if not cards >> card & 1:
                return why
        return None

    def waived(self, hand: Hand, led: int, trick: int, hearts_open: bool) -> tuple[Violation, ...]:
        """Return the restrictions that do not bind *hand* because it holds nothing that they would leave (R18)."""
        cards = hand & FACES
        found: list[Violation] = []
        for why, narrow in (self._first if trick == 1 else self._open if hearts_open else self._closed)[led]:
            left = narrow(cards)
            if not left:
                found.append(why)
            cards = left or cards
        return tuple(found)

    def hearts_open(self, trick: int, played: int, leads: Sequence[int]) -> bool:
        """Return whether hearts may be led to *trick*, which is at least 2 (R16).

        *played* is the mask of all faces played in earlier tricks of the deal, *leads* how often each suit was led in
        them, tricks that nobody won included. Once open, hearts stay open to the end of the deal.
        """
        return self._hearts_open(trick, played, leads)

    def opener(self, hands: Sequence[Hand], dealer: int) -> int:
        """Return the seat that leads the first trick, given the *hands* after passing (R11)."""
        players = len(hands)
        eldest = (dealer + 1) % players
        match self.variant.opening_lead:
            case OpeningLead.LOW_CLUB:
                clubs = [hand & SUIT_MASKS[CLUBS] for hand in hands]
                return min(range(players), key=lambda seat: clubs[seat] & -clubs[seat] or FACES)
            case OpeningLead.FIRST_PLAIN_TWO:
                wanted = _TWOS
            case OpeningLead.SHOW_2C_ANY_NONSCORING:
                wanted = 1 << TWO_OF_CLUBS
            case _:
                return eldest
        seats = ((eldest + step) % players for step in range(players))
        return next(seat for seat in seats if hands[seat] & wanted)


@lru_cache(maxsize=512)
def law_of(variant: Variant) -> Law:
    """Return the law of play of *variant*, compiled once."""
    return Law(variant)
