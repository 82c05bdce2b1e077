"""What is asked of the service when it is needed, and not cached."""
