"""What the longer commands of `arena tournament` do."""
