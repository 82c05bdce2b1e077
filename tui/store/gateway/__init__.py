"""The service as the store asks for it, on top of the client."""
