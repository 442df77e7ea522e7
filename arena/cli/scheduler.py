"""`arena scheduler`."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.roles import Host, Insecure, RedisUrl, TlsCert, TlsKey, run_as
from arena.cli.style import example_text, new_app

app = new_app()


@app.command(
    epilog=example_text(
        """
        ARENA_REDIS_URL=redis://10.0.0.5:6379/0 arena scheduler
        arena scheduler --redis-url unix:///run/valkey.sock --metrics-port 7174
        """
    )
)
def scheduler(
    *,
    redis_url: RedisUrl = "",
    host: Host = None,
    metrics_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port of /metrics; 0: any.", show_default="7074")
    ] = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    insecure: Insecure = False,
) -> None:
    """Run a scheduler alone, on a shared Redis: it puts matches in line for the referees. Several do no harm.

    All settings are environment variables too; docs/operations.md lists them.
    """
    run_as(
        "scheduler",
        redis_url=redis_url,
        host=host,
        scheduler_metrics_port=metrics_port,
        tls_cert=tls_cert,
        tls_key=tls_key,
        insecure=insecure,
    )
