"""The gRPC edge of RefereeService."""
