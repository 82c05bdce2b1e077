"""Completion in shells: what is due on a command line, its values, and the scripts of shells."""
