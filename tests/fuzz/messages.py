"""Mutated messages into the decoder and the session machine, with tables at play behind it."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from random import Random
from typing import Final

from hearts.v1 import cards_pb2
from hearts.v1 import referee_service_pb2 as pb

from referee.host.hall import PROTOCOL_VERSION, HallConfig, SessionRefused
from referee.host.ports import Clock, NotAdmitted
from referee.host.session import End, Session
from referee.transport.convert import MalformedFrame, greeting_from_wire
from referee.transport.servicer import MALFORMED, OVERSIZED, RefereeServicer, parse_request
from tests.fuzz.mutation import mutated
from tests.host.world import World, order_of, two_deals

BOTS: Final = 4
TABLES: Final = 3
CLOCK: Final = Clock(decision=0.5, bank=1.0, network=0.05, watchdog=3.0, ready=1.0, reconnect_grace=1.0)
VARIANTS: Final = ("standard", "hoemke-3344", "hoemke-4442", "classic")
CARDS: Final = (cards_pb2.CARD_2C, cards_pb2.CARD_3C, cards_pb2.CARD_4C)
LOOK: Final = 200
"""Messages between two looks at the clock."""


class Fuzz:
    """A hall with tables, four bots that answer in bytes, and what has become of the messages."""

    def __init__(self, seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self.world = World(HallConfig(sessions_per_bot=2))
        self._servicer = RefereeServicer(self.world.hall)
        self._rng = Random(seed)
        self._sessions: list[Session | None] = [None] * BOTS
        self._pending: list[pb.PlayRequest] = [pb.PlayRequest() for _ in range(BOTS)]
        self._matches = 0

    async def run(self, count: int) -> Counter[str]:
        """Send so many messages; an exception of ours gets out, and a voided attempt is one."""
        for number in range(count):
            if number % LOOK == 0:
                self._look()
            bot = self._rng.randrange(BOTS)
            session = self._sessions[bot]
            if session is None or session.end is not None:
                await self._hello(bot)
            else:
                self._frame(bot, session)
        assert not self.world.sink.released, self.world.sink.released
        self.counts["matches played to the end"] = len(self.world.sink.outcomes)
        return self.counts

    def _look(self) -> None:
        self.world.pass_time(self._rng.choice((0.02, 0.02, 0.1, 0.7)))
        while self.world.hall.tables < TABLES:
            self._matches += 1
            variant = two_deals(VARIANTS[self._matches % len(VARIANTS)], BOTS)
            self.world.hall.host(order_of(variant, f"m{self._matches}", clock=CLOCK, fault_limit=30))

    async def _hello(self, bot: int) -> None:
        hello = pb.Hello(token=f"b{bot}", protocol_version=PROTOCOL_VERSION, bot_version="fuzz/1", max_tables=TABLES)
        hello.capabilities.max_packs = 2
        hello.capabilities.max_players = 11
        data = pb.PlayRequest(hello=hello).SerializeToString()
        request = parse_request(mutated(self._rng, data) if self._rng.random() < 0.7 else data)
        self._pending[bot].Clear()
        if request is MALFORMED or request is OVERSIZED:
            self.counts["hello: NOT_A_REQUEST"] += 1
            return
        try:
            session = await self.world.hall.admit(greeting_from_wire(request, PROTOCOL_VERSION))
        except (MalformedFrame, NotAdmitted, SessionRefused) as error:
            self.counts[f"hello: {error.reason}"] += 1
            return
        self.counts["hello: let in"] += 1
        if session.bot != f"b{bot}":  # a mutated token; here every name is a bot
            self.world.hall.end(session, End("GONE", ""))
            return
        self._sessions[bot] = session

    def _frame(self, bot: int, session: Session) -> None:
        self._listen(bot, session)
        pending = self._pending[bot]
        data = pending.SerializeToString()
        request = parse_request(mutated(self._rng, data) if self._rng.random() < 0.6 else data)
        if request is MALFORMED or request is OVERSIZED or request.HasField("hello"):
            self.counts["frame: malformed"] += 1
            if self._rng.random() < 0.02:  # each would end the stream; most are forgiven, to get further
                self.world.hall.end(session, End("NOT_A_REQUEST", ""))
            return
        self.counts["frame: applied"] += 1
        self.world.hall.flusher.hear()
        self._servicer._apply(session, request, self.world.hall.clock.now())
        self.world.hall.flusher.heard()
        if self._rng.random() < 0.5:
            pending.Clear()

    def _listen(self, bot: int, session: Session) -> None:
        pending = self._pending[bot]
        while session.has_something and session.end is None:
            frame = pb.PlayResponse.FromString(
                self._servicer._frame(session, self.world.hall.clock.now()).SerializeToString()
            )
            for opened in frame.opened:
                pending.ready.add(seat=opened.seat)
            for update in frame.updates:
                if update.decision:
                    self._answer(pending, update)
        session.dirty_since = 0.0

    def _answer(self, pending: pb.PlayRequest, update: pb.SeatUpdate) -> None:
        action = pending.actions.add(seat=update.seat, decision=update.decision)
        if update.kind == pb.DECISION_KIND_PASS:
            action.cards.extend(self._rng.sample(list(update.deal.hand) or CARDS, 3))
        elif update.kind == pb.DECISION_KIND_MOON:
            action.moon = pb.MOON_EFFECT_SELF_MINUS
        elif update.legal:
            action.card = self._rng.choice(update.legal)


def main() -> int:
    """Run, with a line every few seconds and a table at the end."""
    parser = argparse.ArgumentParser(description="Send mutated messages into the session machine.")
    parser.add_argument("--count", type=int, default=5_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun, done, total, chunk = time.monotonic(), 0, Counter[str](), 250_000
    while done < options.count:
        some = min(chunk, options.count - done)
        total += asyncio.run(_run(options.seed + done, some))
        done += some
        rate = done / (time.monotonic() - begun)
        sys.stdout.write(f"{done:,} messages, {rate:,.0f} a second\n")
        sys.stdout.flush()
    for what, count in sorted(total.items()):
        sys.stdout.write(f"{count:12,}  {what}\n")
    return 0


async def _run(seed: int, count: int) -> Counter[str]:
    return await Fuzz(seed).run(count)


if __name__ == "__main__":
    sys.exit(main())
