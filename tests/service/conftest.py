"""Fixtures of the service's tests."""

from collections.abc import Iterator

import pytest

from tests.service.world import World, furnished_world


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A furnished world, or what is made by the function that the marker `world` names."""
    marker = request.node.get_closest_marker("world")
    world: World = marker.kwargs["make"]() if marker else furnished_world()
    yield world
    world.close()
