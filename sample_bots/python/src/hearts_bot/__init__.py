"""Write a Hearts Arena bot in Python: subclass `Bot`, and `run` it."""

from hearts_bot.bot import Bot, DealResult, MatchResult, MoonEffect
from hearts_bot.cards import CLUBS, DIAMONDS, HEARTS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, SPADES, Card, parse
from hearts_bot.rules import Rules
from hearts_bot.run import run
from hearts_bot.view import Trick, View

__all__ = [
    "CLUBS",
    "DIAMONDS",
    "HEARTS",
    "JACK_OF_DIAMONDS",
    "QUEEN_OF_SPADES",
    "SPADES",
    "Bot",
    "Card",
    "DealResult",
    "MatchResult",
    "MoonEffect",
    "Rules",
    "Trick",
    "View",
    "parse",
    "run",
]
