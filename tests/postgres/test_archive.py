"""An archive does not depend on the database that it comes from or goes to."""

from pathlib import Path

import pytest

from tests.postgres.worlds import Worlds
from tests.service.archives import Unpacked, content, export, full_world
from tests.service.world import World
from tui.service.archive.loading import read_archive
from tui.service.databases import open_at
from tui.service.errors import ServiceError

pytestmark = pytest.mark.long


def _read(path: Path, world: World, setting: str) -> None:
    assert world.attachments is not None
    read_archive(path, lambda: open_at(setting), world.attachments)


def test_it_goes_from_a_file_to_a_server_and_back(worlds: Worlds, tmp_path: Path) -> None:
    world = full_world(tmp_path / "old")
    path = export(world, tmp_path / "a.zip")
    name = worlds.server.create()
    _read(path, world, worlds.server.url(name))
    on_server = World(open_at(worlds.server.url(name)), attachments=world.attachments)
    assert content(on_server.database) == content(world.database)
    back = export(on_server, tmp_path / "back.zip")
    assert Unpacked.of(back).entries == Unpacked.of(path).entries
    task = {"task": {"title": "New", "board_id": 1, "stage_id": 1}}
    made = [each.done("ann", "POST", "/projects/1/tasks", task) for each in (world, on_server)]
    assert made[0] == made[1]
    world.close()
    on_server.close()


def test_a_server_s_database_that_is_not_empty_is_left_alone(
    worlds: Worlds, tmp_path: Path
) -> None:
    world = worlds.world()
    name = worlds.database()
    path = export(world, tmp_path / "a.zip")
    with pytest.raises(ServiceError) as refused:
        _read(path, world, worlds.server.url(name))
    assert refused.value.code == "not_empty"
