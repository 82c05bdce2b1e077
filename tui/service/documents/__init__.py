"""The documents in replies."""
