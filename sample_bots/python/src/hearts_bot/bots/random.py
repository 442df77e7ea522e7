"""The bot that plays any legal card."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_bot import Bot, Card, MoonEffect, View, run


class RandomBot(Bot):
    """Plays a random legal card; the same match gives the same plays."""

    version = "random/1"

    def play(self, view: View) -> Card:
        """Return any legal card."""
        return view.random.choice(view.legal)

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return any cards of the hand."""
        return view.random.sample(view.hand, view.rules.pass_count)

    def give_back(self, view: View) -> Card:
        """Return any card that may be given back."""
        return view.random.choice(view.legal)

    def moon(self, view: View) -> MoonEffect:
        """Return either effect."""
        effects: tuple[MoonEffect, MoonEffect] = ("others_plus", "self_minus")
        return view.random.choice(effects)


if __name__ == "__main__":
    run(RandomBot)
