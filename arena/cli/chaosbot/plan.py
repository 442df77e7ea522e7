"""What a misbehaving bot does, and when.

A *moment* is a state of the protocol that the bot comes to, again and again. At the moments that were asked for it
strikes; at all others it behaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DECISIONS: Final = ("pass", "return", "play", "moon")
STATES: Final = ("hello", "welcome", "opened", *DECISIONS, "deal-end")
"""Before the hello, after the welcome, at a seat before it is ready, at each kind of decision, at the end of a deal."""

ANSWERS: Final = {
    "silent": "gives no answer; --at opened: is never ready",
    "slow": "answers after --delay",
    "illegal": "plays a card that it holds and may not play, passes too many, gives back what it did not receive",
    "not-held": "answers with a card that it does not hold",
    "wrong-decision": "answers a decision that does not exist, and not the one that does",
    "foreign-seat": "answers for the seats beside its own too",
    "twice": "answers a second time, otherwise",
    "early": "answers the next decision too, before it is asked",
}
"""What is wrong with an answer, at the moments that are decisions."""

STREAMS: Final = {
    "garbage": "sends bytes that are no message",
    "huge": "sends a message of 2 MiB",
    "half": "sends half a message and breaks the connection",
    "unread": "stops reading for --delay, then comes back",
    "flood": "sends empty messages until it is stopped",
    "disconnect": "breaks the connection and comes back",
    "storm": "breaks the connection and makes 50 new ones, one after the other",
    "twin": "connects a second time with the same instance",
    "version": "comes back with another version of the protocol, for ever",
    "exit": "ends without a word",
    "fork": "forks three children that keep its connections for --delay, at most 30 at once",
}
"""What is wrong with the stream, at any moment."""

KINDS: Final = {"none": "behaves"} | ANSWERS | STREAMS


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do: `kind` at each moment `at` (empty: any decision), but the first `after`, `times` times, 0 for ever.

    `delay` is in seconds. `seed` chooses cards and bytes where there is a choice.
    """

    kind: str
    at: str = ""
    after: int = 0
    times: int = 0
    delay: float = 5.0
    seed: int = 0


class Trigger:
    """Counts the moments of a plan, and says at which to strike."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._passed = 0
        self.strikes = 0

    def due(self, state: str) -> bool:
        """Note that the bot has come to *state*, and return whether to strike."""
        plan = self._plan
        if state != plan.at and (plan.at or state not in DECISIONS):
            return False
        self._passed += 1
        if self._passed <= plan.after or (plan.times and self.strikes >= plan.times):
            return False
        self.strikes += 1
        return True
