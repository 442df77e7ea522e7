"""Pure: standings and their intervals."""
