"""The gRPC edge of ArenaService."""
