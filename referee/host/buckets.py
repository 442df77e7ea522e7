"""Rates: so many at once, and after that so many a second."""

from __future__ import annotations

from referee.host.ports import BotId


class Bucket:
    """Tokens that come back by time: `rate` a second, at most `burst` of them."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def spend(self, tokens: float, now: float) -> bool:
        """Take *tokens* out, and return whether there were as many; if not, none is taken."""
        held = self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if tokens > held:
            return False
        self._tokens = held - tokens
        return True

    def wait(self, tokens: float) -> float:
        """Return the seconds from the last look until *tokens* can be spent."""
        return max(0.0, tokens - self._tokens) / self._rate

    def drain(self, seconds: float) -> None:
        """Let nothing be spent for *seconds* from the last look."""
        self._tokens = min(self._tokens, -seconds * self._rate)


class Arrivals:
    """How often each bot may connect: *rate* times a second, *burst* at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[BotId, Bucket] = {}

    def wait(self, bot: BotId, now: float) -> float:
        """Note that *bot* wants to come in, and return the seconds after which it may, 0 if now."""
        bucket = self._bucket(bot, now)
        return 0.0 if bucket.spend(1, now) else max(0.1, bucket.wait(1))

    def bar(self, bot: BotId, seconds: float, now: float) -> None:
        """Let *bot* in no more for so many seconds."""
        bucket = self._bucket(bot, now)
        bucket.spend(0, now)
        bucket.drain(seconds)

    def _bucket(self, bot: BotId, now: float) -> Bucket:
        if bot not in self._buckets:
            self._buckets[bot] = Bucket(self._rate, self._burst, now)
        return self._buckets[bot]
