"""The ports of storage on Redis: one module for each, over `db.py`."""

from arena.storage.redis_store.fleet import RedisFleet
from arena.storage.redis_store.registry import RedisRegistry
from arena.storage.redis_store.tournaments import RedisTournaments
from arena.storage.redis_store.visits import RedisVisits
from arena.storage.redis_store.wakeups import RedisWakeups

__all__ = ["RedisFleet", "RedisRegistry", "RedisTournaments", "RedisVisits", "RedisWakeups"]
