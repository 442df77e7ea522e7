"""What a run of comparisons met: deals by table, options, and the rare things."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from tests.naive.cards import is_harmful
from tests.naive.deal import Deal
from tests.naive.options import CHOICES, Rules

RARE = (
    "moons",
    "moons by choice",
    "moons lost to dead cards",
    "tricks nobody won",
    "two such tricks in a row",
    "deals with dead cards",
    "kitties taken",
    "kitties carried past trick one",
    "all-penalty hands",
    "passes with twins",
    "pools with own cards back",
    "games ended by target",
    "games ended by deals",
    "games ended by max_deals",
)


def family(rules: Rules) -> str:
    """Name the preset without the digits of a Hoemke variant, and the number of players."""
    return f"{str(rules['preset']).split('-')[0]} {rules['players']}"


def count_hands(tally: Counter[str], rules: Rules, hands: Sequence[Sequence[str]]) -> None:
    """Add to the tally what was dealt."""
    tally["all-penalty hands"] += sum(all(is_harmful(card, rules["scoring"]) for card in hand) for hand in hands)


def count_deal(tally: Counter[str], deal: Deal, shooter: int | None) -> None:
    """Add to the tally what happened in a deal that is over."""
    rules, winners = deal.rules, deal.winners
    tally["deals"] += 1
    tally["cards played"] += len(deal.tricks) * len(deal.seats)
    tally["moons"] += shooter is not None
    tally["moons by choice"] += shooter is not None and rules["moon_effect"] == "shooter_choice"
    takers = [pile for pile in deal.taken if any(is_harmful(card, rules["scoring"]) for card in pile)]
    lost = len(takers) == 1 and any(is_harmful(card, rules["scoring"]) for card in deal.dead())
    tally["moons lost to dead cards"] += lost
    tally["tricks nobody won"] += winners.count(None)
    pairs = list(pairwise(winners))
    tally["two such tricks in a row"] += pairs.count((None, None))
    tally["deals with dead cards"] += bool(deal.dead())
    tally["kitties taken"] += deal.kitty_taker is not None
    tally["kitties carried past trick one"] += deal.kitty_taker is not None and winners[0] is None
    tally[family(rules)] += 1
    for option in CHOICES:
        tally[f"{option}={rules[option]}"] += 1


def summary(tally: Counter[str]) -> list[str]:
    """Tell the tally in lines: what was compared, the tables, the rare things, and every option value."""
    tables = {name: count for name, count in tally.items() if name.rpartition(" ")[2].isdigit()}
    lines = [
        f"{tally['deals']} deals in {tally['games']} games, {tally['cards played']} cards, "
        f"{tally['refusals']} illegal decisions refused, {tally['rule sets refused']} impossible rule sets refused, "
        f"{tally['changed records found out']} of {tally['changed records']} changed records found out",
        "tables: " + ", ".join(f"{name}: {count}" for name, count in sorted(tables.items())),
        "rare: " + ", ".join(f"{name}: {tally[name]}" for name in RARE),
    ]
    for option, values in CHOICES.items():
        lines.append(f"{option}: " + ", ".join(f"{value} {tally[f'{option}={value}']}" for value in values))
    return [*lines, "never met: " + (", ".join(unmet(tally)) or "nothing")]


def unmet(tally: Counter[str]) -> list[str]:
    """Name the rare things and the option values that never occurred."""
    options = [f"{option}={value}" for option, values in CHOICES.items() for value in values]
    return [name for name in [*RARE, *options] if not tally[name]]
