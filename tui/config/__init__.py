"""The settings of a person: files, profiles, passwords and where they are kept."""
