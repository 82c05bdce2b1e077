"""Serving the service over HTTP: options, server, logging, OpenAPI."""
