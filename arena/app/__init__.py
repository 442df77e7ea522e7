"""The composition root: the only place that wires adapters, one module a role.

Nothing is imported here: a role starts in half the time without what only the others need.
"""
