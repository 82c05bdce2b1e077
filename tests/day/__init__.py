"""A scripted day: every key of the help, on every edition of the service."""
