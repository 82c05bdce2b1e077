"""Widgets shared by screens; they take plain values, post messages and do not use the store."""
