"""Asyncio without gRPC: tables against clocks and seats."""
