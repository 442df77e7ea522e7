"""Fixtures for all tests."""

from tests.support.valkey import own_valkey, redis_url, scratch, storage, valkey

__all__ = ["own_valkey", "redis_url", "scratch", "storage", "valkey"]
