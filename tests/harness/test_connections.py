"""A test that leaves a connection to SQLite open fails, and says where it was opened."""

import sqlite3
from contextlib import closing

import pytest

from tests.harness.connections import Connections


@pytest.fixture
def connections(pytestconfig: pytest.Config) -> Connections:
    plugin = pytestconfig.pluginmanager.get_plugin("connections")
    assert isinstance(plugin, Connections)
    return plugin


def test_what_is_left_open_is_closed_and_named(connections: Connections) -> None:
    connection = sqlite3.connect(":memory:")
    (callers,) = connections.close_open()
    assert f"{__file__}:" in callers
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("select 1")


def test_what_is_closed_is_left_out(connections: Connections) -> None:
    with closing(sqlite3.connect(":memory:")):
        pass
    assert connections.close_open() == []


def test_what_a_fixture_of_many_tests_opens_may_stay_until_it_ends(
    connections: Connections,
) -> None:
    fixture = object()
    with connections.kept_for(fixture):
        connection = sqlite3.connect(":memory:")
    assert connections.close_open() == []
    connections.end(fixture)
    assert len(connections.close_open()) == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("select 1")
