"""Tests of the forecast: its simulation, what it stands on, and its words."""
