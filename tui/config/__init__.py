"""Settings, profiles and passwords, and the files they are kept in."""
