"""Whom the kit trusts: addresses, files, and what is wrong with them."""

from __future__ import annotations

import pytest
from hearts_bot.secure import CannotRead, credentials, is_secure, secured

from tests.support.certificates import Papers


def test_who_names_an_authority_wants_nothing_in_the_clear(papers: Papers) -> None:
    """A plain address is encrypted once an authority is named, and one that says so always is."""
    assert secured("h:1", {}) == "h:1"
    assert secured("tls://h:1", {}) == "tls://h:1"
    assert secured("h:1", papers.environ()) == secured("tls://h:1", papers.environ()) == "tls://h:1"
    assert not is_secure("h:1")


@pytest.mark.parametrize(
    ("variable", "content", "told"),
    [
        ("ARENA_CA_FILE", None, "cannot be read: No such file"),
        ("ARENA_CA_FILE", b"\x30\x82", "not in the format PEM"),
        ("ARENA_CLIENT_CERT", b"-----BEGIN CERTIFICATE-----", "go together"),
        ("ARENA_CLIENT_KEY", b"-----BEGIN PRIVATE KEY-----", "go together"),
    ],
)
def test_files_that_cannot_be_used(variable: str, content: bytes | None, told: str, papers: Papers) -> None:
    """What is wrong with a file is told with the variable that names it, before anything is connected."""
    file = papers.folder / "x.pem"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CannotRead, match=told) as refused:
        credentials({variable: str(file)})
    assert variable in str(refused.value)
