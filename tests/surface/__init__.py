"""The pictures of the design: run `python -m tests.surface`."""
