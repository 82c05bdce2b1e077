"""When open cards will be closed, from how many were closed in past weeks."""
