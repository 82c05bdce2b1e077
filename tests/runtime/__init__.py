"""Tests of what runs beside the screens."""
