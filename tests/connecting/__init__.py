"""Tests of how services are reached."""
