"""A bot that misbehaves on purpose, and plays well otherwise."""
