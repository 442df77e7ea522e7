"""Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal

import pytest

from arena.cli.errors import Stopped
from arena.cli.local.signals import Signals


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_the_first_signal_is_told_when_asked(signum: signal.Signals, code: int) -> None:
    """A signal interrupts nothing; it is told by `look`, with its exit code."""
    before = signal.getsignal(signum)
    with Signals() as signals:
        signals.look()
        signal.raise_signal(signum)
        with pytest.raises(Stopped) as caught:
            signals.look()
        assert caught.value.code == code
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signum)
    assert signal.getsignal(signum) is before
