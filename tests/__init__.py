"""Tests of Callboard, laid out as the program is."""
