"""The columns of a board."""
