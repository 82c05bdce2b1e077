"""The handlers of the endpoints, one module for each group."""
