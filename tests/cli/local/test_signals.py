"""Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal

import pytest

from arena.cli.errors import Stopped
from arena.cli.local.signals import Signals


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_the_first_signal_is_told_when_asked(signum: signal.Signals, code: int) -> None:
    """The first interrupts nothing, and is told with its exit code; more of them interrupt only what is not ending."""
    before = signal.getsignal(signum)
    with Signals() as signals:
        signals.look()
        signal.raise_signal(signum)
        with pytest.raises(Stopped) as caught:
            signals.look()
        assert caught.value.code == code
        assert not signals.hurried
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signum)
        signals.ending = True
        signal.raise_signal(signum)
        assert signals.hurried
    assert signal.getsignal(signum) is before
