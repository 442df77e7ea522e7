"""`python -m arena.cli`: the command line where no `arena` is on the path."""

from __future__ import annotations

from arena.cli.main import main

if __name__ == "__main__":
    main()
