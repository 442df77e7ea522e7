"""A hall in memory: fake clock, scripted bots, a sink that remembers. No network and no waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from referee.host import attendance
from referee.host.capabilities import Capabilities
from referee.host.clocks import TICK
from referee.host.hall import Hall, HallConfig
from referee.host.metrics import HostMetrics
from referee.host.ports import (
    Attending,
    BotId,
    BotIdentity,
    Checkpoint,
    Clock,
    MatchId,
    MatchOrder,
    NotAdmitted,
    Outcome,
    SeatOrder,
)
from referee.host.session import Closing, Greeting, Note, Refusal, Session
from referee.host.update import Snapshot, Update
from referee.rules.cards import Card, Hand, cards_of
from referee.rules.dealing import DealSource
from referee.rules.presets import resolve, rules_digest
from referee.rules.variant import Termination, Variant
from referee.table.check import check
from referee.table.events import DealEnded
from referee.table.observe import PassReceived, SeatDealStarted
from referee.table.record import encode, record_json, result_json

KINDS = ("play", "pass", "return", "moon")
ABLE = Capabilities(max_packs=2, max_players=11)


class FakeClock:
    """Monotonic seconds that pass when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds


@dataclass(frozen=True, slots=True)
class Action:
    """An answer as it comes in from the wire."""

    seat: int
    decision: int
    card: int = 0
    cards: Sequence[int] = ()
    moon: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """An open decision as a bot sees it."""

    seat: int
    number: int
    kind: str
    legal: tuple[Card, ...]
    hand: tuple[Card, ...]
    count: int
    seed: int


Strategy = Callable[[Decision], Action | None]


def at_random(decision: Decision) -> Action:
    """Answer legally, at random by the seat's seed and its cards, whatever else happens."""
    rng = Random(f"{decision.seed}/{decision.kind}/{decision.hand}/{decision.legal}")
    if decision.kind == "pass":
        chosen = rng.sample(decision.hand, decision.count)
        return Action(decision.seat, decision.number, cards=[card + 1 for card in chosen])
    if decision.kind == "moon":
        return Action(decision.seat, decision.number, moon=rng.choice((1, 2)))
    return Action(decision.seat, decision.number, card=rng.choice(decision.legal) + 1)


class Bot:
    """One session, read and answered by hand."""

    def __init__(self, world: World, session: Session, strategy: Strategy = at_random) -> None:
        self.world = world
        self.session = session
        self.strategy = strategy
        self.open: dict[int, Decision] = {}
        self.declined: set[tuple[int, int]] = set()  # decisions to which the strategy gave no answer
        self.hands: dict[int, tuple[Card, ...]] = {}
        self.opened: list[tuple[int, bool]] = []
        self.updates: list[Update] = []
        self.scores: list[DealEnded] = []
        self.snapshots = 0
        self.closed: list[Closing] = []
        self.notes: list[Note] = []
        self.refusals: list[Refusal] = []
        self.unready: list[int] = []
        self.draining = False

    def listen(self) -> bool:
        """Take all that may be sent now, as the stream's writer does; return whether there was something."""
        session, heard = self.session, False
        while session.has_something and session.end is None:
            heard = True
            session.beat = False
            for seat, again in session.opened:
                self.opened.append((seat.handle, again))
                self.unready.append(seat.handle)
            session.opened.clear()
            self.refusals += session.refusals
            session.refusals.clear()
            for update in session.take(self.world.hall.clock.now()):
                self._hear(update)
            for closing in session.take_closings():
                self.closed.append(closing)
                self.open.pop(closing.handle, None)
            self.notes += session.notes
            session.notes.clear()
            self.draining = self.draining or session.draining is not None
            session.draining = None
        session.dirty_since = 0.0
        return heard

    def _hear(self, update: Update) -> None:
        seat, number, legal, _, rarer = update
        self.updates.append(update)
        for seen in rarer:
            match seen:
                case Snapshot():
                    self.snapshots += 1
                case SeatDealStarted():
                    self.hands[seat.handle] = seen.hand
                case PassReceived(sent, _):
                    assert len(sent) == seat.match.table.variant.pass_count
                case DealEnded():
                    self.scores.append(seen)
        if number:
            hand, count = self.hands[seat.handle], seat.match.table.variant.pass_count
            legal_cards = cards_of(Hand(legal))
            kind = KINDS[seat.kind]
            self.open[seat.handle] = Decision(seat.handle, number, kind, legal_cards, hand, count, seat.order.bot_seed)

    def get_ready(self) -> None:
        """Say that all seats opened so far are ready."""
        waiting, self.unready = self.unready, []
        for handle in waiting:
            if (seat := self.session.seats.get(handle)) is not None:
                attendance.ready(seat)

    def send(self, *actions: Action) -> None:
        """Send one frame of *actions*."""
        self.session.receive(actions, self.world.hall.clock.now())

    def answer(self, seats: Iterable[int] | None = None) -> bool:
        """Answer the open decisions (at *seats*, if given) in one frame; return whether there were any."""
        answers = []
        for handle in list(self.open) if seats is None else list(seats):
            if (handle, self.open[handle].number) in self.declined:
                continue
            if (answer := self.strategy(self.open[handle])) is not None:
                answers.append(answer)
                del self.open[handle]
            else:
                self.declined.add((handle, self.open[handle].number))
        if answers:
            self.send(*answers)
        return bool(answers)

    def turn(self) -> bool:
        """Do whatever there is to do; return whether there was something."""
        heard = self.listen() or bool(self.unready)
        self.get_ready()
        return self.answer() or heard

    def drop(self) -> None:
        """Let the stream break."""
        self.world.hall.left(self.session)
        self.open.clear()


@dataclass
class Sink:
    """A `ResultSink` that remembers."""

    checkpoints: list[tuple[MatchOrder, Checkpoint]] = field(default_factory=list)
    outcomes: dict[MatchId, Outcome] = field(default_factory=dict)
    released: list[tuple[MatchId, str]] = field(default_factory=list)
    presences: dict[BotId, tuple[Attending, ...]] = field(default_factory=dict)

    def checkpoint(self, order: MatchOrder, checkpoint: Checkpoint) -> None:
        """Remember the checkpoint."""
        self.checkpoints.append((order, checkpoint))

    def commit(self, order: MatchOrder, outcome: Outcome) -> None:
        """Remember the outcome; there is one for each match."""
        assert order.match not in self.outcomes
        self.outcomes[order.match] = outcome

    def release(self, order: MatchOrder, reason: str) -> None:
        """Remember that the match was given back."""
        self.released.append((order.match, reason))

    def presence(self, bot: BotId, sessions: Sequence[Attending]) -> None:
        """Remember who is here."""
        self.presences[bot] = tuple(sessions)


class Door:
    """An `Admission` that lets in whoever gives a bot's name for a token, once it is open."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()

    async def admit(self, token: str) -> BotIdentity:
        """Return the bot of that name."""
        await self.open.wait()
        if not token:
            raise NotAdmitted("TOKEN_MISSING", "no token")
        return BotIdentity(BotId(token), token.upper())


class World:
    """A hall with all that is around it."""

    def __init__(self, config: HallConfig | None = None) -> None:
        self.time = FakeClock()
        self.sink = Sink()
        self.door = Door()
        self.metrics = HostMetrics()
        self.hall = Hall(self.door, self.sink, config or HallConfig(), self.metrics, self.time)
        self.hall.deadlines.tick()
        self.bots: list[Bot] = []

    async def connect(self, bot: str, strategy: Strategy = at_random, **greeting: object) -> Bot:
        """Let a session of *bot* in."""
        able = {"capabilities": ABLE} | greeting
        session = await self.hall.admit(Greeting(token=bot, version=f"{bot}/1", **able))  # type: ignore[arg-type]
        self.bots.append(Bot(self, session, strategy))
        return self.bots[-1]

    async def table(self, order: MatchOrder, strategy: Strategy = at_random) -> list[Bot]:
        """Host *order*, and connect a bot for each of its seats that has none."""
        known = self.hall.presences()
        fresh = [await self.connect(seat.bot, strategy) for seat in order.seats if seat.bot not in known]
        self.hall.host(order)
        return fresh

    def pass_time(self, seconds: float) -> None:
        """Let time pass in an undisturbed event loop."""
        for _ in range(round(seconds / TICK)):
            self.time.seconds += TICK
            self.hall.deadlines.tick()

    async def settle(self, bots: Sequence[Bot] | None = None) -> None:
        """Let *bots* (all, if not given) play until nobody has anything to do any more."""
        busy = True
        while busy:
            busy = False
            for bot in self.bots if bots is None else bots:
                busy = (bot.session.end is None and not bot.session.gone and bot.turn()) or busy
            before = self.hall.tally.decisions.copy()
            await asyncio.sleep(0)  # what the hall puts off to the next turn of the loop
            busy = busy or self.hall.tally.decisions != before


def order_of(
    variant: Variant | None = None,
    match: str = "m1",
    *,
    bots: Sequence[str] | None = None,
    absent: Iterable[str] = (),
    **fields: object,
) -> MatchOrder:
    """Return an order for *variant* (standard, two deals) with bots named by *bots*, or b0, b1, ..."""
    rules = variant or two_deals()
    names = bots or [f"b{seat}" for seat in range(rules.players)]
    source = DealSource(b"secret", rules_digest(rules), "cup", match)
    seats = tuple(
        SeatOrder(BotId(name), f"Name {name}", source.bot_seed(match, name), name not in absent) for name in names
    )
    given = {"attempt": 1, "deals": source, "first_dealer": source.dealer(rules), "clock": Clock()} | fields
    return MatchOrder(match=MatchId(match), variant=rules, seats=seats, **given)  # type: ignore[arg-type]


def two_deals(preset: str = "standard", players: int | None = None, **overrides: object) -> Variant:
    """Return *preset* played for two deals."""
    return resolve(preset, players=players, overrides={"target": None, "deals": 2} | overrides)


def assert_record(order: MatchOrder, outcome: Outcome) -> bytes:
    """Check the record of a match from its cards alone, and return its canonical bytes."""
    record = record_json(
        order.variant,
        [seat.name for seat in order.seats],
        outcome.deals,
        result=result_json(Termination(outcome.termination), outcome.places),
    )
    assert not check(record), check(record)
    return encode(record)


def sources_of(outcome: Outcome) -> set[object]:
    """Return who made decisions in a match."""
    found: set[object] = set()
    for deal in outcome.deals:
        sources = deal["sources"]
        assert isinstance(sources, dict)
        for value in sources.values():
            found |= set(value) if isinstance(value, list) else {value}
    return found - {None}
