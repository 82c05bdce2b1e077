"""Boards of other programs: their files are read, imported and written."""
