"""Every text that people read, with its place: `python -m tests.texts`."""
