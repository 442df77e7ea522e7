"""Encryption at both edges: whom it lets in, what a stranger gets, and how certificates are renewed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hearts_bot.secure import credentials

from arena.storage.connect import Storage
from arena.transport.interceptor import EdgeTally
from arena.transport.server import serve as serve_api
from referee.host.hall import Hall, HallConfig
from referee.host.metrics import HostMetrics
from referee.transport.server import serve as serve_referee
from referee.transport.tls import Certificates, UnfitCertificate
from tests.host.world import Sink
from tests.service.builders import world_on
from tests.support.certificates import Papers
from tests.transport.referee_client import Door

OK = grpc.StatusCode.OK
NO = grpc.StatusCode.UNAVAILABLE


async def knock(port: int, trust: grpc.ChannelCredentials | None) -> grpc.StatusCode:
    """Ask a server for its health, encrypted if there is somebody to trust, and return the status."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    address = f"127.0.0.1:{port}"
    channel = (
        grpc.aio.insecure_channel(address, options)
        if trust is None
        else grpc.aio.secure_channel(address, trust, options)
    )
    async with channel:
        try:
            await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=10)
        except grpc.aio.AioRpcError as error:
            return error.code()
    return OK


async def edges(storage: Storage, certificates: Certificates) -> AsyncIterator[int]:
    """Run the API, then a referee, and give their ports."""
    api = await serve_api(world_on(storage).control.use_cases, EdgeTally(), "127.0.0.1", 0, certificates)
    yield api.port
    await api.stop(0)
    hall = Hall(Door(), Sink(), HallConfig(), HostMetrics())
    referee = await serve_referee(hall, "127.0.0.1", 0, certificates)
    yield referee.port
    await referee.stop(0)


async def test_a_network_cannot_read_or_change_what_is_said(storage: Storage, papers: Papers) -> None:
    """Both ports speak to who trusts their authority, and neither in the clear nor as a server that is not trusted."""
    stranger = Papers(papers.folder / "stranger")
    async for port in edges(storage, papers.certificates()):
        assert await knock(port, credentials(papers.environ())) is OK
        assert await knock(port, None) is NO
        assert await knock(port, credentials(stranger.environ())) is NO


async def test_who_has_no_certificate_is_not_let_in(storage: Storage, papers: Papers) -> None:
    """With an authority for clients, both ports answer those only whom it has given a certificate."""
    stranger = Papers(papers.folder / "stranger")
    forged = papers.environ() | {key: value for key, value in stranger.environ(client=True).items() if "CA" not in key}
    async for port in edges(storage, papers.certificates(ask_clients=True)):
        assert await knock(port, credentials(papers.environ(client=True))) is OK
        assert await knock(port, credentials(papers.environ())) is NO
        assert await knock(port, credentials(forged)) is NO


async def test_a_renewed_certificate_is_used_without_a_restart(storage: Storage, papers: Papers) -> None:
    """The next handshake after the files have changed is made with what they hold."""
    async for port in edges(storage, papers.certificates()):
        assert await knock(port, credentials(papers.environ())) is OK
        new = grpc.ssl_channel_credentials(papers.renew())
        assert await knock(port, new) is OK
        assert await knock(port, credentials(papers.environ())) is NO
        papers.ca.write_bytes(papers.renew())


async def test_half_a_renewal_changes_nothing(storage: Storage, papers: Papers) -> None:
    """While certificate and key do not belong together, or are gone, the last good pair serves on."""
    async for port in edges(storage, papers.certificates()):
        kept = [file.read_bytes() for file in papers.server]
        for spoil in (
            lambda: papers.server[1].write_bytes(papers.client[1].read_bytes()),
            lambda: papers.server[0].write_bytes(b"nonsense"),
            papers.server[0].unlink,
        ):
            spoil()
            assert await knock(port, credentials(papers.environ())) is OK
        for file, data in zip(papers.server, kept, strict=True):
            file.write_bytes(data)


@pytest.mark.parametrize("file", ["missing", "nonsense", "other key", "half a key", "client authority"])
def test_unfit_files_are_refused_with_their_names(file: str, papers: Papers) -> None:
    """A certificate that cannot serve is refused at the start, and the message names the file."""
    chain, key = papers.server
    ca: Path | None = None
    match file:
        case "missing":
            key.unlink()
        case "nonsense":
            chain.write_bytes(b"nonsense")
        case "other key":
            key.write_bytes(papers.client[1].read_bytes())
        case "half a key":
            os.truncate(key, 40)
        case _:
            ca = papers.folder / "none.pem"
            ca.write_bytes(b"nonsense")
    with pytest.raises(UnfitCertificate, match=str(ca or papers.folder)):
        Certificates(chain, key, ca)
