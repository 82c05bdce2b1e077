"""Boards and tasks as drawn: the cached state with pending changes applied."""
