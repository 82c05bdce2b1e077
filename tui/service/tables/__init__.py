"""Rows that several handlers read and write."""
