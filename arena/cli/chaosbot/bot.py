"""The bot: stream after stream, whatever each of them ends with."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Final, NoReturn

import grpc
import grpc.aio
from hearts.v1 import referee_service_pb2 as pb
from hearts_bot.conversation import Endpoint

from arena.cli.chaosbot.hands import KINDS, Hand
from arena.cli.chaosbot.plan import ANSWERS, Plan, Trigger
from arena.cli.chaosbot.relay import Relay

PLAY: Final = "/hearts.v1.RefereeService/Play"
PAUSE: Final = 0.1
"""Seconds before it comes back, whatever it was told."""

STORM: Final = 50
CHILDREN: Final = 3
CHILDREN_AT_ONCE: Final = 30
"""A bot that is asked often, and forks each time, must not fill its own machine."""

HUGE_BYTES: Final = 2 << 20
GARBAGE_BYTES: Final = 60
FLOOD_AT_ONCE: Final = 100
WRONG_VERSION: Final = 99


class _Gone(Exception):
    """The bot has broken its stream."""


class ChaosBot:
    """One bot with one fault. *endpoints* are tried in turn; *relay* stands before them if one is to be cut."""

    def __init__(self, endpoints: list[Endpoint], instance: str, plan: Plan, relay: Relay | None = None) -> None:
        self._endpoints = endpoints
        self._instance = instance
        self._plan = plan
        self._relay = relay
        self._trigger = Trigger(plan)
        self._rng = Random(plan.seed)  # noqa: S311 - it need not be hard to guess
        self._version = 1
        self._hands: dict[int, Hand] = {}
        self._tries = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._call: Any = None
        self._writing = asyncio.Lock()
        self._children: set[int] = set()
        self._faults: dict[str, Callable[[], Awaitable[None]]] = {
            "garbage": self._garbage,
            "huge": self._huge,
            "half": self._half,
            "unread": self._unread,
            "flood": self._flood,
            "disconnect": self._disconnect,
            "storm": self._storm,
            "twin": self._twin,
            "version": self._other_version,
            "exit": self._exit,
            "fork": self._fork,
        }

    async def run(self) -> NoReturn:
        """Play and misbehave until cancelled."""
        while True:
            async with self._channel() as channel:
                self._call = _open(channel)
                with contextlib.suppress(_Gone, grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    await self._converse()
                    _say(f"the stream ended: {await self._call.code()} {await self._call.details()}")
                self._call.cancel()
            await asyncio.sleep(PAUSE)

    def _channel(self) -> grpc.aio.Channel:
        self._tries += 1
        return self._endpoints[self._tries % len(self._endpoints)].channel()

    async def _converse(self) -> None:
        await self._moment("hello")
        await self._write(self._hello())
        while (frame := await self._call.read()) is not grpc.aio.EOF:
            await self._hear(frame)

    async def _hear(self, frame: pb.PlayResponse) -> None:
        request = pb.PlayRequest()
        if frame.HasField("welcome"):
            await self._moment("welcome")
        for opened in frame.opened:
            self._hands[opened.seat] = Hand(opened)
            if not await self._moment("opened"):
                request.ready.add(seat=opened.seat)
        for update in frame.updates:
            if (hand := self._hands.get(update.seat)) is not None:
                hand.hear(update)
                if update.HasField("score"):
                    await self._moment("deal-end")
                if update.decision and update.kind in KINDS:
                    request.actions.extend(await self._decide(hand, update))
        for closed in frame.closed:
            self._hands.pop(closed.seat, None)
        if request.ByteSize():
            await self._write(request)

    async def _decide(self, hand: Hand, update: pb.SeatUpdate) -> list[pb.Action]:
        plan, state = self._plan, KINDS[update.kind]
        if plan.kind in ANSWERS:
            wrong = hand.wrong(plan.kind, update, self._rng)
            if wrong is None or not self._due(state):
                return [hand.answer(update)]
            if plan.kind == "slow":
                self._later(hand.answer(update))
            return [each for each in wrong if each.seat == update.seat or each.seat not in self._hands]
        await self._moment(state)
        return [hand.answer(update)]

    def _later(self, action: pb.Action) -> None:
        call = self._call

        async def answer() -> None:
            await asyncio.sleep(self._plan.delay)
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                if call is self._call:
                    await self._write(pb.PlayRequest(actions=[action]))

        task = asyncio.create_task(answer())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _due(self, state: str) -> bool:
        due = self._trigger.due(state)
        if due:
            _say(f"{self._plan.kind} at {state}")
        return due

    async def _moment(self, state: str) -> bool:
        """Strike if it is time, and return whether the bot keeps silent for it. Raises `_Gone` if that was the end."""
        plan = self._plan
        if plan.kind == "none" or (plan.kind in ANSWERS and state != "opened") or not self._due(state):
            return False
        if plan.kind in ANSWERS:
            return True
        await self._faults[plan.kind]()
        return False

    def _hello(self) -> pb.PlayRequest:
        hello = pb.Hello(protocol_version=self._version, bot_version="chaos/1", instance=self._instance)
        hello.token = self._endpoints[self._tries % len(self._endpoints)].token
        hello.capabilities.max_packs, hello.capabilities.max_players = 2, 11
        return pb.PlayRequest(hello=hello)

    async def _write(self, request: pb.PlayRequest | bytes) -> None:
        async with self._writing:
            await self._call.write(request)

    # --- the faults of a stream

    async def _garbage(self) -> None:
        await self._write(b"\xff\xff\xff\xff" + self._rng.randbytes(GARBAGE_BYTES))

    async def _huge(self) -> None:
        await self._write(b"\x12" + bytes(HUGE_BYTES))

    async def _half(self) -> None:
        if self._relay is not None:
            self._relay.halve()
        await self._write(b"\x12" + bytes(HUGE_BYTES // 4))
        raise _Gone

    async def _unread(self) -> None:
        await asyncio.sleep(self._plan.delay)
        raise _Gone

    async def _flood(self) -> None:
        while not self._call.done():
            for _ in range(FLOOD_AT_ONCE):
                await self._write(b"")
            await asyncio.sleep(0)

    async def _disconnect(self) -> None:
        raise _Gone

    async def _storm(self) -> None:
        self._call.cancel()
        for _ in range(STORM):
            async with self._channel() as channel:
                call = _open(channel)
                with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    await call.write(self._hello())
                    await call.read()
                call.cancel()
        raise _Gone

    async def _twin(self) -> None:
        async with self._channel() as channel:
            call = _open(channel)
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await call.write(self._hello())
                await call.read()
            call.cancel()

    async def _other_version(self) -> None:
        self._version = WRONG_VERSION
        raise _Gone

    async def _exit(self) -> None:
        os._exit(1)

    async def _fork(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGCHLD, self._reap)
        for _ in range(min(CHILDREN, CHILDREN_AT_ONCE - len(self._children))):
            child = os.fork()
            if child == 0:
                _linger(self._plan.delay)
            self._children.add(child)

    def _reap(self) -> None:
        # Several ends may come as one signal, so all children are asked.
        self._children = {child for child in self._children if os.waitpid(child, os.WNOHANG) == (0, 0)}


def _linger(seconds: float) -> NoReturn:
    """Be a child that holds on to what it got from its parent, then end. A signal is for it alone."""
    signal.set_wakeup_fd(-1)  # it is the parent's loop that would hear
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    time.sleep(seconds)
    os._exit(0)


def _open(channel: grpc.aio.Channel) -> Any:  # noqa: ANN401 - of bytes and messages
    return channel.stream_stream(PLAY, request_serializer=_bytes_of, response_deserializer=pb.PlayResponse.FromString)()


def _bytes_of(request: pb.PlayRequest | bytes) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()


def _say(text: str) -> None:
    sys.stderr.write(f"chaos-bot: {text}\n")
