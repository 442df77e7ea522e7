"""The bot that never thinks: the first legal card, always. It measures everything but bots."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_bot import Bot, Card, View, run


class FirstLegal(Bot):
    """Plays the first legal card and passes the first cards of its hand."""

    version = "first-legal/1"

    def play(self, view: View) -> Card:
        """Return the first legal card."""
        return view.legal[0]

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return the first cards of the hand."""
        return view.hand[: view.rules.pass_count]


if __name__ == "__main__":
    run(FirstLegal)
