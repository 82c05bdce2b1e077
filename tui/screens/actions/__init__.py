"""Actions on tasks, each run by a key."""
