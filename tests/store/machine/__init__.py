"""Histories made up by Hypothesis: two people, one service, and everything that can go wrong.

`python -m tests.store.machine 2000` runs as many as are asked for.
"""
