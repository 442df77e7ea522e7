"""A pytest plugin for the full run, in which a missing tool is a failure: `-p tests.support.nothing_skipped`."""

from __future__ import annotations

from collections.abc import Generator

import pytest


def _failed(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure that tells its reason. An expected failure is a skip to pytest, and stays one."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    report.outcome = "failed"
    report.longrepr = f"Nothing may be skipped in the full run. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let no test be skipped."""
    report = yield
    _failed(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let no module be skipped."""
    report = yield
    _failed(report)
    return report
