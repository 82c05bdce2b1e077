"""Documents of the service, and their conversion into model values."""
