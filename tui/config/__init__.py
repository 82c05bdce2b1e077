"""Settings, profiles, passwords, and their files."""
