"""One suite for every service: what a person wants comes about, however the service behaves."""
