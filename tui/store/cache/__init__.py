"""The cached state of the service, on disk."""
