"""Checks of the source that no other linter makes."""
