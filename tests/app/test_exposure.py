"""What is shown to the network, and what is refused to be."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import replace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from arena.app.exposure import announced, certificates_of, https, is_loopback, warn_of_exposure
from arena.app.http import MetricsServer
from arena.config import Config
from arena.errors import ConfigError
from tests.support.certificates import Papers

ANYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound


@pytest.mark.parametrize("host", [ANYWHERE, "::", "10.0.0.1", "games.example.org", "fe80::1", ""])
def test_no_public_address_without_a_certificate(host: str, papers: Papers) -> None:
    """An address that others reach is refused in the clear, unless that is wanted; with a certificate it is fine."""
    config = Config(host=host)
    with pytest.raises(ConfigError, match=r"ARENA_HOST.*--tls-cert.*arena cert.*--insecure"):
        certificates_of(config)
    assert certificates_of(replace(config, insecure=True)) is None
    chain, key = map(str, papers.server)
    assert certificates_of(replace(config, tls_cert=chain, tls_key=key)) is not None


@pytest.mark.parametrize(
    ("settings", "told", "events"),
    [
        ({"host": ANYWHERE, "insecure": True}, "127.0.0.1:7071", ["not_encrypted", "not_advertised"]),
        ({"host": ANYWHERE, "insecure": True}, "games.example.org:7071", ["not_encrypted"]),
        ({"host": ANYWHERE, "tls_cert": "c", "tls_key": "k"}, "tls://127.0.0.1:7071", ["not_advertised"]),
        ({"host": "10.0.0.1", "tls_cert": "c", "tls_key": "k"}, "tls://10.0.0.1:7071", []),
        ({}, "127.0.0.1:7071", []),
        ({"host": ANYWHERE, "tls_cert": "c", "tls_key": "k"}, "", []),
    ],
)
def test_what_was_perhaps_not_meant_is_logged(settings: dict[str, Any], told: str, events: list[str]) -> None:
    """Clear text that others reach is warned of, and so is an address that bots are told and cannot reach."""
    with capture_logs() as lines:
        warn_of_exposure(replace(Config(), **settings), told)
    assert [line["event"] for line in lines] == events


def test_this_machine_alone_needs_no_certificate() -> None:
    """Loopback is the default, and is served in the clear."""
    for host in (Config().host, "127.8.9.1", "::1", "[::1]", "localhost"):
        assert is_loopback(host)
        assert certificates_of(Config(host=host)) is None


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"tls_key": "k"}, "ARENA_TLS_KEY"),
        ({"tls_client_ca": "c"}, "ARENA_TLS_CLIENT_CA"),
        ({"tls_cert": "c"}, "ARENA_TLS_KEY"),
        ({"tls_cert": "/none.pem", "tls_key": "/none.key"}, "ARENA_TLS_CERT.*none.pem.*No such file"),
    ],
)
def test_half_a_setting_is_refused(settings: dict[str, str], variable: str) -> None:
    """Certificate and key go together, and have to be there; what is missing is never made up for with clear text."""
    with pytest.raises(ConfigError, match=variable):
        certificates_of(replace(Config(), **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("tls_cert", r"ARENA_TLS_CERT: .*key values mismatch|no certificate and its key"),
        ("tls_key", r"ARENA_TLS_KEY: /none\.pem cannot be read: No such file"),
        ("tls_client_ca", r"ARENA_TLS_CLIENT_CA: .*ca\.key holds no certificates"),
    ],
)
def test_the_setting_that_is_wrong_is_named(setting: str, told: str, papers: Papers) -> None:
    """Of three files the one that cannot be used is named, by its variable."""
    chain, key = map(str, papers.server)
    authority = papers.ca.with_name("ca.key")
    authority.write_bytes(papers.server[1].read_bytes())
    wrong = {"tls_cert": key, "tls_key": "/none.pem", "tls_client_ca": str(authority)}
    settings = {"tls_cert": chain, "tls_key": key} | {setting: wrong[setting]}
    with pytest.raises(ConfigError, match=told):
        certificates_of(replace(Config(), **settings))  # type: ignore[arg-type]


async def test_half_a_renewal_is_told_once(papers: Papers) -> None:
    """While certificate and key do not fit, every handshake is served with the old pair, and the log says it once."""
    certificates = papers.certificates()
    server = MetricsServer(CollectorRegistry(), lambda: "", https(certificates))
    port = await server.start("127.0.0.1", 0)
    trust = ssl.create_default_context(cadata=papers.ca.read_text())
    papers.server[1].write_bytes(b"no key")
    with capture_logs() as lines:
        for _ in range(3):
            _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trust)
            writer.close()
    await server.stop()
    assert [line["event"] for line in lines] == ["certificate_not_renewed"]


def test_addresses_say_that_they_are_encrypted(papers: Papers) -> None:
    """What bots and clients are told begins with tls:// once, where it is so."""
    assert announced("h:1", None) == "h:1"
    assert announced("h:1", papers.certificates()) == "tls://h:1"
    assert announced("tls://h:1", papers.certificates()) == "tls://h:1"


async def test_pages_are_served_over_https_and_renewed(papers: Papers) -> None:
    """Metrics come over HTTPS with the certificate that is in the files now; in the clear nothing comes."""
    server = MetricsServer(CollectorRegistry(), lambda: "", https(papers.certificates()))
    port = await server.start("127.0.0.1", 0)

    async def get(authority: bytes | None) -> bytes:
        trust = ssl.create_default_context(cadata=authority.decode()) if authority else None
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trust)
        writer.write(b"GET /healthz HTTP/1.1\r\n\r\n")
        try:
            return await asyncio.wait_for(reader.read(), 10)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    old = papers.ca.read_bytes()
    assert b"ok" in await get(old)
    assert b"ok" not in await get(None)
    assert b"ok" in await get(papers.renew())
    with pytest.raises(ssl.SSLCertVerificationError):
        await get(old)
    await server.stop()
