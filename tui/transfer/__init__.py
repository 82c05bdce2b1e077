"""Boards of other programs: read from their files, and written for them."""
