"""What goes over the wire: hellos are checked, and rules are whole."""

from __future__ import annotations

import pytest
from hearts.v1 import referee_service_pb2 as pb
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.presets import from_json, resolve, to_json
from referee.rules.variant import Variant
from referee.transport.convert import MAX_LABEL, MalformedFrame, greeting_from_wire, legal_part, rules_to_wire
from tests.transport.referee_client import first

SECRET = "arena_bot_secret"  # noqa: S105 - of no arena
VARIANTS = [
    resolve("standard"),
    resolve("standard", overrides={"target": None, "deals": 16, "first_dealer": 2}),
    resolve("classic", players=7),
    resolve("cancellation", players=11),
    resolve("hoemke-3421"),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.preset)
def test_rules_on_the_wire_are_whole(variant: Variant) -> None:
    """From the rule set on the wire the variant can be made again, option by option."""
    message = rules_to_wire(variant)
    told = {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    for name, value in to_json(variant).items():
        if name == "stripped":
            assert [card - 1 for card in told[name]] == list(variant.stripped)
        elif name == "first_dealer":
            assert told[name] == str(value)
        elif isinstance(value, list):
            assert list(told[name]) == value
        elif value is not None:
            assert told[name] == value
        else:
            assert not told[name]
    assert from_json(to_json(variant)) == variant


@given(st.sets(st.integers(0, 51)))
def test_legal_cards_on_the_wire(cards: set[int]) -> None:
    """A mask of faces is told card by card, numbered from 1, ascending."""
    told = pb.SeatUpdate.FromString(legal_part(sum(1 << card for card in cards)))
    assert told == pb.SeatUpdate(legal=[card + 1 for card in sorted(cards)])  # type: ignore[misc]


def hello(**fields: object) -> pb.PlayRequest:
    """Return a first request."""
    return first(SECRET, **fields)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (pb.PlayRequest(), "HELLO_EXPECTED"),
        (pb.PlayRequest(actions=[pb.Action()]), "HELLO_EXPECTED"),
        (pb.PlayRequest(hello=pb.Hello(protocol_version=1), ready=[pb.Ready()]), "HELLO_ALONE"),
        (hello(protocol_version=0), "PROTOCOL_VERSION"),
        (hello(protocol_version=2), "PROTOCOL_VERSION"),
        (hello(instance="x" * (MAX_LABEL + 1)), "BAD_LABEL"),
        (hello(bot_version="a\nb"), "BAD_LABEL"),
        (hello(instance="\x00"), "BAD_LABEL"),
        (hello(bot_version="\u202e"), "BAD_LABEL"),
    ],
)
def test_hellos_that_are_refused(request_: pb.PlayRequest, reason: str) -> None:
    """A first request of the wrong form is refused with the reason that names what is wrong."""
    with pytest.raises(MalformedFrame) as refusal:
        greeting_from_wire(request_, 1)
    assert refusal.value.reason == reason


def test_hellos_that_are_taken() -> None:
    """Unset capabilities mean the defaults; kinds that are not known here are kept as such, not dropped."""
    greeting = greeting_from_wire(hello(bot_version="1.0 é", instance="x" * MAX_LABEL), 1)
    assert (greeting.capabilities.max_packs, greeting.capabilities.min_players) == (1, 3)
    assert greeting.capabilities.kinds == frozenset()
    assert greeting.token == SECRET
    assert SECRET not in repr(greeting)
    strange = hello(capabilities=pb.Capabilities(decision_kinds=[99]))  # type: ignore[list-item]
    assert greeting_from_wire(strange, 1).capabilities.kinds == {"unknown"}
