"""The service's objects as typed records (section 2)."""
