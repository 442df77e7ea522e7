"""`arena web`."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.roles import Host, Insecure, RedisUrl, TlsCert, TlsClientCa, TlsKey, run_as
from arena.cli.style import example_text, new_app

app = new_app()


@app.command(
    epilog=example_text(
        """
        ARENA_REDIS_URL=redis://10.0.0.5:6379/0 arena web --admin-token-file admin.token
        arena web --redis-url unix:///run/valkey.sock --port 7170 --metrics-port 7172
        """
    )
)
def web(
    *,
    redis_url: RedisUrl = "",
    host: Host = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of the API; 0: any.", show_default="7070")
    ] = None,
    metrics_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of /metrics; 0: any.", show_default="7072")
    ] = None,
    admin_token_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the first admin token here, mode 0600.")
    ] = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    insecure: Insecure = False,
) -> None:
    """Run the API alone, on a shared Redis. Several share the callers.

    All settings are environment variables too; docs/operations.md lists them.
    """
    run_as(
        "web",
        redis_url=redis_url,
        host=host,
        tls_cert=tls_cert,
        tls_key=tls_key,
        tls_client_ca=tls_client_ca,
        insecure=insecure,
        port=port,
        metrics_port=metrics_port,
        admin_token_file=admin_token_file,
    )
