"""Write a Hearts Arena bot in Python."""
