"""The makers of the published vectors, a module for each file in `tests/vectors`."""
