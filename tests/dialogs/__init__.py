"""Tests of the dialogs: keys pressed, what a person would see, and the answers."""
