"""The screen with the list of boards."""
