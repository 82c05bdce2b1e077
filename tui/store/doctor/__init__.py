"""Examining and repairing the files of a profile."""
