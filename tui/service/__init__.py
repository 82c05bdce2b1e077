"""The embedded implementation of the service, on SQLite."""
