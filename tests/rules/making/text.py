"""How the vectors are written: a case a line, so that a change is read as one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from referee.rules.cards import Card, card_name, parse_card

Case = Mapping[str, object]


def document(head: Mapping[str, object], **sections: Iterable[Case] | Mapping[str, Case]) -> str:
    """Return the text of a file: what stands in *head*, then the *sections*, lists or objects of cases."""
    parts = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for name, cases in sections.items():
        if isinstance(cases, Mapping):
            lines = [f"  {json.dumps(key)}: {json.dumps(case)}" for key, case in cases.items()]
            parts.append(f" {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n }")
        else:
            lines = [f"  {json.dumps(case)}" for case in cases]
            parts.append(f" {json.dumps(name)}: [\n" + ",\n".join(lines) + "\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def cards(text: str) -> list[Card]:
    """Return the cards named in *text*."""
    return [parse_card(name) for name in text.split()]


def names(some: Iterable[Card]) -> list[str]:
    """Return the names of cards."""
    return [card_name(card) for card in some]
