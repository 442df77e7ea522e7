"""The referee: the rules of Hearts, the table, and the host that runs tables for bots."""
