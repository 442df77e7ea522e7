"""A rule set in plain words: a sentence for each rule that applies.

Each rule has one function from the rule set to its sentence, or to nothing where the rule does not apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.rules.book import Rule
from referee.rules.cards import CLUBS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, SUIT_MASKS, card_name
from referee.rules.masks import harmful_mask, scoring_mask
from referee.rules.variant import (
    FirstTrickPenalty,
    HeartsLead,
    KittyView,
    LeadEscape,
    MoonEffect,
    OpeningLead,
    PassDirection,
    PassMode,
    Scoring,
    TieForLowest,
    Variant,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_WAYS: Final = {
    PassDirection.LEFT: "to the left",
    PassDirection.RIGHT: "to the right",
    PassDirection.ACROSS: "across",
    PassDirection.HOLD: "nowhere (hold)",
}
_HEARTS: Final = {
    HeartsLead.AFTER_TRICK_1: "Hearts may be led from the second trick on.",
    HeartsLead.BROKEN_BY_HEART: "Hearts may be led once a heart was played in an earlier trick; QS does not open them.",
    HeartsLead.AFTER_TRICK_3: "Hearts may be led from the fourth trick on.",
    HeartsLead.AFTER_PLAIN_SUITS_LED: (
        "Hearts may be led once clubs, diamonds and spades have each been led, or two of them twice."
    ),
    HeartsLead.BROKEN_BY_HEART_OR_QS: "Hearts may be led once a heart or QS was played in an earlier trick.",
}
_POINTS: Final = {
    Scoring.BLACK_LADY: "Each heart taken costs 1, QS 13.",
    Scoring.PLAIN_HEARTS: "Each heart taken costs 1; QS costs nothing.",
    Scoring.HONOURS_5: "2H to TH cost 1 each, JH, QH, KH and AH 5 each; QS costs nothing.",
    Scoring.BLACK_LADY_JD: "Each heart taken costs 1, QS 13, and JD is worth -10.",
    Scoring.TWO_FREE_DOUBLE_JD: (
        "The first two hearts that a seat takes cost nothing, each further one 2; QS costs 13, and JD is worth -10."
    ),
}


def _join(words: Sequence[str], last: str = " and ") -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}{last}{words[-1]}"


def _many(number: int, noun: str) -> str:
    count = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{count} {noun}" + ("" if number == 1 else "s")


def _harmful(variant: Variant) -> str:
    return "heart and no QS" if harmful_mask(variant.scoring) >> QUEEN_OF_SPADES & 1 else "heart"


def passes(variant: Variant) -> bool:
    """Return whether cards are passed in any deal."""
    return variant.pass_mode is not PassMode.NONE and (
        variant.pass_mode is PassMode.POOL or set(variant.pass_cycle) != {PassDirection.HOLD}
    )


def _players(variant: Variant) -> str:
    return f"{_many(variant.players, 'player')}, {_many(variant.packs, 'pack')}.".capitalize()


def _pack(variant: Variant) -> str:
    out = [card_name(card) for card in variant.stripped]
    what = f"{_join(out)} {'is' if len(out) == 1 else 'are'} left out" if out else "All cards are used"
    return f"{what}: {variant.pack_size} in all, the ace high, no trumps."


def _dealer(variant: Variant) -> str:
    first = "The first dealer is drawn" if variant.first_dealer is None else f"Seat {variant.first_dealer} deals first"
    return f"{first}; then the deal passes to the left."


def _deal(variant: Variant) -> str:
    return f"Each seat is dealt {_many(variant.hand_size, 'card')}, one at a time from the dealer's left."


def _kitty(variant: Variant) -> str | None:
    if not variant.kitty_size:
        return None
    who = "only that seat sees" if variant.kitty_view is KittyView.TAKER else "all see"
    one = variant.kitty_size == 1
    cards = "The card left over lies" if one else f"The {_many(variant.kitty_size, 'card')} left over lie"
    it = "it" if one else "them"
    return f"{cards} face down; the first seat to win a trick takes {it}, and {who} {it}."


def _passing(variant: Variant) -> str | None:
    if not passes(variant):
        return "Nothing is passed."
    if variant.pass_mode is PassMode.POOL:
        return None
    ways = [_WAYS[direction] for direction in variant.pass_cycle]
    if len(set(ways)) == 1:
        return f"In every deal cards are passed {ways[0]}."
    return f"Deal by deal cards are passed {_join(ways, ', then ')}, and so on from the start."


def _cards_passed(variant: Variant) -> str | None:
    if not passes(variant):
        return None
    count = _many(variant.pass_count, "card")
    return f"Each seat chooses {count} of the hand it was dealt, before it sees what comes."


def _giving_back(variant: Variant) -> str | None:
    if not variant.give_back or not passes(variant):
        return None
    return f"Then each gives one of the {_many(variant.pass_count, 'card')} received back to the seat that passed them."


def _pool(variant: Variant) -> str | None:
    if variant.pass_mode is not PassMode.POOL:
        return None
    return "In every deal the dealer shuffles all that was chosen and deals it back, as many to each as it gave."


def _opening(variant: Variant) -> str:
    aside = ", QS aside while there are others" if harmful_mask(variant.scoring) >> QUEEN_OF_SPADES & 1 else ""
    eldest = "The seat at the dealer's left leads first"
    match variant.opening_lead:
        case OpeningLead.LOW_CLUB:
            clubs = [card for card in range(52) if SUIT_MASKS[CLUBS] >> card & 1 and card not in variant.stripped]
            low = "the lowest club dealt" if variant.kitty_size else card_name(clubs[0])  # type: ignore[arg-type]
            return f"Who holds {low} leads it to the first trick."
        case OpeningLead.ELDEST_LOWEST_PLAIN:
            return f"{eldest}: its lowest card that is no heart{aside}."
        case OpeningLead.ELDEST_LOWEST_PER_SUIT:
            return f"{eldest}: the lowest card of a suit other than hearts{aside}."
        case OpeningLead.FIRST_PLAIN_TWO:
            return "The first seat from the dealer's left that holds 2C, 2D or 2S leads one of them."
        case OpeningLead.SHOW_2C_ANY_NONSCORING:
            scores = [word for word, mask in _SCORING_WORDS if scoring_mask(variant.scoring) & mask]
            return f"Who holds 2C shows it to all and leads any card but {_join(scores)}."
        case OpeningLead.ELDEST_ANY_NONPENALTY:
            return f"{eldest}: any card, but no {_harmful(variant)}."


_SCORING_WORDS: Final = (("hearts", SUIT_MASKS[3]), ("QS", 1 << QUEEN_OF_SPADES), ("JD", 1 << JACK_OF_DIAMONDS))


def _turns(variant: Variant) -> str:
    return f"{_many(variant.hand_size, 'trick')}: one card from each seat, clockwise from the leader.".capitalize()


def _first_trick(variant: Variant) -> str:
    if variant.first_trick_penalty is FirstTrickPenalty.ALLOWED:
        return "Who cannot follow suit may play anything, to the first trick too."
    return f"No {_harmful(variant)} on the first trick while there is another choice."


def _hearts(variant: Variant) -> str:
    return _HEARTS[variant.hearts_lead]


def _escape(variant: Variant) -> str | None:
    if variant.hearts_lead is HeartsLead.AFTER_TRICK_1:
        return None
    more = " or of hearts and QS" if variant.lead_escape is LeadEscape.ONLY_HEARTS_OR_QS else ""
    return f"Before that only a hand of nothing but hearts{more} may lead one."


def _equal_cards(variant: Variant) -> str | None:
    if not variant.cancellation:
        return None
    return "A card that is played twice in a trick is out, both copies; they still cost what they cost."


def _no_winner(variant: Variant) -> str | None:
    if not variant.cancellation:
        return None
    return (
        "With no card of the suit led left the trick goes to the next trick's winner, to nobody after the last; "
        "the same seat leads again."
    )


def _points(variant: Variant) -> str:
    return _POINTS[variant.scoring]


def _moon(variant: Variant) -> str:
    mask = scoring_mask(variant.scoring)
    jack = bool(mask >> JACK_OF_DIAMONDS & 1)
    both = "both " if variant.packs == 2 else ""
    cards = [f"all {13 * variant.packs} hearts"]
    cards += [f"{both}QS"] if mask >> QUEEN_OF_SPADES & 1 else []
    cards += [f"{both}JD"] if jack and variant.moon_needs_jd else []
    still = "; JD is not needed, and still worth -10" if jack and not variant.moon_needs_jd else ""
    return f"Who takes {_join(cards)} shoots the moon{still}."


def _moon_effect(variant: Variant) -> str:
    plus = f"0 for the shooter and {variant.moon_value} for all others"
    minus = f"-{variant.moon_value} for the shooter and 0 for all others"
    match variant.moon_effect:
        case MoonEffect.OTHERS_PLUS:
            return f"A moon is {plus}."
        case MoonEffect.SELF_MINUS:
            return f"A moon is {minus}."
        case MoonEffect.SHOOTER_CHOICE:
            return f"A moon is {plus}, or {minus}, as the shooter chooses."


def _end(variant: Variant) -> str:
    if variant.target is None:
        return f"The game is {_many(variant.deals or 0, 'deal')}."
    last = f"or after {_many(variant.max_deals, 'deal')}"
    return f"The game ends after the deal in which a total reaches {variant.target}, {last}."


def _places(variant: Variant) -> str:
    if variant.tie_for_lowest is TieForLowest.PLAY_ON and variant.target is not None:
        return "The lowest total wins; while it is shared, further deals are played."
    return "The lowest total wins; equal totals share the win."


_TELLERS: Final[dict[Rule, Callable[[Variant], str | None]]] = {
    Rule.PLAYERS: _players,
    Rule.PACK: _pack,
    Rule.DEALER: _dealer,
    Rule.DEAL: _deal,
    Rule.KITTY: _kitty,
    Rule.PASSING: _passing,
    Rule.CARDS_PASSED: _cards_passed,
    Rule.GIVING_BACK: _giving_back,
    Rule.POOL: _pool,
    Rule.OPENING_LEAD: _opening,
    Rule.TURNS: _turns,
    Rule.FOLLOWING_SUIT: lambda _: "Who has cards of the suit led plays one of them, else any card.",
    Rule.FIRST_TRICK: _first_trick,
    Rule.LEADING_HEARTS: _hearts,
    Rule.NOTHING_BUT_HEARTS: _escape,
    Rule.WINNING: lambda _: "The highest card of the suit led wins the trick, and its player leads the next.",
    Rule.EQUAL_CARDS: _equal_cards,
    Rule.TRICKS_NOBODY_WINS: _no_winner,
    Rule.POINTS: _points,
    Rule.MOON: _moon,
    Rule.WHAT_A_MOON_DOES: _moon_effect,
    Rule.END: _end,
    Rule.PLACES: _places,
}
"""Rules that are the same everywhere and say nothing to a player who knows the game are left to the document."""


def sentences(variant: Variant) -> list[tuple[Rule, str]]:
    """Return a sentence for each rule that applies in *variant*, in the order of the book."""
    told = ((rule, tell(variant)) for rule, tell in _TELLERS.items())
    return [(rule, text) for rule, text in told if text is not None]
