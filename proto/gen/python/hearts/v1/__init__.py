"""The wire contract of Hearts Arena, generated."""
