"""Tests of the modules directly in `tui`: start, workspace, theme, records, SQLite files."""
