"""Dialogs with a searchable list."""
