"""The Play stream over real gRPC: what ends it, with which status, and that nothing a bot sends hurts others."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import grpc
import pytest
from hearts.v1 import referee_service_pb2 as pb

from referee.host.hall import HallConfig
from referee.host.ports import AdmissionUnavailable, BotIdentity, Clock, MatchOrder
from referee.host.session import FRAME_ITEMS, End, Note
from referee.rules.play import Violation
from referee.transport import servicer
from referee.transport.reasons import CODES, RETRY_SECONDS
from referee.transport.servicer import GRPC_TIMES, MAX_MESSAGE_BYTES
from tests.host.world import assert_record, order_of, two_deals
from tests.support.waiting import until
from tests.transport.referee_client import Client, Referee, connected, first, running

BOTS = ("b0", "b1", "b2", "b3")


async def play_out(referee: Referee, order: MatchOrder, clients: list[Client]) -> None:
    """Let *clients* play until the match is over for each, and check the record."""
    async with asyncio.timeout(30):
        await asyncio.gather(*(client.play_out() for client in clients))
    assert_record(order, referee.sink.outcomes[order.match])


async def test_a_match_over_the_wire() -> None:
    """Four bots are welcomed, seated with rules, clock and seed, play, and are told the result."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = []
        for name in BOTS:
            client = await stack.enter_async_context(connected(referee))
            welcome = await client.hello(f"bot-{name}", max_tables=7, bot_version="1")
            assert (welcome.bot, welcome.bot_name, welcome.max_tables) == (name, f"bot-{name}", 7)
            assert welcome.max_message_bytes == MAX_MESSAGE_BYTES
            assert (welcome.heartbeat_millis, welcome.reconnect_grace_millis) == (15_000, 20_000)
            clients.append(client)
        order = order_of(two_deals("classic", 4), reveal_opponents=True)
        referee.hall.host(order)
        await play_out(referee, order, clients)
        outcome = referee.sink.outcomes[order.match]
        for position, client in enumerate(clients):
            (opened,) = client.opened
            assert opened.position == position
            assert opened.bot_seed == order.seats[position].bot_seed
            assert opened.rules.players == 4
            assert list(opened.opponents) == [seat.name for seat in order.seats]
            assert (opened.clock.decision_millis, opened.ready_millis) == (2000, 30_000)
            (closed,) = client.closed
            assert closed.reason == pb.CLOSE_REASON_FINISHED
            assert tuple(closed.totals) == outcome.totals
            assert tuple(closed.places) == outcome.places
        assert outcome.versions == ("1",) * 4
        assert not outcome.faults[0]


GARBAGE = [b"\xff\xff\xff\xff", b"\x0a\x02\x0a", b"\x0a\x04\x0a\x02\xff\xfe"]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.PlayRequest(), "HELLO_EXPECTED"),
        (pb.PlayRequest(hello=pb.Hello(protocol_version=1), ready=[pb.Ready(seat=1)]), "HELLO_ALONE"),
        (first("bot-x", protocol_version=7), "PROTOCOL_VERSION"),
        (first("bot-x", instance="\n"), "BAD_LABEL"),
        (pb.PlayRequest(hello=pb.Hello(protocol_version=1)), "TOKEN_MISSING"),
        (first("guess"), "TOKEN_UNKNOWN"),
        *((garbage, "NOT_A_REQUEST") for garbage in GARBAGE),
        (b"\x0a" + b"\x00" * MAX_MESSAGE_BYTES, "MESSAGE_TOO_LARGE"),
    ],
)
async def test_first_messages_that_are_refused(request_: pb.PlayRequest | bytes, reason: str) -> None:
    """A stream that begins wrongly ends with the status and the reason that name what is wrong."""
    async with running() as referee, connected(referee) as client:
        await client.send(request_)
        assert await client.ended() == (CODES[reason], reason, RETRY_SECONDS.get(reason))
        assert referee.hall.presences() == {}


@pytest.mark.parametrize(
    ("later", "reason"),
    [
        (first("bot-b0"), "HELLO_TWICE"),
        *((garbage, "NOT_A_REQUEST") for garbage in GARBAGE),
        (b"\x0a" + b"\x00" * MAX_MESSAGE_BYTES, "MESSAGE_TOO_LARGE"),
    ],
)
async def test_later_messages_that_are_refused(later: pb.PlayRequest | bytes, reason: str) -> None:
    """A stream that goes wrong later ends likewise; its seats have a fault, and its bot may come back to them."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS]
        order = order_of()
        referee.hall.host(order)
        await clients[0].send(later)
        assert await clients[0].ended() == (CODES[reason], reason, RETRY_SECONDS.get(reason))
        clients[0] = await stack.enter_async_context(connected(referee, "bot-b0"))
        await play_out(referee, order, clients)
        assert clients[0].opened[0].snapshot
        outcome = referee.sink.outcomes[order.match]
        assert outcome.faults == ({"protocol": 1}, {}, {}, {})
        (entry,) = outcome.ledger
        assert (entry.position, entry.kind, entry.decision, entry.expected) == (0, "protocol", "ready", "ready")
        assert entry.came


async def test_a_message_beyond_what_grpc_takes() -> None:
    """A message far beyond the limit is refused by gRPC itself, and costs nothing but the stream."""
    async with running() as referee, connected(referee, "bot-b0") as client:
        await client.send(b"\x0a" + b"\x00" * GRPC_TIMES * MAX_MESSAGE_BYTES)
        code, reason, _ = await client.ended()
        assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "")

        async def gone() -> bool:
            return referee.hall.presences() == {}

        await until(gone)


async def test_no_hello_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream on which nothing is said is ended."""
    monkeypatch.setattr(servicer, "HELLO_SECONDS", 0.1)
    async with running() as referee, connected(referee) as client:
        assert (await client.ended())[:2] == (grpc.StatusCode.INVALID_ARGUMENT, "HELLO_EXPECTED")


async def test_a_stream_that_ends_before_hello() -> None:
    """A bot that closes its side at once is told what was expected."""
    async with running() as referee, connected(referee) as client:
        await client.call.done_writing()
        assert (await client.ended())[:2] == (grpc.StatusCode.INVALID_ARGUMENT, "HELLO_EXPECTED")


async def test_a_bot_that_closes_its_side_in_order() -> None:
    """A bot that has nothing more to say ends its stream with OK."""
    async with running() as referee, connected(referee, "bot-b0") as client:
        await client.call.done_writing()
        assert await client.ended() == (grpc.StatusCode.OK, "", None)


async def test_nobody_can_be_asked_who_this_is() -> None:
    """While storage is away a bot is asked to come back, not told that its token is wrong."""

    class Away:
        async def admit(self, token: str) -> BotIdentity:
            """Know nobody."""
            raise AdmissionUnavailable("storage is away")

    async with running(door=Away()) as referee, connected(referee) as client:
        await client.send(first("bot-x"))
        assert await client.ended() == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", 1.0)


async def test_an_error_of_ours_is_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """An exception of the referee ends the stream as INTERNAL and is logged without the token."""

    class Broken:
        async def admit(self, token: str) -> BotIdentity:
            """Fail."""
            raise ZeroDivisionError("a bug")

    async with running(door=Broken()) as referee, connected(referee) as client:
        await client.send(first("bot-secret"))
        assert await client.ended() == (grpc.StatusCode.INTERNAL, "INTERNAL", 1.0)
    logged = capsys.readouterr().out
    assert "ZeroDivisionError" in logged
    assert "bot-secret" not in logged


async def test_refusals_that_are_worth_repeating() -> None:
    """Too many sessions, and a referee that drains, say when to come back."""
    async with running(HallConfig(sessions_per_bot=1)) as referee, connected(referee, "bot-b0"):
        async with connected(referee) as other:
            await other.send(first("bot-b0", instance="2"))
            assert await other.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_SESSIONS", 30.0)
        await referee.hall.drain(0.1)
        async with connected(referee) as other:
            await other.send(first("bot-b1"))
            assert await other.ended() == (grpc.StatusCode.UNAVAILABLE, "DRAINING", 5.0)


async def test_the_same_instance_again() -> None:
    """A second process of the same instance takes the seats over; the first is told and stays out."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS]
        order = order_of()
        referee.hall.host(order)
        first = clients[0]
        clients[0] = await stack.enter_async_context(connected(referee, "bot-b0"))
        assert (await first.ended())[:2] == (grpc.StatusCode.ABORTED, "SESSION_REPLACED")
        await play_out(referee, order, clients)


async def test_a_revoked_token() -> None:
    """The streams of a bot can be ended from our side with a reason."""
    async with running() as referee, connected(referee, "bot-b0") as client:
        (bot,) = referee.hall.presences()
        referee.hall.end_bot(bot, End("TOKEN_REVOKED", "revoked"))
        assert await client.ended() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED", None)


async def test_a_stream_cut_in_mid_match() -> None:
    """A bot whose connection breaks in mid-deal comes back to a snapshot and its decision, and ends the match."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS]
        order = order_of()
        referee.hall.host(order)
        others = [asyncio.create_task(client.play_out()) for client in clients[1:]]
        number = 0
        while number < 5:
            frame = await clients[0].read()
            request = clients[0].answers_to(frame)
            number = max(clients[0].open.values(), default=0)
            if number < 5 and request.ByteSize():
                await clients[0].send(request)
        await clients[0].close()
        again = await stack.enter_async_context(connected(referee, "bot-b0"))
        frame = await again.read()
        assert frame.opened[0].snapshot
        assert frame.updates[0].snapshot
        assert frame.updates[0].decision == 5
        assert len(frame.updates[0].deal.hand) == 13
        await again.send(again.answers_to(frame))
        await again.play_out()
        await asyncio.gather(*others)
        assert_record(order, referee.sink.outcomes[order.match])
        assert referee.sink.outcomes[order.match].faults == ({},) * 4


async def test_wrong_answers_cost_their_bot_only() -> None:
    """Wrong cards, foreign seats and answers nobody asked for are refused or ignored; the stream lives on."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS]
        order = order_of(fault_limit=3)
        referee.hall.host(order)
        bad = clients[0]
        others = [asyncio.create_task(client.play_out()) for client in clients[1:]]
        while not bad.closed:
            request = bad.answers_to(await bad.read())
            for action in request.actions:
                del action.cards[:]
                action.card = 77  # type: ignore[assignment]
            request.actions.add(seat=2**64 - 1, decision=2**32 - 1, card=2**31 - 1)
            request.ready.add(seat=12345)
            request.leaves.add(seat=12345)
            await bad.send(request)
        await asyncio.gather(*others)
        outcome = referee.sink.outcomes[order.match]
        assert_record(order, outcome)
        assert outcome.faults[0] == {"protocol": 3}
        assert outcome.faults[1:] == ({}, {}, {})
        assert [(rejection.reason, rejection.rule) for rejection in bad.rejections] == [("WRONG_FORM", 27)] * 3
        assert {notice.code for notice in bad.notices} == {"PROTOCOL", "AUTOPILOT"}


async def test_a_rejection_names_the_rule_by_name_and_number() -> None:
    """Cards that are in the pack but may not be played are refused by the rule that they break."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS]
        order = order_of(fault_limit=50)
        referee.hall.host(order)
        bad = clients[0]
        others = [asyncio.create_task(client.play_out()) for client in clients[1:]]
        while not bad.closed:
            request = bad.answers_to(await bad.read())
            for action in request.actions:
                if action.card:
                    action.card = action.card % 52 + 1  # type: ignore[assignment]
            await bad.send(request)
        await asyncio.gather(*others)
        rules = {violation.name: violation.rule for violation in Violation}
        assert {rejection.reason for rejection in bad.rejections} >= {"NOT_IN_HAND"}
        assert [rejection.rule for rejection in bad.rejections] == [rules[each.reason] for each in bad.rejections]
        assert_record(order, referee.sink.outcomes[order.match])


async def test_a_silent_bot_is_timed_out_by_the_real_clock() -> None:
    """A bot that never answers loses its decisions in time, and the match ends for the others."""
    async with running() as referee, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS]
        order = order_of(clock=Clock(decision=0.05, bank=0.05, network=0.02), fault_limit=2)
        referee.hall.host(order)
        await clients[0].send(clients[0].answers_to(await clients[0].read()))  # ready, and then silence
        async with asyncio.timeout(20):
            await asyncio.gather(*(client.play_out() for client in clients[1:]))
        outcome = referee.sink.outcomes[order.match]
        assert_record(order, outcome)
        assert outcome.faults == ({"timeout": 2}, {}, {}, {})


async def test_a_bot_that_does_not_read() -> None:
    """A stream that fills up is ended, so that the seats of its bot go to substitutes and no table waits for it."""
    async with running(HallConfig(stall=0.3)) as referee, connected(referee, "bot-b0") as client:
        (sessions,) = referee.hall._sessions.values()
        (session,) = sessions.values()
        text = "x" * 1000

        async def ended() -> bool:
            session.notes += [Note("FILL", text)] * 800
            session.wake()
            return session.end is not None

        await until(ended, timeout=20.0)
        assert session.end is not None
        assert session.end.reason == "STREAM_STALLED"
        assert referee.hall.presences() == {}
        assert (await client.ended())[1] in ("STREAM_STALLED", "")


async def test_one_decision_at_a_time_at_many_tables() -> None:
    """A bot that wants one decision at a time gets the next when it has answered, not at the next heartbeat."""
    async with running(HallConfig(heartbeat=300.0)) as referee, AsyncExitStack() as stack:
        serial = await stack.enter_async_context(connected(referee, "bot-b0", max_open_decisions=1))
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}")) for name in BOTS[1:]]
        for number in range(8):
            referee.hall.host(order_of(two_deals(deals=1), f"m{number}"))
        async with asyncio.timeout(20):
            await asyncio.gather(*(client.play_out(8) for client in (serial, *clients)))
        assert all(outcome.faults == ({},) * 4 for outcome in referee.sink.outcomes.values())


async def test_many_seats_at_once_fit_into_frames() -> None:
    """A bot that comes back to a thousand seats is sent them in frames below the limit of a message."""
    async with running() as referee, AsyncExitStack() as stack:
        wishes = {"max_tables": 1000, "max_open_decisions": 4096}
        clients = [await stack.enter_async_context(connected(referee, f"bot-{name}", **wishes)) for name in BOTS]
        for number in range(600):
            referee.hall.host(order_of(two_deals(deals=1), f"m{number}", reveal_opponents=True))
        await clients[0].close()
        again = await stack.enter_async_context(connected(referee, "bot-b0", **wishes))
        largest = 0
        while len(again.opened) < 600:
            frame = await again.read()
            largest = max(largest, len(frame.opened))
            assert frame.ByteSize() < MAX_MESSAGE_BYTES // 2
            again.answers_to(frame)
        assert largest == FRAME_ITEMS
