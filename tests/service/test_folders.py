"""Folders: a board is in one at most, and everybody sees their own boards in them."""

import pytest

from tests.service.sharing_endpoints import sharing_world
from tests.service.world import Form, World

pytestmark = pytest.mark.world(make=sharing_world)


def _boards(world: World, who: str = "root") -> dict[str, list[int]]:
    folders = world.done(who, "GET", "/admin/folders").at("folders")
    return {folder["title"]: folder["boards_ids"] for folder in folders}


def test_a_board_leaves_its_folder_for_another(world: World) -> None:
    world.done("root", "POST", "/admin/folders/2/add-board", {"board_ids": [2, 1]})
    assert _boards(world) == {"House": [], "Shed": [1, 2]}
    activity = world.done("ann", "GET", "/projects/1/activities").at("activities.data.0")
    assert [activity[name] for name in ("column", "old_value", "new_value")] == [
        "folder",
        "House",
        "Shed",
    ]


def test_boards_that_are_not_named_stay(world: World) -> None:
    world.done("root", "POST", "/admin/folders/1/add-board", {"board_ids": [2]})
    assert _boards(world)["House"] == [1, 2]


def test_everybody_sees_the_boards_they_may_see(world: World) -> None:
    world.done("root", "POST", "/admin/folders/1/add-board", {"board_ids": [2]})
    assert _boards(world, "vic") == {"House": [1], "Shed": []}
    assert _boards(world, "sam") == {"House": [2], "Shed": []}


def test_the_list_of_boards_tells_the_folders(world: World) -> None:
    listed = world.done("ann", "GET", "/projects")
    assert listed.at("folder_mapping") == [{"board_id": 1, "folder_id": 1}]
    assert world.done("sam", "GET", "/projects").at("folder_mapping") == []


def test_a_board_can_be_made_in_a_folder(world: World) -> None:
    body = {"board": {"title": "Roof", "type": "to-do"}, "folder_id": 2}
    board = world.done("sam", "POST", "/projects", body).at("board.id")
    assert _boards(world)["Shed"] == [board]
    refused = world.ask("sam", "POST", "/projects", body | {"folder_id": 77})
    assert (refused.status, refused.body["code"]) == (404, "folder_not_found")
    assert world.done("sam", "GET", "/projects").at("boards.total") == 2


def test_boards_outlive_their_folder_and_leave_it_when_they_go(world: World) -> None:
    world.done("root", "DELETE", "/admin/folders/1")
    assert world.done("ann", "GET", "/projects").at("folder_mapping") == []
    world.done("root", "POST", "/admin/folders/2/add-board", {"board_ids": [1]})
    world.done("ann", "DELETE", "/projects/1")
    assert _boards(world) == {"Shed": []}


def test_taking_a_board_out_twice_changes_nothing_more(world: World) -> None:
    body = Form({"board_id": "1"})
    world.done("root", "POST", "/admin/folders/1/remove-board", body)
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    world.done("root", "POST", "/admin/folders/1/remove-board", body)
    assert world.done("ann", "GET", "/projects/1").at("synced_at") == since
