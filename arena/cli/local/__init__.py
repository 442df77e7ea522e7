"""A tournament on this machine: the server and the bots as child processes, and the client that plays it through."""
