"""Where passed cards go."""

from tests.naive.options import Rules


def direction(rules: Rules, number: int) -> str:
    """Name the passing of the deal with this number, counted from 1."""
    if rules["pass_mode"] in ("none", "pool"):
        return str(rules["pass_mode"])
    cycle = rules["pass_cycle"]
    return str(cycle[(number - 1) % len(cycle)])


def receiver(word: str, seat: int, players: int) -> int:
    """Return the seat that gets what this seat passes."""
    steps = {"left": 1, "right": -1, "across": players // 2}
    return (seat + steps[word]) % players


def giver(word: str, seat: int, players: int) -> int:
    """Return the seat whose cards this seat gets."""
    return next(other for other in range(players) if receiver(word, other, players) == seat)
