"""The screen of pending changes."""
