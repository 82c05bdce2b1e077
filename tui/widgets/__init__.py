"""Widgets shared by screens: they get values and post messages, and never know the store."""
