"""The arena: tournaments, rankings and records, around the referee."""
