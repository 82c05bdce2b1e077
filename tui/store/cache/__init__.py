"""What the service last said, on disk."""
