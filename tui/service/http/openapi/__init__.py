"""The service described for other programs, as OpenAPI."""
