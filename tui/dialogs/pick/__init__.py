"""Lists to choose from, searched by typing."""
