"""The screen of a board."""
