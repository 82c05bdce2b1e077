"""What can be done to tasks by a key."""
