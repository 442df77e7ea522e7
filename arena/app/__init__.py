"""The composition root: the only place that wires adapters, one module a role."""

from arena.app.control import run_control, run_scheduler, run_web
from arena.app.referee import run_referee

__all__ = ["run_control", "run_referee", "run_scheduler", "run_web"]
