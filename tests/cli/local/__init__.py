"""Tests of local runs, piece by piece."""
