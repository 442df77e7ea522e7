"""Fixtures for all tests."""

from tests.support.certificates import papers
from tests.support.logs import untouched_logs
from tests.support.valkey import own_valkey, redis_url, scratch, storage, valkey

__all__ = ["own_valkey", "papers", "redis_url", "scratch", "storage", "untouched_logs", "valkey"]
