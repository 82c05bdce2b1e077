"""Untrusted HTML: parsing, sanitising, conversion to lines."""
