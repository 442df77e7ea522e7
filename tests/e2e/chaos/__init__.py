"""Tournaments while processes are killed, frozen and started again, and connections are cut: nothing may be lost.

`python -m tests.e2e.chaos --runs 200 --seed 1` plays one tournament undisturbed, then the same again and again while a
seeded script disturbs it, and compares records, standings and faults byte for byte.
"""
