"""What lies in deploy/ fits the program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from arena.app.metrics import new_registry
from arena.cli.main import COMMANDS
from arena.config import Config, from_env
from arena.storage.instrumented import StorageMetrics
from referee.host.metrics import HostMetrics

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"


def test_prometheus_scrapes_the_ports_that_are_listened_on() -> None:
    """Both roles are scraped on the ports they have by default."""
    config: Config = from_env({})
    ports = re.findall(r'"127\.0\.0\.1:(\d+)"', (DEPLOY / "prometheus" / "prometheus.yml").read_text())
    assert [int(port) for port in ports] == [config.metrics_port, config.referee_metrics_port]


def test_the_unit_starts_what_there_is() -> None:
    """The service calls a command that exists, with settings that are known."""
    unit = (DEPLOY / "systemd" / "arena.service").read_text()
    command = re.search(r"^ExecStart=\S+/arena (\w+)$", unit, re.MULTILINE)
    assert command is not None
    assert command[1] in COMMANDS
    settings = dict(re.findall(r"^Environment=(\w+)=(.+)$", unit, re.MULTILINE))
    if "ARENA_DATA_DIR" in settings:
        settings.pop("ARENA_DATA_DIR")  # the command line's own
    from_env(settings)


@pytest.mark.full
def test_prometheus_takes_the_configuration(tmp_path: Path) -> None:
    """Prometheus itself finds nothing wrong with it."""
    checked = subprocess.run(
        ["promtool", "check", "config", str(DEPLOY / "prometheus" / "prometheus.yml")],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.full
def test_prometheus_reads_what_both_roles_show() -> None:
    """Prometheus' own check finds nothing to object to in the metrics of a referee and of the control role."""
    registry = new_registry()
    HostMetrics(registry)
    StorageMetrics(registry)
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=generate_latest(registry), capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr.decode()
