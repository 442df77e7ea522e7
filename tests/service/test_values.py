"""Commitments, pages, and results as bytes."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import Invalid
from arena.service.commitment import Chain, root_of_seed
from arena.service.paging import page_of
from arena.service.results import (
    UnknownVersion,
    decode_checkpoint,
    decode_record,
    decode_result,
    encode_checkpoint,
    encode_record,
    encode_result,
    result_of,
)
from referee.host.ports import Checkpoint
from tests.service.builders import outcome


@given(st.integers(1, 2500), st.data())
def test_a_secret_proves_itself(rounds: int, data: st.DataObject) -> None:
    """A revealed secret hashed once for each round up to its own gives the commitment."""
    number = data.draw(st.integers(0, rounds - 1))
    chain = Chain(root_of_seed("cup", "7"), rounds)
    secret = chain.secret(number)
    for _ in range(number + 1):
        secret = sha256(secret).digest()
    assert secret.hex() == chain.commitment


def test_no_secret_beyond_the_chain() -> None:
    """There is no secret of a round that the tournament does not have."""
    chain = Chain(b"x" * 32, 2)
    for number in (-1, 2):
        with pytest.raises(IndexError):
            chain.secret(number)
    assert chain.secret(1) == b"x" * 32


@given(st.integers(0, 2500), st.integers(0, 3000))
def test_pages_hold_everything_once(total: int, size: int) -> None:
    """Following the tokens gives the whole list in order, at most 1,000 a page."""
    items, token, seen = list(range(total)), "", list[int]()
    while True:
        page = page_of(items, size, token)
        assert len(page.items) <= min(size or 100, 1000)
        seen += page.items
        token = page.next_token
        if not token:
            break
    assert seen == items


@pytest.mark.parametrize("token", ["x", "ä", "====", "cDE6", "cDE6LTE=", "cDE6" + "OTk5" * 9])
def test_page_tokens_are_ours(token: str) -> None:
    """A page token that was not issued is refused."""
    with pytest.raises(Invalid):
        page_of([1], 1, token)


def test_results_come_back() -> None:
    """Rows, records and checkpoints decode to what was encoded."""
    played = outcome((0, 5, 8, 13), faulted=(True, False, True, False))
    assert decode_result(encode_result(result_of(played))) == result_of(played)
    assert result_of(played).deals == 2
    record = decode_record(encode_record(played))
    assert (record.deals, record.versions, record.termination) == (played.deals, played.versions, "deals")
    checkpoint = Checkpoint(played.deals, played.totals, played.faulted, (1.5, 0.0, 2.0, 3.0), played.faults)
    assert decode_checkpoint(encode_checkpoint(checkpoint)) == checkpoint


def test_a_later_version_is_refused() -> None:
    """A row of a version to come is not guessed at."""
    with pytest.raises(UnknownVersion):
        decode_result(b'{"v":2}')
