"""The benchmark: everything in own processes on loopback, in one run."""
