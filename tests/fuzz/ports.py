"""Noise on the open ports of a cluster at play: random bytes, HTTP/2 frames, half-open connections and resets.

A tournament is played again and again meanwhile; it must end as it does in peace, and no process may grow.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import struct
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from hearts.v1 import referee_service_pb2 as pb

from tests.e2e.chaos.runner import Chaos, chaos
from tests.e2e.cluster import Cluster
from tests.fuzz.mutation import mutated

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes.fromhex("000000040000000000")
PAUSE: Final = 0.02
ROLES: Final = ("referee-0", "referee-1", "web", "scheduler")


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def noise(rng: Random) -> bytes:
    """Return bytes for one connection: anything, or HTTP/2 that is nearly right, or a message in it that is not."""
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 2000))
    data = PREFACE
    for _ in range(rng.randrange(1, 20)):
        if kind == 1:
            payload = rng.randbytes(rng.randrange(200))
            data += _frame(rng.randrange(12), rng.randrange(256), rng.randrange(10), payload)
        elif kind == 2:
            hello = pb.PlayRequest(hello=pb.Hello(token="x" * 9, protocol_version=1)).SerializeToString()
            message = mutated(rng, hello)
            data += _frame(0, rng.randrange(2), 1, b"\0" + struct.pack(">I", len(message)) + message)
        else:
            data += rng.choice((b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n", rng.randbytes(30)))
    return mutated(rng, data) if rng.random() < 0.5 else data


class Noise:
    """A thread that makes noise on *ports* until stopped."""

    def __init__(self, ports: list[int], seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self._ports = ports
        self._rng = Random(seed)
        self._stop = threading.Event()
        self._held: list[socket.socket] = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Noise:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End, and close what was left open."""
        self._stop.set()
        self._thread.join()
        for each in self._held:
            each.close()

    def _run(self) -> None:
        while not self._stop.wait(PAUSE):
            with contextlib.suppress(OSError):
                self._one()

    def _one(self) -> None:
        rng = self._rng
        connection = socket.create_connection(("127.0.0.1", rng.choice(self._ports)), timeout=2)
        self.counts["connections"] += 1
        data = noise(rng)
        self.counts["bytes"] += len(data)
        connection.sendall(data)
        end = rng.randrange(4)
        if end == 0:  # leave it open for a while
            self._held.append(connection)
            if len(self._held) > 50:
                self._held.pop(rng.randrange(50)).close()
            return
        if end == 1:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.counts["resets"] += 1
        elif end == 2:
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(0.05)
            with contextlib.suppress(OSError):
                connection.recv(1 << 16)
        connection.close()


@dataclass(frozen=True, slots=True)
class Size:
    """What a process holds: kilobytes of memory, open files, threads."""

    kilobytes: int
    files: int
    threads: int


def size(arena: Cluster, name: str) -> Size:
    """Return what a process of the cluster holds now."""
    process = Path(f"/proc/{arena.processes[name].pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return Size(int(status["VmRSS"].split()[0]), len(list((process / "fd").iterdir())), int(status["Threads"]))


def played_in_noise(world: Chaos, seconds: float, seed: int) -> tuple[Counter[str], int, dict[str, tuple[Size, Size]]]:
    """Play for so long in noise; return what was sent, how many tournaments were played, and sizes before and after.

    Raise `AssertionError` if a tournament ended otherwise than in peace, or an exception was logged.
    """
    arena, played = world.arena, 0
    _in_noise(world, min(10.0, seconds), seed)  # what a first connection of each kind makes is made
    before = {name: size(arena, name) for name in ROLES}
    deadline = time.monotonic() + seconds
    with Noise(arena.ports, seed) as noisy:
        while time.monotonic() < deadline:
            run = world.play()
            assert not run.different, run.different
            played += 1
            sys.stdout.write(f"{played} tournaments, {dict(noisy.counts)}\n")
    after = {name: size(arena, name) for name in ROLES}
    for name in ROLES:
        log = arena.log(name)
        assert "Traceback" not in log, log[log.index("Traceback") - 500 :][:3000]
        assert '"level": "error"' not in log, name
    return noisy.counts, played, {name: (before[name], after[name]) for name in ROLES}


def _in_noise(world: Chaos, seconds: float, seed: int) -> None:
    with Noise(world.arena.ports, seed + 1):
        time.sleep(seconds)


def main() -> int:
    """Run, and tell what was sent and how the processes grew."""
    parser = argparse.ArgumentParser(description="Make noise on the ports of a cluster at play.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with chaos(Path(tempfile.mkdtemp(prefix="noise-"))) as world:
        counts, played, sizes = played_in_noise(world, options.minutes * 60, options.seed)
    sys.stdout.write(f"{played} tournaments as in peace; sent {dict(counts)}\n")
    for name, (before, after) in sizes.items():
        sys.stdout.write(f"{name}: {before} -> {after}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
