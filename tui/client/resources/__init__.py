"""The endpoints in groups; each method works the same on every deployed service."""
