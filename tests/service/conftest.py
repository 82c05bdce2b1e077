"""Fixtures of the service's tests."""

from collections.abc import Iterator

import pytest

from tests.service.world import World


@pytest.fixture
def world() -> Iterator[World]:
    """A furnished world."""
    world = World()
    world.furnish()
    yield world
    world.close()
