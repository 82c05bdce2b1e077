"""Tests of settings, profiles, passwords and what is kept about a person."""
