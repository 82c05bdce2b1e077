"""Callboard: a terminal kanban board that opens at once and loses nothing."""
