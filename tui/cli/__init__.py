"""The command line: commands, which may all raise `CallboardError`, and their output."""
