"""One server for all tests of a worker, and worlds on it."""

from collections.abc import Iterator

import pytest

from tests.postgres.server import Server, programs
from tests.postgres.worlds import Worlds
from tests.service.world import World


@pytest.fixture(scope="session")
def all_worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    """A server of the tests' own."""
    bin_folder = programs()
    if bin_folder is None:
        pytest.skip("there is no PostgreSQL server here: install the extra dev, or PostgreSQL")
    worlds = Worlds(Server(bin_folder), tmp_path_factory.mktemp("attachments"))
    yield worlds
    worlds.end()


@pytest.fixture
def worlds(all_worlds: Worlds) -> Iterator[Worlds]:
    """Makes worlds that are closed in the end."""
    yield all_worlds
    all_worlds.close()


@pytest.fixture
def server(all_worlds: Worlds) -> Server:
    """The server."""
    return all_worlds.server


@pytest.fixture
def world(worlds: Worlds) -> World:
    """A furnished world."""
    return worlds.fresh()
