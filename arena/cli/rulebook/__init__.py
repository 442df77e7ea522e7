"""Rule sets for people: listed, told in plain words, and explained at a position."""
