"""Four bots in one process at one table, to time its decision cycle from the outside.

A cycle is what lies between two decisions coming in: an answer, the referee, the next decision.
The bots do nothing but play the first legal card.
Run with the referee's address and the four tokens in the environment; writes the cycles of plays, in seconds, one a
line, when the match closes.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from itertools import pairwise

import grpc
from hearts.v1 import referee_service_pb2 as pb
from hearts.v1 import referee_service_pb2_grpc as pb_grpc

PLAY = pb.DECISION_KIND_PLAY


async def play(address: str, token: str, arrivals: list[float], closed: asyncio.Event) -> None:
    """Play one seat after another until `closed`, noting when each play had to be decided."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = pb_grpc.RefereeServiceStub(channel).Play()
        await call.write(pb.PlayRequest(hello=pb.Hello(token=token, protocol_version=1, max_tables=1)))
        while not closed.is_set():
            frame = await call.read()
            if not isinstance(frame, pb.PlayResponse):  # the end of the stream
                break
            reply = pb.PlayRequest()
            decided = False
            for update in frame.updates:
                number = update.decision
                if number:
                    decided = True
                    action = reply.actions.add()
                    action.seat = update.seat
                    action.decision = number
                    if update.kind == PLAY:
                        arrivals.append(time.perf_counter())
                        action.card = update.legal[0]
                    else:  # a pass: the hand comes with it
                        action.cards.extend(update.deal.hand[:3])
            if decided:
                await call.write(reply)
                continue
            if frame.opened:
                for seat in frame.opened:
                    reply.ready.add(seat=seat.seat)
                await call.write(reply)
            if frame.closed:
                closed.set()


async def main() -> None:
    """Play one match and print its cycles."""
    arrivals: list[float] = []
    closed = asyncio.Event()
    tokens = os.environ["BENCH_TOKENS"].split()
    await asyncio.gather(*(play(os.environ["ARENA_ADDRESS"], token, arrivals, closed) for token in tokens))
    cycles = [later - earlier for earlier, later in pairwise(arrivals)]
    sys.stdout.write("\n".join(f"{cycle:.7f}" for cycle in cycles) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
