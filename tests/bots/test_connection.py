"""The stream against a real gRPC server that follows a script: reconnects, refusals, silence, farewell."""

from __future__ import annotations

import asyncio
from time import monotonic

import grpc
import pytest
from hearts.v1 import referee_service_pb2 as pb
from hearts_bot.bots.first_legal import FirstLegal
from hearts_bot.conversation import Endpoint
from hearts_bot.session import Session
from hearts_bot.status import BackOff, Ending
from hearts_bot.table import BotFailed

from referee.rules.presets import resolve
from tests.bots.local import opened
from tests.bots.scripted import Stream, connection_to, serving
from tests.bots.test_session import PLAY, Broken, ask

SECONDS = 20.0
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


async def unauthenticated(stream: Stream) -> None:
    """Refuse the token, which ends every test."""
    await stream.abort(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def play_one(stream: Stream) -> None:
    """Open a seat, ask for one card, then go away."""
    await stream.welcome()
    await stream.send(pb.PlayResponse(opened=[opened(resolve("standard"), 0, seat=5)]))
    ready = await stream.receive()
    assert ready is not None
    assert ready.ready[0].seat == 5
    await stream.send(pb.PlayResponse(updates=[ask(5, 1, PLAY, "4C 5C", hand="4C 5C")]))
    answer = await stream.receive()
    assert answer is not None
    assert (
        answer.actions[0].card
        == pb.DESCRIPTOR.pool.FindEnumTypeByName("hearts.v1.Card").values_by_name["CARD_4C"].number
    )
    await stream.abort(UNAVAILABLE, "SHUTTING_DOWN")


async def wait_for_the_end(stream: Stream) -> None:
    """Welcome the bot, and wait until it closes its side."""
    await stream.welcome()
    while await stream.receive() is not None:
        pass


async def test_plays_and_comes_back_until_the_token_does_not_admit() -> None:
    """A lost stream is opened again with the same token and instance, and a refused token ends it all."""
    async with serving(play_one, play_one, unauthenticated) as referee, asyncio.timeout(SECONDS):
        connection = connection_to(referee.address, lambda: Session(FirstLegal))
        ending = await connection.run(asyncio.Event())
    assert ending is not None
    assert ending.unauthenticated
    assert ending.reason == "TOKEN_UNKNOWN"
    assert len(referee.streams) == 3
    assert {(stream.hello.token, stream.hello.instance) for stream in referee.streams} == {("secret", "one")}
    assert connection.session.decisions == 2


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.ABORTED, "SESSION_REPLACED"),
        (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED"),
        (grpc.StatusCode.INVALID_ARGUMENT, "PROTOCOL_VERSION"),
        (grpc.StatusCode.PERMISSION_DENIED, ""),
        (grpc.StatusCode.UNIMPLEMENTED, ""),
    ],
)
async def test_some_endings_are_final(code: grpc.StatusCode, reason: str) -> None:
    """Where coming back is of no use, the connection returns the ending at once."""

    async def refuse(stream: Stream) -> None:
        await stream.welcome()
        await stream.abort(code, reason)

    async with serving(refuse) as referee, asyncio.timeout(SECONDS):
        ending = await connection_to(referee.address, lambda: Session(FirstLegal)).run(asyncio.Event())
    assert ending is not None
    assert (ending.code, ending.reason) == (code, reason)
    assert ending.replaced == (reason == "SESSION_REPLACED")
    assert len(referee.streams) == 1


@pytest.mark.parametrize(
    "code",
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ],
)
async def test_other_endings_are_passing(code: grpc.StatusCode) -> None:
    """After them the bot comes back."""

    async def end(stream: Stream) -> None:
        await stream.abort(code)

    async with serving(end, unauthenticated) as referee, asyncio.timeout(SECONDS):
        ending = await connection_to(referee.address, lambda: Session(FirstLegal)).run(asyncio.Event())
    assert ending is not None
    assert ending.unauthenticated
    assert len(referee.streams) == 2


async def test_a_stream_that_ends_well_is_opened_again() -> None:
    """A referee that just closes the stream is no reason to stop."""

    async def close(stream: Stream) -> None:
        await stream.welcome()

    async with serving(close, unauthenticated) as referee, asyncio.timeout(SECONDS):
        await connection_to(referee.address, lambda: Session(FirstLegal)).run(asyncio.Event())
    assert len(referee.streams) == 2


async def test_the_referee_says_when_to_come_back() -> None:
    """A retry delay is obeyed, though the back-off would be shorter."""

    async def later(stream: Stream) -> None:
        await stream.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_SESSIONS", 0.6)

    async with serving(later, unauthenticated) as referee, asyncio.timeout(SECONDS):
        began = monotonic()
        await connection_to(referee.address, lambda: Session(FirstLegal)).run(asyncio.Event())
        assert monotonic() - began >= 0.6
    assert len(referee.streams) == 2


async def test_a_silent_referee_is_left() -> None:
    """Three heartbeats without a frame, and the bot connects anew."""

    async def fall_silent(stream: Stream) -> None:
        await stream.welcome(heartbeat_millis=50)
        while await stream.receive() is not None:
            pass

    async with serving(fall_silent, unauthenticated) as referee, asyncio.timeout(SECONDS):
        ending = await connection_to(referee.address, lambda: Session(FirstLegal)).run(asyncio.Event())
    assert ending is not None
    assert ending.unauthenticated
    assert len(referee.streams) == 2


async def test_told_to_stop_it_says_farewell() -> None:
    """The bot closes its side of the stream, so that the referee knows at once, and returns without an ending."""
    said_farewell = asyncio.Event()
    welcomed = asyncio.Event()

    async def wait(stream: Stream) -> None:
        welcomed.set()
        await wait_for_the_end(stream)
        said_farewell.set()

    stop = asyncio.Event()
    async with serving(wait) as referee, asyncio.timeout(SECONDS):
        task = asyncio.create_task(connection_to(referee.address, lambda: Session(FirstLegal)).run(stop))
        await welcomed.wait()
        stop.set()
        assert await task is None
        await said_farewell.wait()


async def test_told_to_stop_while_it_waits_to_come_back() -> None:
    """A stop does not wait for the back-off."""

    async def later(stream: Stream) -> None:
        asked.set()
        await stream.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "BUSY", 60.0)

    stop, asked = asyncio.Event(), asyncio.Event()
    async with serving(later) as referee, asyncio.timeout(SECONDS):
        task = asyncio.create_task(connection_to(referee.address, lambda: Session(FirstLegal)).run(stop))
        await asked.wait()
        stop.set()
        assert await task is None


async def test_nobody_there() -> None:
    """With a limit the bot gives up, and says what it last heard."""
    async with serving(wait_for_the_end) as referee:
        address = referee.address
    async with asyncio.timeout(SECONDS):
        connection = connection_to(address, lambda: Session(FirstLegal), give_up_after=0.3)
        ending = await connection.run(asyncio.Event())
    assert ending is not None
    assert ending.code is UNAVAILABLE
    assert not ending.final


async def test_a_strict_bot_that_fails_ends_the_connection() -> None:
    """The failure comes out of `run`, with its cause."""

    async def open_seat(stream: Stream) -> None:
        await stream.welcome()
        await stream.send(pb.PlayResponse(opened=[opened(resolve("standard"), 0)]))
        await stream.receive()

    async with serving(open_seat) as referee, asyncio.timeout(SECONDS):
        with pytest.raises(BotFailed, match="match_started"):
            await connection_to(referee.address, lambda: Session(Broken, strict=True)).run(asyncio.Event())


async def test_an_invitation_is_followed_with_its_ticket() -> None:
    """A second stream goes where the invitation points, with the ticket and never the token, while home stays open."""
    visited = asyncio.Event()

    async def host(stream: Stream) -> None:
        visited.set()
        await wait_for_the_end(stream)

    async with serving(host) as other, asyncio.timeout(SECONDS):

        async def invite(stream: Stream) -> None:
            await stream.welcome()
            await stream.send(pb.PlayResponse(invite=pb.Invite(address=other.address, ticket="good once")))
            await visited.wait()
            await unauthenticated(stream)

        async with serving(invite) as home:
            await connection_to(home.address, lambda: Session(FirstLegal)).run(asyncio.Event())
    assert [stream.hello.token for stream in other.streams] == ["good once"]


@pytest.mark.parametrize(
    ("reason", "level", "words"),
    [("SESSION_REPLACED", "INFO", "another stream of this bot plays there now"), ("DRAINING", "WARNING", "DRAINING")],
)
async def test_how_a_visit_ended_is_told(caplog: pytest.LogCaptureFixture, reason: str, level: str, words: str) -> None:
    """A visit whose place the bot's own home stream has taken is no reason to worry; any other end is a warning."""

    def told() -> list[str]:
        return [record.levelname for record in caplog.records if "the visit to" in record.getMessage()]

    async def host(stream: Stream) -> None:
        await stream.abort(grpc.StatusCode.ABORTED, reason)

    async with serving(host) as other, asyncio.timeout(SECONDS):

        async def invite(stream: Stream) -> None:
            await stream.welcome()
            await stream.send(pb.PlayResponse(invite=pb.Invite(address=other.address, ticket="good once")))
            while not told():
                await asyncio.sleep(0.005)
            await unauthenticated(stream)

        with caplog.at_level("INFO"):
            async with serving(invite) as home:
                await connection_to(home.address, lambda: Session(FirstLegal)).run(asyncio.Event())
    assert told() == [level]
    assert words in caplog.text


def test_tokens_do_not_travel_in_the_clear() -> None:
    """An invited stream is encrypted if the home stream is, whatever the address says; a token is not printed."""
    home = Endpoint("tls://home:1", "secret")
    assert home.invited(pb.Invite(address="away:2", ticket="t")) == Endpoint("tls://away:2", "t")
    assert Endpoint("home:1", "s").invited(pb.Invite(address="away:2", ticket="t")) == Endpoint("away:2", "t")
    assert "secret" not in repr(home)


def test_unreadable_details_are_passed_over() -> None:
    """A trailer that is no status leaves the code to speak for itself."""
    ending = Ending.read(UNAVAILABLE, None, [("grpc-status-details-bin", b"\xff\xff"), ("other", "text")])
    assert (ending.reason, ending.retry_after, ending.final) == ("", None, False)
    assert str(ending) == "UNAVAILABLE: no further word"


def test_back_off_doubles_with_jitter_up_to_a_limit() -> None:
    """Each wait is between half and all of twice the one before, and a reset begins anew."""
    back_off = BackOff(first=1.0, last=8.0)
    for full in (1.0, 2.0, 4.0, 8.0, 8.0):
        assert full / 2 <= back_off.next() <= full
    assert 30.0 <= back_off.next(30.0) <= 36.0
    back_off.reset()
    assert back_off.next() <= 1.0
