"""Pure: formats, rounds and seatings."""
