"""What one attempt at a match leaves for the next: the checkpoint at a deal's end, and going on from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.host.ports import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.host.match import HostedMatch
    from referee.host.ports import FaultEntry


def checkpoint_of(
    match: HostedMatch,
    deals: Sequence[dict[str, object]],
    faulted: Sequence[tuple[bool, ...]],
    ledger: Sequence[FaultEntry],
) -> Checkpoint:
    """Return where *match* stands, a deal being over."""
    seats = match.seats
    return Checkpoint(
        deals=tuple(deals),
        totals=match.table.totals,
        faulted=tuple(faulted),
        banks=tuple(round(seat.bank, 3) for seat in seats),
        faults=tuple(dict(seat.faults) for seat in seats),
        graces=tuple(round(seat.grace, 3) for seat in seats),
        autopilot=tuple(seat.autopilot for seat in seats),
        versions=tuple(seat.version for seat in seats),
        ledger=tuple(ledger),
    )


def restore(match: HostedMatch, so_far: Checkpoint) -> None:
    """Give the seats of *match* what they had left at the checkpoint *so_far*."""
    for seat, bank, faults in zip(match.seats, so_far.banks, so_far.faults, strict=True):
        seat.faults = dict(faults)
        seat.charge(seat.bank - bank)
        if seat.fault_count >= match.order.fault_limit:
            seat.autopilot, seat.plain = True, False
    for seat, on_autopilot in zip(match.seats, so_far.autopilot, strict=False):  # older checkpoints have none
        if on_autopilot and seat.order.present:
            seat.autopilot, seat.plain = True, False
    for seat, grace in zip(match.seats, so_far.graces, strict=False):
        seat.grace = grace
    for seat, version in zip(match.seats, so_far.versions, strict=False):
        seat.version = version
