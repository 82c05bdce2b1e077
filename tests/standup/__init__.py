"""A month of a team of six, written out, and the standups that come of it."""
