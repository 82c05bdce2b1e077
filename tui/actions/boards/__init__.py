"""Actions on boards."""
