"""A whole local run over TLS, with certificates for the clients too."""

from __future__ import annotations

import json
import socket
import ssl
from pathlib import Path

import pytest

from tests.e2e.local_run import bots, start, until
from tests.support.certificates import Papers

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "python -m hearts_bot.bots.random"


def test_bots_and_command_line_over_tls(tmp_path: Path, papers: Papers) -> None:
    """Kit, bot on Node and command line play a tournament over TLS, each with a certificate of its own.

    The address that bots get says so, and no port speaks in the clear.
    """
    out = tmp_path / "run"
    node = f"node {ROOT / 'sample_bots' / 'node' / 'random.js'}"
    server = {"ARENA_TLS_CERT": papers.server[0], "ARENA_TLS_KEY": papers.server[1], "ARENA_TLS_CLIENT_CA": papers.ca}
    env = {name: str(path) for name, path in server.items()} | papers.environ(client=True)
    options = [*bots(PYTHON, PYTHON, PYTHON, node), "--deals", "4", "--passes", "1", "--boards", "single"]
    with start(out, "--out", str(out), *options, env=env) as running:
        facts_file = out / "server" / "server.json"
        until(facts_file.exists, 60)
        facts = json.loads(facts_file.read_bytes())
        assert facts["api"].startswith("tls://")
        assert facts["referee"].startswith("tls://")
        for address in (facts["api"], facts["referee"], *facts["metrics"].values()):
            port = int(address.rpartition(":")[2])
            with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
                trust = ssl.create_default_context(cafile=str(papers.ca))
                with trust.wrap_socket(plain, server_hostname="127.0.0.1") as encrypted:
                    assert encrypted.version() in ("TLSv1.2", "TLSv1.3")
        ended = running.wait()
    assert ended.code == 0, ended.err
    assert (out / "records.jsonl").read_bytes()
    assert "warning" not in ended.err
