"""Tests of the standup's rules: its window, its report, and how it is written."""
