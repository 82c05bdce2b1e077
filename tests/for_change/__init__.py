"""The tests that concern a change: run `python -m tests.for_change`."""
