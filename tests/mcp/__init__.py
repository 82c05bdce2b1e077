"""Tests of `callboard mcp`: what agents ask, offline, at a service, and as nonsense."""
