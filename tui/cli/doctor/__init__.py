"""`callboard doctor`: whether all is well."""
