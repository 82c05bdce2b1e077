"""Boards and tasks as drawn: the cache with pending changes on top."""
