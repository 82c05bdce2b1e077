"""Tests of the screens: keys pressed, and what a person would see."""
