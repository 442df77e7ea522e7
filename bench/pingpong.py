"""The floor: a raw `grpc.aio` ping-pong with messages of the same sizes as a decision and its answer.

Two processes, one stream, one message at a time, nothing but gRPC in between.
What a single table takes more than this is our doing.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import grpc

PING = bytes(22)  # about a frame with one answer
PONG = bytes(44)  # about a frame with one decision: legal cards, plays, time
METHOD = "/bench.PingPong/Play"


async def serve() -> None:
    """Answer every message until the parent closes our input."""

    async def play(_requests: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        while isinstance(await context.read(), bytes):  # until the end of the stream
            await context.write(PONG)

    server = grpc.aio.server()
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {"Play": grpc.stream_stream_rpc_method_handler(play)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.PingPong", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)


async def measure_against(port: int, rounds: int) -> list[float]:
    """Return the seconds of each of *rounds* round trips."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(METHOD)()
        times: list[float] = []
        for _ in range(rounds + 500):
            start = time.perf_counter()
            await call.write(PING)
            await call.read()
            times.append(time.perf_counter() - start)
        await call.done_writing()
    return times[500:]


def measure(rounds: int = 4000) -> list[float]:
    """Return the seconds of each round trip between two processes."""
    command = [sys.executable, "-m", "bench.pingpong"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        times = asyncio.run(measure_against(int(server.stdout.readline()), rounds))
        server.stdin.close()
        server.wait(10)
    return times


if __name__ == "__main__":
    asyncio.run(serve())
