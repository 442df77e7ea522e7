"""Which rule sets can be played (R1): options against each other.

One ordered list of checks; each names the option to change, its value, and what would be allowed beside the others.
The first that fails is reported, so the order goes from the pack to the deal to the play to the end of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from referee.rules.cards import (
    CLUBS,
    SUIT_MASKS,
    TWO_OF_CLUBS,
    TWO_OF_DIAMONDS,
    TWO_OF_SPADES,
    card_name,
)
from referee.rules.masks import scoring_mask
from referee.rules.variant import KittyUse, OpeningLead, PassDirection, PassMode, Variant, VariantError

PLAYERS_BY_PACKS: Final = {1: range(3, 8), 2: range(6, 12)}

_OPENING_CARDS: Final = {
    OpeningLead.FIRST_PLAIN_TWO: (TWO_OF_CLUBS, TWO_OF_DIAMONDS, TWO_OF_SPADES),
    OpeningLead.SHOW_2C_ANY_NONSCORING: (TWO_OF_CLUBS,),
}

Complaints = Iterator[VariantError]


def _pack(variant: Variant) -> Complaints:
    """R2, R3 and R20: players and packs."""
    if variant.packs not in PLAYERS_BY_PACKS:
        yield VariantError("packs", variant.packs, "1, 2")
        return
    players = PLAYERS_BY_PACKS[variant.packs]
    if variant.players not in players:
        packs = "one pack" if variant.packs == 1 else "two packs"
        yield VariantError("players", variant.players, f"{players.start} to {players.stop - 1} with {packs}")
    if variant.cancellation != (variant.packs == 2):
        yield VariantError("cancellation", variant.cancellation, "true with two packs, false with one")
    scoring = [card_name(card) for card in variant.stripped if scoring_mask(variant.scoring) >> card & 1]
    if scoring:
        allowed = f"no scoring card of {variant.scoring}, so not {', '.join(scoring)}"
        yield VariantError("stripped", _names(variant), allowed)


def _deal(variant: Variant) -> Complaints:
    """R5 and R6: what the deal leaves over."""
    if variant.kitty_size and variant.kitty is KittyUse.NONE:
        allowed = (
            f"first_trick_winner, or a pack that divides: {variant.pack_size} cards among {variant.players} players "
            f"leave {variant.kitty_size} over"
        )
        yield VariantError("kitty", variant.kitty.value, allowed)


def _passing(variant: Variant) -> Complaints:
    """R7 to R9."""
    if not 1 <= variant.pass_count <= variant.hand_size:
        yield VariantError("pass_count", variant.pass_count, f"1 to {variant.hand_size}, the hand size")
    back = int(variant.pass_mode is PassMode.CYCLE_GIVE_BACK)
    if variant.give_back != back:
        yield VariantError("give_back", variant.give_back, f"{back} with pass_mode {variant.pass_mode.value}")
    if PassDirection.ACROSS in variant.pass_cycle and variant.players % 2:
        cycle = [direction.value for direction in variant.pass_cycle]
        yield VariantError("pass_cycle", cycle, f"left, right and hold with {variant.players} players, who are odd")


def _opening(variant: Variant) -> Complaints:
    """R11: the cards that the opening lead needs are dealt for sure."""
    lead = variant.opening_lead
    if lead not in _OPENING_CARDS and lead is not OpeningLead.LOW_CLUB:
        return
    value = lead.value
    if variant.packs == 2:
        yield VariantError("opening_lead", value, "with two packs, an opening lead by the eldest hand")
    if lead is OpeningLead.LOW_CLUB:
        sure = 13 - sum(SUIT_MASKS[CLUBS] >> card & 1 for card in variant.stripped) - variant.kitty_size
        if sure < 1:
            yield VariantError("opening_lead", value, "an opening lead that needs no club, since none need be dealt")
        return
    needed = _OPENING_CARDS[lead]
    missing = [card_name(card) for card in needed if card in variant.stripped]
    if missing:
        yield VariantError("opening_lead", value, f"an opening lead without {', '.join(missing)}, which is stripped")
    elif variant.kitty_size >= len(needed):
        allowed = f"an opening lead without {card_name(needed[0])}, which the kitty may hold"
        yield VariantError("opening_lead", value, allowed)


def _end(variant: Variant) -> Complaints:
    """R24, R25 and R4: what is a number."""
    if variant.moon_value < 0:
        yield VariantError("moon_value", variant.moon_value, "at least 0")
    if (variant.target is None) == (variant.deals is None):
        yield VariantError("target", variant.target, "a number where deals is null, null where deals is a number")
    for name, value in (("target", variant.target), ("deals", variant.deals), ("max_deals", variant.max_deals)):
        if value is not None and value < 1:
            yield VariantError(name, value, "at least 1")
    if variant.first_dealer is not None and variant.first_dealer not in range(variant.players):
        yield VariantError("first_dealer", variant.first_dealer, f'a seat from 0 to {variant.players - 1}, or "seed"')


def _names(variant: Variant) -> list[str]:
    return [card_name(card) for card in variant.stripped]


CHECKS: Final[tuple[Callable[[Variant], Complaints], ...]] = (_pack, _deal, _passing, _opening, _end)


def complaints(variant: Variant) -> Complaints:
    """Yield everything that keeps *variant* from being played, the most basic first."""
    for check in CHECKS:
        yield from check(variant)


def validate(variant: Variant) -> None:
    """Raise the first complaint about *variant*, a `VariantError`, if there is any."""
    for complaint in complaints(variant):
        raise complaint
