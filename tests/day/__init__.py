"""A scripted day: every key of the README, on every edition of the service."""
