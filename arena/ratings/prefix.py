"""The longest complete prefix of blocks: what standings may read.

Blocks count in schedule order and only up to the first that is not complete, never in the order of completion: slow
and faulty games finish late, so whatever happens to be finished is not a fair sample.
Matches that will never be played (their entrant withdrew) are no obstacle: the block goes on without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from arena.ratings.scores import MatchScore


class BlockTable(Protocol):
    """What a schedule must tell: the number of its blocks, and the numbers of the matches of each."""

    @property
    def blocks(self) -> int:
        """The number of blocks."""

    def matches_of_block(self, block: int) -> Sequence[int]:
        """Return the match numbers of *block*, ascending."""


def complete_prefix(
    scores: Iterable[MatchScore], schedule: BlockTable, void: Collection[int]
) -> tuple[tuple[MatchScore, ...], ...]:
    """Return the matches of the complete blocks before the first incomplete one, block by block.

    *scores* may come in any order; *void* holds the numbers of matches that will never be played. A block of which
    nothing was played is left out. Raise `ValueError` when two results for one match differ.
    """
    found: dict[int, MatchScore] = {}
    for score in scores:
        if found.setdefault(score.number, score) != score:
            raise ValueError(f"match {score.number} has two different results: one of them must be withdrawn")
    blocks: list[tuple[MatchScore, ...]] = []
    for block in range(schedule.blocks):
        numbers = [number for number in schedule.matches_of_block(block) if number not in void]
        if not all(number in found for number in numbers):
            break
        if numbers:
            blocks.append(tuple(found[number] for number in numbers))
    return tuple(blocks)
