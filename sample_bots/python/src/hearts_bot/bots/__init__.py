"""Sample bots, each a program: `python -m hearts_bot.bots.random`."""
