"""Requests that are made on demand, and whose results are not cached."""
