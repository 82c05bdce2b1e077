"""Requests and responses: connections, retries, bodies and errors."""
