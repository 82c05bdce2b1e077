"""The SQLite files of a profile."""
