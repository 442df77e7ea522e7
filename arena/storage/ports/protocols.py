"""What the arena asks of its storage. Every promise about a missing or a stale thing stands at its method."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from typing import Protocol

from arena.storage.ports.values import (
    NOBODY,
    Bot,
    BotId,
    LostReferee,
    MatchKey,
    MatchState,
    Owner,
    Presence,
    Progress,
    Referee,
    RefereeId,
    Taken,
    Token,
    TokenId,
    TournamentId,
    TournamentRow,
    TournamentState,
)


class Registry(Protocol):
    """Owners, bots and tokens."""

    async def add_owner(self, owner: Owner) -> None:
        """Store an owner; `AlreadyExists` if its name is taken."""

    async def owners(self) -> Sequence[Owner]:
        """Return all owners in order of registration."""

    async def add_bot(self, bot: Bot) -> None:
        """Store a bot; `NotFound` without its owner, `AlreadyExists` if the owner has one of that name."""

    async def bots(self) -> Sequence[Bot]:
        """Return all bots in order of registration."""

    async def bot(self, ident: BotId) -> Bot:
        """Return one bot, or raise `NotFound`."""

    async def add_token(self, token: Token, digest: str) -> None:
        """Store a token under the SHA-256 hex *digest* of its secret."""

    async def token(self, digest: str) -> Token | None:
        """Return the token with this digest, revoked and expired ones too."""

    async def tokens(self) -> Sequence[Token]:
        """Return all tokens in order of issue."""

    async def revoke_token(self, ident: TokenId) -> None:
        """Mark a token revoked; `NotFound` without it."""

    async def forget_tokens(self, idents: Sequence[TokenId]) -> None:
        """Forget tokens, which are unknown from then on; those that are unknown already are left alone."""


class Tournaments(Protocol):
    """Tournaments and their matches."""

    async def add_tournament(self, row: TournamentRow) -> None:
        """Store a new tournament; `AlreadyExists` if the name is taken."""

    async def tournament(self, ident: str) -> TournamentRow:
        """Return one by id or by name, or raise `NotFound`, or `Damaged` if it cannot be read."""

    async def tournaments(self) -> Sequence[TournamentRow]:
        """Return all that can be read, the newest first. What is damaged is left out, and the log says so."""

    async def change(self, row: TournamentRow, *, expect: TournamentState) -> None:
        """Store *row* if the stored state is *expect*, else raise `StaleState`. `NotFound` without it.

        With a revision, `StaleState` also if somebody has changed the row since it was read. A new name must be free,
        else `AlreadyExists`.
        """

    async def tournaments_in(self, states: Collection[TournamentState]) -> Sequence[TournamentRow]:
        """Return those in *states* that can be read, the newest first. What it costs hardly grows with the others."""

    async def delete_tournament(self, ident: TournamentId, *, expect: TournamentState) -> None:
        """Remove it with all that belongs to it if its state is *expect*, else raise `StaleState` or `NotFound`."""

    async def put_secret(self, ident: TournamentId, secret: bytes) -> bytes:
        """Keep the root of the deal secrets, unless one is kept, and return what is kept; `NotFound` without it."""

    async def secret(self, ident: TournamentId) -> bytes:
        """Return the root of the deal secrets, or raise `NotFound`."""

    async def progress(self, ident: TournamentId) -> Progress:
        """Return the counts and what is in flight."""

    async def make_ready(self, keys: Sequence[MatchKey]) -> int:
        """Put planned matches in line, state READY, and on the work queue; known ones are left. Return how many.

        Only while the tournament is RUNNING, so that a late call cannot start anything after a pause or a cancel.
        """

    async def take(self, key: MatchKey, referee: RefereeId) -> Taken | None:
        """Ready to hosted, attempt + 1, owner *referee*, in one step.

        None if it is not ready (any more), or its tournament is not RUNNING: then it stays ready and comes again after
        `change` from PAUSED to RUNNING. While storage is away this waits and asks again instead of raising, because the
        answer that was lost may have made the match ours.
        """

    async def decline(self, key: MatchKey) -> None:
        """Leave a ready match to another referee: it is put on the queue anew before long."""

    async def checkpoint(self, key: MatchKey, attempt: int, blob: bytes) -> None:
        """Keep where the match stands; `FenceLost` for an old attempt."""

    async def commit(
        self,
        key: MatchKey,
        attempt: int,
        row: bytes,
        record: bytes,
        deals: int,
        faulty: Mapping[BotId, bool] = NOBODY,
    ) -> None:
        """Store result row and record, once. Repeating the same attempt's commit is fine; else `FenceLost`.

        *faulty* says of every bot in the match whether it has spoilt it.
        """

    async def faulty(self, ident: TournamentId) -> Mapping[BotId, int]:
        """Return how many of its latest matches in a row each bot has spoilt, those with none left out."""

    async def release(self, key: MatchKey, attempt: int, *, park_after: int) -> MatchState:
        """Hosted back to ready and on the queue, or parked after so many attempts; `FenceLost` for an old attempt.

        With *park_after* 0 the match is handed back unharmed, as a draining referee does: the attempt does not count
        towards parking. Releasing twice, or after the sweep has done it, is fine.
        """

    async def unpark(self, ident: TournamentId) -> int:
        """Make all parked matches ready, attempts counted anew for parking only. Return how many."""

    async def void_in_flight(self, ident: TournamentId) -> int:
        """Turn ready, hosted and parked matches to VOID, so that nothing more can be written about them."""

    async def results(self, ident: TournamentId) -> Mapping[int, bytes]:
        """Return all result rows by match number."""

    async def result_numbers(self, ident: TournamentId) -> frozenset[int]:
        """Return the numbers of the matches with a result."""

    async def records(self, ident: TournamentId, numbers: Sequence[int]) -> Mapping[int, bytes]:
        """Return the record blobs of *numbers*, those that exist."""

    async def match_rows(self, ident: TournamentId, numbers: Sequence[int]) -> Mapping[int, tuple[MatchState, int]]:
        """Return state and attempt of those of *numbers* that are not planned."""


class Fleet(Protocol):
    """Referees and the bots connected to them."""

    async def beat(self, referee: Referee, *, lease: float) -> None:
        """Say that a referee lives, for the next *lease* seconds by Redis' own clock."""

    async def set_presence(self, referee: RefereeId, presences: Sequence[Presence]) -> None:
        """Replace what is known of the bots at a referee."""

    async def leave(self, referee: RefereeId) -> None:
        """Forget a referee that has handed back all its matches; what it still holds is for the next sweep."""

    async def referees(self) -> Sequence[Referee]:
        """Return the live ones."""

    async def hosted(self, referee: RefereeId) -> Sequence[MatchKey]:
        """Return the matches that storage believes a referee to host."""

    async def presences(self) -> Sequence[Presence]:
        """Return the presences at live referees."""

    async def sweep(self, *, lease: float, park_after: int) -> Sequence[LostReferee]:
        """Put the matches of dead referees back to ready, or park them. Return those found dead since the last sweep.

        Does nothing until one *lease* after Redis itself came back, so that its absence kills nobody.
        """


class Wakeups(Protocol):
    """Hints that something changed. They may be lost; whoever waits also looks by itself now and then."""

    async def publish(self, topic: str) -> None:
        """Wake who listens to *topic*."""

    def listen(self, *topics: str) -> AsyncIterator[str]:
        """Yield topics as they are published, the empty text once a second otherwise."""


class WorkQueue(Protocol):
    """The queue of matches to host, over all referees."""

    async def pending(self) -> tuple[int, float]:
        """Return how many matches wait on the queue, and how old the oldest is, in seconds."""

    async def requeue_ready(self, *, older_than: float = 10.0) -> int:
        """Put ready matches on the queue again that were put there *older_than* seconds ago or never. Return how many.

        To be called at the start (with 0) and every few seconds: it makes good whatever lost a match its place.
        """

    async def work(
        self,
        host_match: Callable[[MatchKey], Awaitable[None]],
        *,
        concurrency: int = 64,
        sweep: Callable[[], Awaitable[object]] | None = None,
        sweep_every: float = 2.0,
        redelivery: float = 6.0,
        grace: float = 1.0,
    ) -> None:
        """Run *host_match* for every match on the queue, at most *concurrency* at once, until cancelled.

        *host_match* waits for a free table, takes the match, starts it and returns; what it raises is logged, and the
        match, if still ready, comes again. *sweep* is run every *sweep_every* seconds by one of all workers; that must
        be less than the lease it sweeps with. Redis' absence is waited out. When cancelled, running calls get *grace*
        seconds and are then cancelled too. The work of a worker that died is repeated by another after *redelivery*
        seconds.
        """
