"""The comments of a task."""
