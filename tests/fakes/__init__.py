"""Fakes: a store and profiles in memory, and the boards and tasks that are in them."""
