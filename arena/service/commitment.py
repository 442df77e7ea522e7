"""The secrets that deals come from, and the commitment to them.

A tournament of R rounds has a chain of secrets: the root is the secret of the last round, and each earlier round's is
the SHA-256 of the next one's. What is published at the start is the SHA-256 of the first round's secret.
So a revealed secret proves itself: hashed as often as its round's number it gives the commitment; and it tells the
secrets of all rounds before it, which are over, but none after it.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

from referee.rules.dealing import root_of_seed

__all__ = ["Chain", "new_root", "root_of_seed"]

_STRIDE: Final = 64


def new_root() -> bytes:
    """Return a new random root: 256 bits."""
    return secrets.token_bytes(32)


class Chain:
    """The secrets of rounds 0 to *rounds* - 1.

    Every 64th is kept, so that neither a long chain's memory nor the way to a secret is long.
    """

    def __init__(self, root: bytes, rounds: int) -> None:
        self._rounds = rounds
        self._kept = [root]  # the secrets of rounds - 1, rounds - 1 - 1024, ...
        for back in range(1, rounds):
            root = sha256(root).digest()
            if back % _STRIDE == 0:
                self._kept.append(root)
        self.commitment = sha256(root).hexdigest()

    def secret(self, number: int) -> bytes:
        """Return the secret of round *number*, counted from 0."""
        if not 0 <= number < self._rounds:
            raise IndexError(f"there is no round {number} in a chain of {self._rounds}")
        kept, steps = divmod(self._rounds - 1 - number, _STRIDE)
        secret = self._kept[kept]
        for _ in range(steps):
            secret = sha256(secret).digest()
        return secret
