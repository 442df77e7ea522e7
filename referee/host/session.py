"""One bot process's live connection, as the host sees it: what came in, what is to go out.

Frames carry the hot path. An inbound frame is a list of answers, applied one after the other; what they bring about
collects in the outboxes of the sessions concerned, which are flushed when the loop has nothing better to do.
An outbox is taken by the stream's writer, at most so many items at once; the clocks of the decisions in it start then.
At most `max_open` decisions of a session run at once. The others wait in the outbox, uncharged.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from referee.host.capabilities import Capabilities
from referee.host.metrics import TOOK_BOUNDS, Tally
from referee.host.ports import BotIdentity, Source
from referee.host.seat import IDLE, QUEUED, SENT, Seat
from referee.host.update import Update
from referee.rules.book import Rule

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from referee.host.buckets import Bucket
    from referee.host.clocks import Deadlines

FRAME_ITEMS: Final = 256


class Answer(Protocol):
    """What a bot decided, as it came in. Cards count from 1, 0 is none; nothing in it has been checked."""

    @property
    def seat(self) -> int:
        """Return the seat's handle."""

    @property
    def decision(self) -> int:
        """Return the decision's number."""

    @property
    def card(self) -> int:
        """Return the card for a play or a return."""

    @property
    def cards(self) -> Sequence[int]:
        """Return the cards for a pass."""

    @property
    def moon(self) -> int:
        """Return the choice for a moon: 1 others_plus, 2 self_minus."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a bot says of itself when it connects. 0 leaves a number to the referee."""

    token: str = field(repr=False)
    version: str = ""
    instance: str = ""
    capabilities: Capabilities = field(default_factory=Capabilities)
    max_tables: int = 0
    max_open: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that was refused, with the rule or the form that it broke."""

    handle: int
    number: int
    reason: str
    text: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class Closing:
    """A seat that was closed. `totals` and `places` are empty without a result."""

    handle: int
    reason: str
    totals: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A message for the person behind the bot. `handle` 0: about no seat."""

    code: str
    text: str
    handle: int = 0


@dataclass(frozen=True, slots=True)
class Invitation:
    """A second stream that the bot is asked for, at another referee. The ticket is a secret."""

    address: str
    ticket: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class End:
    """Why a session is ended by us. `reason` is UPPER_SNAKE."""

    reason: str
    text: str


class Session:
    """A live connection. `seats` are those it serves, by handle."""

    __slots__ = (
        "_deadlines",
        "_tally",
        "answered_at",
        "beat",
        "bot",
        "capabilities",
        "closings",
        "credential",
        "cut",
        "dirty_since",
        "draining",
        "end",
        "frames",
        "gone",
        "id",
        "instance",
        "invitations",
        "lapsed",
        "max_open",
        "max_tables",
        "name",
        "notes",
        "open",
        "opened",
        "outbox",
        "refusals",
        "refused",
        "seats",
        "send",
        "sending",
        "spare",
        "strays",
        "taken",
        "told",
        "unread",
        "version",
        "visiting",
        "wake",
        "wasted",
        "writing_since",
    )

    def __init__(
        self,
        ident: str,
        identity: BotIdentity,
        greeting: Greeting,
        deadlines: Deadlines,
        tally: Tally,
    ) -> None:
        self.id = ident
        self.bot = identity.bot
        self.name = identity.name
        self.credential = identity.credential
        self.visiting = identity.instance is not None
        self.instance = greeting.instance
        self.version = greeting.version
        self.capabilities = greeting.capabilities
        self.max_tables = greeting.max_tables
        self.max_open = greeting.max_open
        self.seats: dict[int, Seat] = {}
        self.outbox: deque[Update] = deque()
        self.opened: list[tuple[Seat, bool]] = []  # with True: sent again after a reconnect
        self.refusals: list[Refusal] = []
        self.closings: deque[tuple[int, Closing]] = deque()  # with how much must have been taken before
        self.notes: list[Note] = []
        self.told: set[str] = set()  # what `Hall.tell_once` has told it about
        self.invitations: deque[Invitation] = deque()
        self.draining: float | None = None  # seconds until the stream ends, to be told once
        self.open = 0
        self.frames = 0
        self.strays = 0
        self.refused = 0  # answers of the frame at hand that were no legal decisions
        self.taken = 0  # updates so far
        self.sending = 0  # decisions that the frame at hand opens
        self.wasted = 0  # sent in vain since this was looked at last: see `conduct`
        self.lapsed = 0  # decisions that nobody waits for any more, and whose answers may still come
        self.spare: Bucket | None = None  # for what is sent in vain; none before the first of it
        self.unread = 0  # bytes sent since the bot has answered anything
        self.answered_at = deadlines.now()
        self.writing_since = 0.0  # when the frame that gRPC has not taken yet was handed to it; 0: none
        self.dirty_since = 0.0  # when the oldest thing that waits to be sent came about; 0: nothing does
        self.beat = False  # an empty frame is due
        self.gone = False
        self.end: End | None = None
        self.wake: Callable[[], None] = _nobody
        self.send: Callable[[], Awaitable[None]] = _nothing  # writes one frame at once
        self.cut: Callable[[], object] = _nobody  # makes the stream end, whatever it waits for
        self._deadlines = deadlines
        self._tally = tally

    @property
    def room(self) -> int:
        """Return how many more tables the session takes."""
        return self.max_tables - len(self.seats)

    def receive(self, answers: Iterable[Answer], now: float) -> None:
        """Apply the *answers* of one frame that came in at *now*. The hot path: see the module's head."""
        self.frames += 1
        seats = self.seats
        tally = self._tally
        took_counts, took_sums = tally.took, tally.took_sums
        last, bucket = -1.0, 0
        decided = 0
        for answer in answers:
            seat = seats.get(answer.seat)
            if seat is None or seat.state != SENT or seat.number != answer.decision:
                self.strays += 1
                continue
            seat.state = IDLE
            self.open -= 1
            took = seat.took = now - seat.asked
            if took > seat.limit:
                seat.charge(took - seat.limit)
            kind = seat.kind
            if took != last:  # most of a frame's were asked in one frame
                last, bucket = took, bisect_left(TOOK_BOUNDS, took)
            took_counts[kind][bucket] += 1
            took_sums[kind] += took
            decided += 1
            if kind == 0:
                seat.match.answer_play(seat, answer.card - 1)
            else:
                seat.match.answer(seat, answer)
        tally.decisions[Source.BOT] += decided - self.refused
        self.refused = 0
        if decided:
            self.answered(now)
        if self.strays:
            tally.strays += self.strays
            self.wasted += self.strays
            self.strays = 0

    def answered(self, now: float) -> None:
        """Note that the bot has answered something that it was asked, so it reads."""
        self.unread = 0
        self.answered_at = now

    def take(self, now: float) -> list[Update]:
        """Return the updates of the next frame, which is about to be sent, and start the clocks of its decisions."""
        outbox = self.outbox
        room = self.max_open - self.open
        watch = self._deadlines.watch
        updates: list[Update] = []
        opened = 0
        while outbox and len(updates) < FRAME_ITEMS:
            update = outbox[0]
            if update[1]:
                seat = update[0]
                if seat.state != QUEUED or seat.number != update[1]:
                    update = (seat, 0, 0, update[3], update[4])  # decided otherwise in the meantime
                elif opened >= room:
                    break
                else:
                    opened += 1
                    seat.state = SENT
                    seat.asked = now
                    deadline = seat.deadline = now + seat.limit + seat.reserve
                    if deadline < seat.entry:
                        watch(seat)
            updates.append(update)
            outbox.popleft()
        self.open += opened
        self.sending = opened
        self.taken += len(updates)
        return updates

    def close(self, closing: Closing) -> None:
        """Tell the bot of a seat that is closed, as soon as all that waits to be said before has been taken."""
        self.seats.pop(closing.handle, None)
        self.closings.append((self.taken + len(self.outbox), closing))

    def take_closings(self) -> list[Closing]:
        """Return the closings of the next frame."""
        ripe: list[Closing] = []
        while self.closings and self.closings[0][0] <= self.taken and len(ripe) < FRAME_ITEMS:
            ripe.append(self.closings.popleft()[1])
        return ripe

    @property
    def has_something(self) -> bool:
        """Whether a frame could be sent now. A decision beyond `max_open` alone is no reason to."""
        if self.opened or self.refusals or self.notes or self.beat or self.invitations or self.draining is not None:
            return True
        if self.closings and self.closings[0][0] <= self.taken:
            return True
        return bool(self.outbox) and (self.open < self.max_open or not self.outbox[0][1])


async def _nothing() -> None:
    """Send nothing: no writer serves the session yet."""


def _nobody() -> None:
    """Wake nobody: no writer serves the session yet."""
