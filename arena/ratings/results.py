"""The raw results that standings are made of: what each seat scored and where a bot failed, match by match."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DealResult:
    """One deal: *points* (penalty points, fewer are better) and whether the bot *faulted*, both in seat order.

    A seat has faulted when a substitute decided anything for it: after a timeout, an illegal answer, a lost connection
    or on autopilot.
    """

    number: int
    points: tuple[int, ...]
    faulted: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One finished match, as scheduled: *number*, *round*, *block* and *board* of its plan, entrants in seat order.

    *places* is given for games to a target only, from 1 (best), seats with equal totals having equal places; the match
    is then scored by them, and *deals* tell only how many there were and who faulted.
    """

    number: int
    round: int
    block: int
    seating: tuple[int, ...]
    board: str
    deals: tuple[DealResult, ...] = ()
    places: tuple[int, ...] | None = None
