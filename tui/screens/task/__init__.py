"""The screen of a task."""
