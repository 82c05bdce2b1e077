"""Pending changes on disk and in memory, and the undo history."""
