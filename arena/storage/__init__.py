"""Storage: ports, keys, Redis, scripts and the work queue."""
