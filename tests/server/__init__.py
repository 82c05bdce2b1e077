"""Tests of `callboard serve`: a process of its own, its limits and its options."""
