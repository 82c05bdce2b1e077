"""Tests of what happened on a board."""
