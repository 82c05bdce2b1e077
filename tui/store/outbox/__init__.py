"""Changes that the service has not accepted yet, and the undo history."""
