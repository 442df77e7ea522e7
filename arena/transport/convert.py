"""Between the values of the use cases and the messages of the wire. Nothing else knows both.

A zero on the wire means a default where the contract says so; an enum value that this program does not know is
refused, with the names of those it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeVar

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.timestamp_pb2 import Timestamp
from hearts.v1 import arena_service_pb2 as pb

from arena.errors import Invalid
from arena.schedule.plan import Boards
from arena.service.checks import FAR
from arena.service.faults import FoundFault
from arena.service.records import OVER
from arena.service.spec import NoShow, TournamentSpec
from arena.service.standings import Ranking
from arena.service.tournaments import Change
from arena.service.views import MatchView, TournamentView
from arena.storage.ports import Bot, Entrant, MatchState, Owner, Role, Token, TournamentState
from referee.host.ports import Clock
from referee.transport.convert import clock_to_wire, rules_to_wire

Value = TypeVar("Value")

ROLES: Final[Mapping[int, Role]] = MappingProxyType(
    {
        pb.ROLE_ADMIN: Role.ADMIN,
        pb.ROLE_ORGANISER: Role.ORGANISER,
        pb.ROLE_OWNER: Role.OWNER,
        pb.ROLE_BOT: Role.BOT,
        pb.ROLE_READER: Role.READER,
    }
)
CHANGES: Final[Mapping[int, Change]] = MappingProxyType(
    {
        pb.TOURNAMENT_CHANGE_OPEN: Change.OPEN,
        pb.TOURNAMENT_CHANGE_START: Change.START,
        pb.TOURNAMENT_CHANGE_PAUSE: Change.PAUSE,
        pb.TOURNAMENT_CHANGE_RESUME: Change.RESUME,
        pb.TOURNAMENT_CHANGE_CANCEL: Change.CANCEL,
    }
)
BOARDS: Final[Mapping[int, Boards | None]] = MappingProxyType(
    {
        pb.BOARDS_UNSPECIFIED: None,
        pb.BOARDS_SINGLE: Boards.SINGLE,
        pb.BOARDS_BOARDS: Boards.BOARDS,
        pb.BOARDS_ROTATIONS: Boards.ROTATIONS,
        pb.BOARDS_BALANCED: Boards.BALANCED,
    }
)
NO_SHOWS: Final[Mapping[int, NoShow]] = MappingProxyType(
    {
        pb.NO_SHOW_UNSPECIFIED: NoShow.WAIT,
        pb.NO_SHOW_WAIT: NoShow.WAIT,
        pb.NO_SHOW_AUTOPILOT: NoShow.AUTOPILOT,
        pb.NO_SHOW_WITHDRAW: NoShow.WITHDRAW,
    }
)
_STATES: Final = {state: pb.TournamentState.Value(f"TOURNAMENT_STATE_{state.name}") for state in TournamentState}
_MATCH_STATES: Final = {state: pb.MatchState.Value(f"MATCH_STATE_{state.name}") for state in MatchState}
_ROLES_TO_WIRE: Final = {role: number for number, role in ROLES.items()}
_BOARDS_TO_WIRE: Final = {boards: number for number, boards in BOARDS.items()}
_NO_SHOWS_TO_WIRE: Final = {no_show: number for number, no_show in NO_SHOWS.items()}


def known(field: str, number: int, values: Mapping[int, Value], enum: EnumDescriptor) -> Value:
    """Return what the enum value *number* stands for, or raise `Invalid`."""
    if number in values:
        return values[number]
    raise Invalid(field, number, ", ".join(enum.values_by_number[each].name for each in values))


def spec_from_wire(spec: pb.TournamentSpec) -> TournamentSpec:
    """Return the spec as given, with the server's defaults for what is left open. Whether it can be is not checked."""
    given = TournamentSpec(
        name=spec.name,
        title=spec.title,
        preset=spec.preset or "standard",
        options=MappingProxyType(dict(spec.options)),
        format=spec.format or "round_robin",
        boards=known("spec.boards", spec.boards, BOARDS, pb.Boards.DESCRIPTOR),
        passes=spec.passes or 1,
        deals=spec.deals,
        clock=_clock(spec),
        auto_play_forced=spec.auto_play_forced,
        reveal_opponents=spec.reveal_opponents,
        no_show=known("spec.no_show", spec.no_show, NO_SHOWS, pb.NoShow.DESCRIPTOR),
        concurrency=spec.concurrency,
        seed=spec.seed,
        entry_close=_seconds("spec.entry_close_time", spec.entry_close_time)
        if spec.HasField("entry_close_time")
        else None,
    )
    return replace(
        given,
        fault_limit=spec.fault_limit or given.fault_limit,
        suspend_after=spec.suspend_after or given.suspend_after,
        no_show_seconds=spec.no_show_seconds or given.no_show_seconds,
        window=spec.window or given.window,
    )


def spec_to_wire(spec: TournamentSpec) -> pb.TournamentSpec:
    """Return the spec with its defaults filled in."""
    return pb.TournamentSpec(
        name=spec.name,
        title=spec.title,
        preset=spec.preset,
        options=dict(spec.options),
        format=spec.format,
        boards=_BOARDS_TO_WIRE[spec.boards],  # type: ignore[arg-type] # the stubs want the enum's own type
        passes=spec.passes,
        deals=spec.deals,
        clock=clock_to_wire(spec.clock),
        ready_millis=round(spec.clock.ready * 1000),
        reconnect_grace_millis=round(spec.clock.reconnect_grace * 1000),
        auto_play_forced=spec.auto_play_forced,
        reveal_opponents=spec.reveal_opponents,
        fault_limit=spec.fault_limit,
        suspend_after=spec.suspend_after,
        no_show=_NO_SHOWS_TO_WIRE[spec.no_show],  # type: ignore[arg-type] # as above
        no_show_seconds=spec.no_show_seconds,
        window=spec.window,
        concurrency=spec.concurrency,
        seed=spec.seed,
        entry_close_time=_time(spec.entry_close),
    )


def owner_to_wire(owner: Owner) -> pb.Owner:
    """Return an owner as the contract writes it."""
    return pb.Owner(owner=owner.id, name=owner.name, create_time=_time(owner.created))


def bot_to_wire(bot: Bot, sessions: int) -> pb.Bot:
    """Return a bot with so many sessions as the contract writes it."""
    return pb.Bot(bot=bot.id, owner=bot.owner, name=bot.name, create_time=_time(bot.created), sessions=sessions)


def token_to_wire(token: Token) -> pb.Token:
    """Return a token as the contract writes it."""
    return pb.Token(
        token=token.id,
        role=_ROLES_TO_WIRE[token.role],  # type: ignore[arg-type] # as above
        subject=token.subject,
        create_time=_time(token.created),
        expire_time=_time(token.expires),
        revoked=token.revoked,
        label=token.label,
    )


def entrant_to_wire(entrant: Entrant, *, present: bool, unfit: str = "") -> pb.Entrant:
    """Return an entrant as the contract writes it; *unfit* is why it will not be seated."""
    return pb.Entrant(
        number=entrant.number,
        bot=entrant.bot,
        name=entrant.name,
        withdrawn=entrant.withdrawn,
        present=present,
        reason=entrant.reason or unfit,
    )


def tournament_to_wire(view: TournamentView) -> pb.Tournament:
    """Return a tournament as the contract writes it."""
    row = view.row
    spec = spec_to_wire(view.spec)
    if row.state not in OVER:
        spec.seed = ""  # who knows it knows the cards that are still to be dealt
    return pb.Tournament(
        tournament=row.id,
        spec=spec,
        rules=rules_to_wire(view.rules),
        state=_STATES[row.state],
        entrants=[
            entrant_to_wire(entrant, present=entrant.bot in view.present, unfit=view.unfit.get(entrant.bot, ""))
            for entrant in row.entrants
        ],
        matches_total=row.matches_total,
        matches_done=view.done,
        matches_running=view.running,
        matches_parked=view.parked,
        deals_done=view.deals,
        create_time=_time(row.created),
        start_time=_time(row.started),
        end_time=_time(row.ended),
        commitment=row.commitment,
        revealed_secret=view.revealed.hex(),
        revealed_round=view.revealed_round,
        attention=row.attention,
    )


def ranking_to_wire(view: TournamentView, ranking: Ranking) -> pb.Standings:
    """Return a ranking as the contract writes it."""
    return pb.Standings(
        rows=[
            pb.Standing(
                rank=row.rank,
                entrant=row.entrant,
                bot=view.row.entrants[row.entrant].bot,
                name=row.name,
                score=row.score,
                interval=-1.0 if row.interval is None else row.interval,
                clean_score=row.score_clean or 0.0,
                score_clean=row.score_clean,
                deals=row.deals,
                matches=row.matches,
                faults=row.faults,
                faulty_deals=row.faulty_deals,
            )
            for row in ranking.rows
        ],
        blocks_used=ranking.blocks_used,
        blocks_total=ranking.blocks_total,
        canonical_json=ranking.canonical,
    )


def match_to_wire(match: MatchView) -> pb.Match:
    """Return a match as the contract writes it."""
    message = pb.Match(
        number=match.number,
        round=match.round,
        block=match.block,
        seating=match.seating,
        state=_MATCH_STATES[match.state],
        attempt=match.attempt,
        released=match.released,
    )
    if match.result is not None:
        message.totals.extend(match.result.totals)
        message.places.extend(match.result.places)
        message.faults.extend(sum(kinds.values()) for kinds in match.result.faults)
        message.termination = match.result.termination
    return message


def _clock(spec: pb.TournamentSpec) -> Clock:
    clock = Clock()
    if spec.HasField("clock"):
        given = spec.clock
        clock = replace(
            clock,
            decision=given.decision_millis / 1000,
            bank=given.bank_millis / 1000,
            network=given.network_millis / 1000,
            watchdog=given.watchdog_millis / 1000 if given.watchdog_millis else clock.watchdog,
        )
    return replace(
        clock,
        ready=spec.ready_millis / 1000 if spec.ready_millis else clock.ready,
        reconnect_grace=spec.reconnect_grace_millis / 1000 if spec.reconnect_grace_millis else clock.reconnect_grace,
    )


def _seconds(field: str, time: Timestamp) -> float:
    if not 0 <= time.seconds <= FAR or not 0 <= time.nanos < 1_000_000_000:
        raise Invalid(field, f"{time.seconds}.{time.nanos}", "a time from 1970 to 9999")
    return time.seconds + time.nanos / 1e9


def _time(seconds: float | None) -> Any:  # noqa: ANN401 - a message field takes None for unset, which stubs do not say
    if seconds is None:
        return None
    whole = int(seconds)
    return Timestamp(seconds=whole, nanos=int((seconds - whole) * 1_000_000) * 1000)


def fault_to_wire(found: FoundFault) -> pb.Fault:
    """Return a fault as the contract writes it."""
    entry = found.entry
    return pb.Fault(
        match=found.match,
        entrant=found.entrant,
        deal=entry.deal,
        kind=entry.kind,
        decision=entry.decision,
        play=entry.play,
        expected=entry.expected,
        came=entry.came,
    )
