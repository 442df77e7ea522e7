"""The gRPC server of one referee: the Play stream, health and reflection."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from functools import partial
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from hearts.v1 import referee_service_pb2 as pb

from referee.host.hall import Hall
from referee.host.session import End
from referee.transport.doors import StreamLimits
from referee.transport.gate import Gate
from referee.transport.servicer import GRPC_TIMES, MAX_MESSAGE_BYTES, RefereeServicer, parse_request
from referee.transport.tls import Certificates

SERVICE: Final = pb.DESCRIPTOR.services_by_name["RefereeService"].full_name

CONNECTIONS: Final[Sequence[tuple[str, int]]] = (
    # Clients may ping as often as every ten seconds, also while they wait for a table.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.so_reuseport", 0),
    # A connection that does not speak HTTP/2 soon is closed, and after a while one that has no stream.
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 60_000),
    ("grpc.max_concurrent_streams", 1_000),
)
"""What holds for the connections of both edges: one that is dead or does nothing is given up."""

OPTIONS: Final[Sequence[tuple[str, int]]] = (("grpc.max_send_message_length", MAX_MESSAGE_BYTES), *CONNECTIONS)


class CannotListen(OSError):
    """The address cannot be listened on, for a reason that the system gives."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"cannot listen on {address}: {why}")
        self.address = address


class AddressInUse(CannotListen):
    """Somebody listens there already."""

    def __init__(self, address: str) -> None:
        super().__init__(address, "is another server running there? choose another port")


class RefereeServer:
    """A server that listens on `port`."""

    def __init__(self, hall: Hall, server: grpc.aio.Server, status: health.aio.HealthServicer, port: int) -> None:
        self._hall = hall
        self._server = server
        self._status = status
        self.port = port

    async def stop(self, grace: float) -> None:
        """End all sessions, and close the port; streams get *grace* seconds to end by themselves."""
        await self._status.enter_graceful_shutdown()
        for bot in list(self._hall.presences()):
            self._hall.end_bot(bot, End("SHUTTING_DOWN", "the referee goes away: come back after a while"))
        await self._server.stop(grace)


def refusal(host: str, port: int, error: OSError | UnicodeError) -> CannotListen:
    """Return what *error*, met when listening on *host* and *port*, means."""
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if isinstance(error, UnicodeError):
        why: object = "this is no name of a host"
    elif error.errno == errno.EADDRINUSE:
        return AddressInUse(address)
    else:
        why = error.strerror or error
    return CannotListen(address, f"{why}; choose an address and a port that this machine may use")


def _try(host: str, port: int) -> None:
    """Raise `CannotListen` if no socket can listen there: gRPC would tell the reason to stderr only."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except (OSError, UnicodeError) as error:
        raise refusal(host, port, error) from None


def listen(server: grpc.aio.Server, host: str, port: int, certificates: Certificates | None) -> int:
    """Let *server* listen, encrypted if there are *certificates*, and return the port; raise `CannotListen`."""
    _try(host.strip("[]"), port)
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        if certificates is None:
            bound = server.add_insecure_port(address)
        else:
            bound = server.add_secure_port(address, certificates.for_grpc())
    except RuntimeError:
        raise AddressInUse(address) from None
    if bound == 0:
        raise AddressInUse(address)
    return bound


async def serve(
    hall: Hall,
    host: str,
    port: int,
    certificates: Certificates | None = None,
    limits: StreamLimits = StreamLimits(),  # noqa: B008 - frozen
) -> RefereeServer:
    """Listen on *host* and *port* (0: any free one), encrypted if there are *certificates*, or raise `CannotListen`."""
    most = ("grpc.max_receive_message_length", GRPC_TIMES * limits.message_bytes)
    server = grpc.aio.server(interceptors=[Gate({SERVICE: None})], options=[most, *OPTIONS])
    servicer = RefereeServicer(hall, limits)
    handler: grpc.RpcMethodHandler[pb.PlayRequest, bytes] = grpc.stream_stream_rpc_method_handler(
        servicer.play,
        request_deserializer=partial(parse_request, most=limits.message_bytes),
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
    status = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    for name in ("", SERVICE):
        await status.set(name, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    bound = listen(server, host, port, certificates)
    await server.start()
    return RefereeServer(hall, server, status, bound)
