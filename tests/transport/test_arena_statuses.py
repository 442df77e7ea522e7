"""Refusals and bad input: the right status with a reason, and never a fault of ours."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from grpc_status import rpc_status
from hearts.v1 import arena_service_pb2 as pb

from arena.errors import ArenaError, Invalid, TooMany, WrongState
from arena.service.people import People
from arena.storage import ports
from arena.storage.connect import open_storage
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import Role
from arena.transport.status import status_of
from referee.rules.variant import VariantError
from referee.transport.errors import status_with
from tests.service.builders import world_on
from tests.transport.arena_client import REQUESTS, Arena, arena_on, reason

CODE = grpc.StatusCode
SERVICE = "hearts.v1.ArenaService"


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (Invalid("a", 1, "2"), CODE.INVALID_ARGUMENT, "INVALID_FIELD"),
        (VariantError("deals", 0, "1"), CODE.INVALID_ARGUMENT, "INVALID_FIELD"),
        (WrongState("draft", "no"), CODE.FAILED_PRECONDITION, "WRONG_STATE"),
        (TooMany("bot", 1, "no"), CODE.RESOURCE_EXHAUSTED, "TOO_MANY"),
        (ports.NotFound("bot", "b"), CODE.NOT_FOUND, "NOT_FOUND"),
        (ports.AlreadyExists("bot", "b"), CODE.ALREADY_EXISTS, "ALREADY_EXISTS"),
        (ports.StaleState("x"), CODE.ABORTED, "CHANGED_MEANWHILE"),
        (ports.FenceLost("x"), CODE.ABORTED, "CHANGED_MEANWHILE"),
        (ports.StorageUnavailable("x"), CODE.UNAVAILABLE, "STORAGE_UNAVAILABLE"),
        (ports.StorageUnfit("x"), CODE.UNAVAILABLE, "STORAGE_UNFIT"),
        (ports.Damaged("x", "y"), CODE.DATA_LOSS, "STORED_DAMAGED"),
    ],
)
def test_the_map(error: Exception, code: grpc.StatusCode, told: str) -> None:
    """Every refusal has its code and its reason."""
    status = status_of(error)
    assert status is not None
    assert status.code is code
    ((_, details),) = status.trailing_metadata
    info = error_details_pb2.ErrorInfo()
    assert rpc_status.status_pb2.Status.FromString(details).details[0].Unpack(info)
    assert info.reason == told


@pytest.mark.parametrize("error", [KeyError("x"), AssertionError(), ArenaError("x"), RuntimeError("x")])
def test_our_own_faults_have_no_status(error: Exception) -> None:
    """What is not in the map is nobody's business but ours."""
    assert status_of(error) is None


async def test_our_own_faults_tell_nothing(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug becomes INTERNAL without detail, and is counted."""

    async def broken(*_: object) -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(People, "owners", broken)
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await arena.call("ListOwners", pb.ListOwnersRequest())
    assert (failed.value.code(), reason(failed.value)) == (CODE.INTERNAL, "INTERNAL")
    assert "42" not in str(failed.value.details())
    assert arena.tally.calls["ListOwners", "INTERNAL"] == 1


@pytest.mark.parametrize("method", sorted(REQUESTS))
async def test_bytes_that_are_no_message(arena: Arena, method: str) -> None:
    """Garbage is the caller's fault."""
    make: Callable[..., Any] = arena.channel.unary_unary
    if method in ("WatchTournament", "ListRecords"):
        make = arena.channel.unary_stream
    call = make(f"/{SERVICE}/{method}", request_serializer=bytes, response_deserializer=bytes)(b"\xff\xff\xff")
    assert await call.code() is CODE.INVALID_ARGUMENT


async def test_an_unknown_method_and_too_large_a_message(arena: Arena) -> None:
    """An unknown method is UNIMPLEMENTED, a message over the limit RESOURCE_EXHAUSTED."""
    call = arena.channel.unary_unary(f"/{SERVICE}/Cheat", request_serializer=bytes, response_deserializer=bytes)(b"")
    assert await call.code() is CODE.UNIMPLEMENTED
    large = pb.CreateOwnerRequest(name="x" * (2 << 20))
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await arena.stub.CreateOwner(large)
    assert failed.value.code() is CODE.RESOURCE_EXHAUSTED


TEXTS = ("", "cup", "standard", "a|b", "\x00", "ä" * 70, "x" * 5000, "t_x.1", "../etc", "%s", "9" * 400, "o_x", "*")
NUMBERS = (0, 1, 2, 3, 5, 16, 10_000, 2**31 - 1, 2**32 - 1)


def scramble(message: Message, rng: random.Random) -> None:
    """Fill *message* with values of the right types that make little sense."""
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.5:
            _scramble_field(message, field, rng)


def _scramble_field(message: Message, field: Any, rng: random.Random) -> None:  # noqa: ANN401 - a descriptor of either kind
    here = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        for _ in range(rng.randrange(3)):
            here[rng.choice(["target", "deals", "players", "moon_value", "stripped", *TEXTS])] = rng.choice(TEXTS)
    elif field.message_type is not None:
        here.SetInParent()
        scramble(here, rng)
    elif field.is_repeated:
        here.extend(rng.choice(NUMBERS) for _ in range(rng.randrange(3)))
    else:
        setattr(message, field.name, rng.choice(VALUES[field.cpp_type]))


VALUES: dict[int, tuple[object, ...]] = {
    FieldDescriptor.CPPTYPE_STRING: TEXTS,
    FieldDescriptor.CPPTYPE_BOOL: (False, True),
    FieldDescriptor.CPPTYPE_ENUM: (0, 1, 2, 3, 4, 5, 99, -1),
    FieldDescriptor.CPPTYPE_UINT64: (*NUMBERS, 2**64 - 1),
    FieldDescriptor.CPPTYPE_INT64: (*NUMBERS, -1, 2**63 - 1, -(2**63)),
    FieldDescriptor.CPPTYPE_INT32: (0, 1, -1, 999_999_999, 2**31 - 1, -(2**31)),
    FieldDescriptor.CPPTYPE_UINT32: NUMBERS,
}


@pytest.mark.parametrize("seed", range(4))
async def test_no_input_is_our_fault(arena: Arena, seed: int) -> None:
    """Whatever is asked of any method, by whatever role, the answer is never INTERNAL nor UNKNOWN."""
    rng = random.Random(seed)
    for _ in range(60):
        method = rng.choice(sorted(REQUESTS.keys() - {"WatchTournament"}))
        request = REQUESTS[method]()
        scramble(request, rng)
        if isinstance(request, pb.CreateTournamentRequest) and rng.random() < 0.5:
            request.spec.name = f"cup-{rng.randrange(10**9)}"
        code, _ = await arena.status(method, request, arena.secrets[rng.choice(list(Role))])
        assert code not in (CODE.INTERNAL, CODE.UNKNOWN, CODE.DEADLINE_EXCEEDED), (method, request)


async def test_health_and_reflection(arena: Arena) -> None:
    """Health and reflection answer without a token, and name the service."""
    health = health_pb2_grpc.HealthStub(arena.channel)
    answer = await health.Check(health_pb2.HealthCheckRequest(service=SERVICE))
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    call = arena.channel.stream_stream(
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    listed: Any = await call.read()
    assert SERVICE in [service.name for service in listed.list_services_response.service]
    call.cancel()


async def test_storage_away(own_valkey: EmbeddedValkey) -> None:
    """Without storage every call is UNAVAILABLE, with the time after which to try again."""
    storage = await open_storage(own_valkey.url)
    async with arena_on(world_on(storage)) as arena:
        own_valkey.stop()
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await arena.call("ListOwners", pb.ListOwnersRequest())
        assert (failed.value.code(), reason(failed.value)) == (CODE.UNAVAILABLE, "STORAGE_UNAVAILABLE")
    await storage.aclose()


HOSTILE = ("\U0001f0a1" * 200_000, "\x1b]0;x\x07\n" * 30, "x" * 900_000)


def texts_in(message: Message) -> Iterator[tuple[Message, str]]:
    """Yield every text that *message*, or a message in it, may hold: the message and the name of the field."""
    for field in message.DESCRIPTOR.fields:
        if field.is_repeated:
            continue
        if field.type == field.TYPE_STRING:
            yield message, field.name
        elif field.message_type is not None:
            yield from texts_in(getattr(message, field.name))


@pytest.mark.parametrize("text", HOSTILE, ids=["wide", "control", "long"])
@pytest.mark.parametrize("method", sorted(REQUESTS))
async def test_any_text_anywhere_gets_its_answer(method: str, text: str, arena: Arena) -> None:
    """Whatever a text holds, the refusal fits into what gRPC lets through: it is never a failure of the transport."""
    for place in range(len(list(texts_in(REQUESTS[method]())))):
        request = REQUESTS[method]()
        message, field = list(texts_in(request))[place]
        setattr(message, field, text)
        code, _ = await arena.status(method, request)
        assert code in {CODE.OK, CODE.INVALID_ARGUMENT, CODE.NOT_FOUND}, (field, code)


@pytest.mark.parametrize("text", HOSTILE, ids=["wide", "control", "long"])
async def test_options_of_any_text_are_refused(text: str, arena: Arena) -> None:
    """So are names and values of options, both at once."""
    for options in ({text: "1"}, {"target": text}, {"scoring": text}, {text[:100_000]: text[:100_000]}):
        spec = pb.TournamentSpec(name="cup", options=options)
        refused = await arena.status("CreateTournament", pb.CreateTournamentRequest(spec=spec))
        assert refused == (CODE.INVALID_ARGUMENT, "INVALID_FIELD")


@pytest.mark.parametrize("letter", ["x", "\n", "\u00fc", "\U0001f0a1", "\ud800"])
def test_every_refusal_fits_into_trailers(letter: str) -> None:
    """Text and details are cut by what they take there, percents and all, not by their letters."""
    long = letter * 100_000
    status = status_with(CODE.INVALID_ARGUMENT, "X", long, metadata=dict.fromkeys(("field", "value", "allowed"), long))
    ((_, details),) = status.trailing_metadata
    assert len(quote(status.details)) + len(details) * 4 / 3 < 8000
    assert status.details
