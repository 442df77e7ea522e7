"""How many streams may be open, by address and in all."""

from __future__ import annotations

from contextlib import ExitStack

import grpc
import pytest
from hearts.v1 import referee_service_pb2 as pb

from referee.host.hall import HallConfig, SessionRefused
from referee.transport.doors import RETRY, Doors, StreamLimits, address_of
from tests.transport.referee_client import connected, running


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:10.0.0.1:5000", "10.0.0.1"),
        ("ipv6:[::1]:5000", "::1"),
        ("ipv6:%5B::1%5D:5000", "::1"),
        ("unix:", "unix:"),
    ],
)
def test_addresses(peer: str, address: str) -> None:
    """All ports of an address are one address."""
    assert address_of(peer) == address


def test_streams_are_counted_by_address_and_in_all() -> None:
    """One too many is refused, and there is room again as soon as one ends; nothing is kept of those that are gone."""
    doors = Doors(StreamLimits(streams=3, per_address=2, waiting=1))
    with ExitStack() as stack:
        stack.enter_context(doors.stream("a"))
        with doors.stream("a"), doors.waiting("a"):
            for refused in (doors.stream("a"), doors.waiting("a")):
                with pytest.raises(SessionRefused) as refusal, refused:
                    pass
                assert (refusal.value.reason, refusal.value.retry) == ("TOO_MANY_STREAMS", RETRY)
            stack.enter_context(doors.stream("b"))
            with pytest.raises(SessionRefused), doors.stream("c"):
                pass
        stack.enter_context(doors.stream("a"))
    assert doors.streams == 0
    assert not doors._open
    assert not doors._waiting


async def test_over_the_wire() -> None:
    """A stream too many is refused with a reason and a delay, before anybody asks whose it is; others go on."""
    limits = StreamLimits(per_address=2, waiting=1)
    async with running(streams=limits) as referee, connected(referee, "bot-b0"), connected(referee) as silent:
        await silent.call.wait_for_connection()
        async with connected(referee) as third:
            assert await third.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS", RETRY)
        await silent.hello("bot-b1")
        assert len(referee.hall.presences()) == 2


async def test_messages_may_be_limited_further() -> None:
    """The limit of messages is told, and holds."""
    limits = StreamLimits(message_bytes=5000)
    async with running(streams=limits) as referee, connected(referee) as client:
        welcome = await client.hello("bot-b0")
        assert welcome.max_message_bytes == 5000
        await client.send(b"\x12" + b"\x00" * 5000)
        assert (await client.ended())[:2] == (grpc.StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LARGE")


async def test_a_flood_over_the_wire() -> None:
    """A bot that sends what nobody waits for is told why its stream ends, and when it may come back."""
    async with running(HallConfig(waste_burst=50)) as referee, connected(referee, "bot-b0") as client:
        await client.send(pb.PlayRequest(actions=[pb.Action(seat=1, decision=1)] * 51))
        assert await client.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_MESSAGES", 5.0)
