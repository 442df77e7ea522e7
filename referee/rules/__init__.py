"""Pure: the rules of Hearts."""
