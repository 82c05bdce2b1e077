"""Tests of profiles: logging in, and changing from one to another."""
