"""Values of options."""

from __future__ import annotations

import pytest

from arena.cli.errors import Misuse
from arena.cli.options import duration, whole_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("500ms", 0.5), ("2s", 2.0), ("2", 2.0), ("1.5m", 90.0), ("12h", 43_200.0), ("30d", 2_592_000.0), (" 3 s ", 3.0)],
)
def test_durations(text: str, seconds: float) -> None:
    """A time is a number and a unit; without one it is seconds."""
    assert duration(text, "--limit") == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["36501d", "9" * 400])
def test_no_duration_is_endless(text: str) -> None:
    """What no message could carry is refused with the most there may be."""
    with pytest.raises(Misuse, match=r"^--limit .* too long a time; at most 36500d"):
        duration(text, "--limit")


@pytest.mark.parametrize("text", ["", "s", "2 weeks", "-1s", "1e3s", "2s3", "nan", "inf"])
def test_what_is_no_duration(text: str) -> None:
    """Anything else is refused with the way to write it."""
    with pytest.raises(Misuse, match=r"^--limit .*500ms, 2s, 5m"):
        duration(text, "--limit")


@pytest.mark.parametrize(("text", "seconds"), [("1s", 1), ("1000ms", 1), ("1500ms", 2), ("90", 90), ("2m", 120)])
def test_whole_seconds(text: str, seconds: int) -> None:
    """Where only whole seconds can be said nothing is cut off."""
    assert whole_seconds(text, "--lifetime") == seconds


@pytest.mark.parametrize("text", ["0", "0s", "1ms", "999ms"])
def test_no_time_is_not_the_default(text: str) -> None:
    """What would be sent as 0, and so mean for ever, is refused."""
    with pytest.raises(Misuse, match=r"^--lifetime .* too short a time; at least 1s"):
        whole_seconds(text, "--lifetime")
