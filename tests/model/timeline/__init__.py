"""Tests of cards by date."""
