"""Agents on a board: what they said last, and the list of what they did."""
