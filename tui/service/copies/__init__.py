"""Copies of tasks and boards."""
