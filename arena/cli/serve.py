"""`arena serve`."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from hearts_bot.secure import is_secure

from arena.app import logs
from arena.app.lifecycle import Stop
from arena.cli.errors import Failure, Misuse
from arena.cli.options import Port, path
from arena.cli.output import note
from arena.cli.roles import Host, Insecure, TlsCert, TlsClientCa, TlsKey, settings
from arena.cli.style import example_text, new_app
from arena.config import Config, from_env
from arena.errors import ArenaError, ConfigError
from arena.storage.ports import StorageUnavailable, StorageUnfit
from arena.supervisor import serve as supervise
from referee.transport.server import CannotListen

app = new_app()

_LOOK: Final = 0.05


@app.command(
    epilog=example_text(
        """
        arena serve
        arena serve --host 0.0.0.0 --advertise games.example.org:7071 --tls-cert server.pem --tls-key server.key
        ARENA_REDIS_URL=redis://10.0.0.5:6379/0 arena serve
        """
    )
)
def serve(
    *,
    data_dir: Annotated[
        Path,
        typer.Option(
            "--data-dir", parser=path, envvar="ARENA_DATA_DIR", metavar="DIR", help="Where everything is kept."
        ),
    ] = Path("arena-data"),
    host: Host = None,
    port: Annotated[
        Port, typer.Option("--port", min=0, max=65535, help="The API's port; 0: any.", show_default="7070")
    ] = None,
    referee_port: Annotated[
        Port,
        typer.Option(
            "--referee-port", min=0, max=65535, help="The port that bots connect to; 0: any.", show_default="7071"
        ),
    ] = None,
    metrics_port: Annotated[
        Port,
        typer.Option(
            "--metrics-port", min=0, max=65535, help="The port of API and scheduler's /metrics.", show_default="7072"
        ),
    ] = None,
    referee_metrics_port: Annotated[
        Port,
        typer.Option(
            "--referee-metrics-port", min=0, max=65535, help="The port of the referee's /metrics.", show_default="7073"
        ),
    ] = None,
    advertise: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="What bots are told to connect to, if not that.")
    ] = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    insecure: Insecure = False,
) -> None:
    """Run a whole server: referee, API, scheduler, and a Valkey of its own where no Redis is given.

    It writes the first admin token to DIR/admin.token (mode 0600), and where it listens to DIR/server.json. SIGTERM and
    Ctrl-C let deals end, put matches away, and stop everything. All settings are environment variables too;
    docs/operations.md lists them.
    """
    given = settings(
        host=host,
        tls_cert=tls_cert,
        tls_key=tls_key,
        tls_client_ca=tls_client_ca,
        insecure=insecure,
        port=port,
        referee_port=referee_port,
        metrics_port=metrics_port,
        referee_metrics_port=referee_metrics_port,
        advertise=advertise,
    )
    try:
        config = from_env(os.environ | given)
        logs.configure(config.log_level, "supervisor")
        asyncio.run(_serve(data_dir, config))
    except ConfigError as error:
        raise Misuse(str(error)) from None
    except (ArenaError, StorageUnavailable, StorageUnfit, CannotListen) as error:
        raise Failure(str(error)) from None


async def _serve(data_dir: Path, config: Config) -> None:
    stop = Stop(config.drain_seconds)
    stop.on_signals()
    announcing = asyncio.create_task(_announce(data_dir / "server.json"))
    try:
        await supervise(data_dir, config, stop)
    finally:
        announcing.cancel()


async def _announce(file: Path) -> None:
    """Tell people where everything is, once it is there."""
    while (facts := _facts(file)) is None:
        await asyncio.sleep(_LOOK)
    metrics = facts["metrics"]
    scheme = "https" if is_secure(facts["api"]) else "http"
    note(
        f"arena serves: API {facts['api']}, bots {facts['referee']}, "
        f"metrics {scheme}://{metrics['control']}/metrics and {scheme}://{metrics['referee']}/metrics\n"
        f"the admin token is in {facts['token_file']}; to talk to this server:\n"
        f"  export ARENA_SERVER={facts['api']} ARENA_TOKEN_FILE={facts['token_file']}"
    )


def _facts(file: Path) -> dict[str, Any] | None:
    """Return where this server listens, or None while it does not."""
    try:
        facts: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, dict) and facts.get("pid") == os.getpid() else None
