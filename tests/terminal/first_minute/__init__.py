"""The first minute on every Python: each screen, each dialog and each key, looked at."""
