"""Pure: the game at one table as a state machine."""
