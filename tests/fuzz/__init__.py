"""Bytes that nobody should send: mutated messages into the session machine, and noise on the open ports.

`python -m tests.fuzz.messages --count 5000000` and `python -m tests.fuzz.ports --minutes 30` are the long runs.
"""
