"""Lists to choose from, found by typing."""
