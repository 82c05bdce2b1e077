"""Editors of long texts and comments."""
