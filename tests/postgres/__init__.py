"""The service on PostgreSQL."""
