"""`arena referee`."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.roles import Host, Insecure, RedisUrl, TlsCert, TlsClientCa, TlsKey, run_as
from arena.cli.style import example_text, new_app

app = new_app()


@app.command(
    epilog=example_text(
        """
        arena referee --host 0.0.0.0 --advertise games.example.org:7071 --tls-cert server.pem --tls-key server.key
        arena referee --redis-url unix:///run/valkey.sock --port 7171 --metrics-port 7173
        """
    )
)
def referee(
    *,
    redis_url: RedisUrl = "",
    host: Host = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port that bots connect to; 0: any.", show_default="7071")
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of /metrics; 0: any.", show_default="7073")
    ] = None,
    advertise: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="What bots are told to connect to, if not that.")
    ] = None,
    capacity: Annotated[int | None, typer.Option(min=1, help="The most tables at once.", show_default="2000")] = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    insecure: Insecure = False,
) -> None:
    """Run a referee alone, on a shared Redis: it takes matches from the queue and hosts their tables.

    All settings are environment variables too; docs/operations.md lists them. SIGTERM lets deals end, hands the
    matches back, and stops.
    """
    run_as(
        "referee",
        redis_url=redis_url,
        host=host,
        tls_cert=tls_cert,
        tls_key=tls_key,
        tls_client_ca=tls_client_ca,
        insecure=insecure,
        referee_port=port,
        referee_metrics_port=metrics_port,
        advertise=advertise,
        capacity=capacity,
    )
