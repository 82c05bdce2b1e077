"""The service's objects as typed records (section 2), with those members that something reads."""
