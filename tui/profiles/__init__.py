"""Profiles from login to logout: what the commands and the list of profiles both do."""
