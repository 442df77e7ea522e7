"""A good bot for tests: it plays by hand and trick alone, and says so whenever it has lost of its bank."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hearts_bot import Bot, Card, View, run

LOST = "bank lost"


class Steady(Bot):
    """Plays the last legal card that does not beat the trick, else the last."""

    def __init__(self) -> None:
        self._bank = 0

    def play(self, view: View) -> Card:
        """Return a card that depends on hand and trick."""
        self._watch(view)
        trick = view.trick
        under = [card for card in view.legal if trick and card.suit == trick[0].suit and card < max(trick)]
        return (under or list(view.legal))[-1]

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return the last cards of the hand."""
        self._watch(view)
        return view.hand[-view.rules.pass_count :]

    def _watch(self, view: View) -> None:
        if view.bank_millis < self._bank:
            sys.stderr.write(f"{LOST}: {self._bank} -> {view.bank_millis} ms\n")
        self._bank = view.bank_millis


if __name__ == "__main__":
    run(Steady)
