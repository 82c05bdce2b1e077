"""Fixtures of the service's tests."""

from collections.abc import Iterator

import pytest

from tests.service.world import World, furnished_world


@pytest.fixture
def world() -> Iterator[World]:
    """A furnished world."""
    world = furnished_world()
    yield world
    world.close()
