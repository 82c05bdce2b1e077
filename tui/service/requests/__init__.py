"""Parsing of request bodies, and replies."""
