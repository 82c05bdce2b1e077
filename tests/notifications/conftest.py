"""A clock that is moved by hand, and a service with four tasks."""

from tests.store.conftest import clock, service

__all__ = ["clock", "service"]
