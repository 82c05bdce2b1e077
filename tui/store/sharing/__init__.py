"""Several programs on one profile."""
