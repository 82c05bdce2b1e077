"""The screen of a comment thread."""
