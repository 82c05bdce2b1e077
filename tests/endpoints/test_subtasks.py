"""Subtasks and their groups, from the keyboard to the service."""

import pytest

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint

pytestmark = pytest.mark.long


@reaches(
    Endpoint.LIST_SUBTASKS,
    Endpoint.CREATE_SUBTASK_GROUP,
    Endpoint.UPDATE_SUBTASK_GROUP,
    Endpoint.DELETE_SUBTASK_GROUP,
    Endpoint.CREATE_SUBTASK,
    Endpoint.MOVE_SUBTASKS,
    Endpoint.REPOSITION_SUBTASK,
    Endpoint.CLONE_SUBTASK,
    Endpoint.DELETE_SUBTASK,
    Endpoint.CONVERT_TO_SUBTASK,
    Endpoint.MOVE_SUBTASK_TO_BOARD,
)
async def test_subtasks_are_made_grouped_moved_copied_and_converted(day: Day) -> None:
    await day.go_to_card("second")
    await day.press("> ~first enter enter")
    await day.settled()
    assert day.held().cards["second"].parent == "first"
    await day.go_to_card("first")
    await day.press("enter 2 N ~Later enter")
    await day.settled()
    await day.press("g g j n ~one enter ~two enter escape")
    await day.settled()
    default = "Default Subtask Group"
    assert day.held().group(default) == ["second", "one", "two"]
    await day.press("K")
    await day.settled()
    assert day.held().group(default) == ["second", "two", "one"]
    await day.press("C")
    await day.settled()
    assert day.held().group(default) == ["second", "two", "two (cloned)", "one"]
    await day.press("D y")
    await day.settled()
    assert day.held().group(default) == ["second", "two", "one"]
    await day.press("G e ~! enter")
    await day.settled()
    assert ("first", "Later!") in day.held().groups
    await day.press("G k k v v m ~later enter")
    await day.settled()
    assert day.held().group("Later!") == ["two", "one"]
    await day.press("g g j < ~doing enter")
    await day.settled()
    assert day.held().cards["second"].stage == "Day/Doing"
    await day.press("G k k D y")
    await day.settled()
    assert day.held().groups == {("first", default)}
