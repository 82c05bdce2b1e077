"""Boards kept locally: cache, operations, outbox, projection, sync."""
