"""Tasks, from the keyboard to the service."""

from tests.day.world import Day
from tests.endpoints.reached import reaches
from tui.client.endpoints import Endpoint
from tui.screens.task.screen import TaskScreen


@reaches(
    Endpoint.LIST_TASKS,
    Endpoint.GET_TASK,
    Endpoint.CREATE_TASK,
    Endpoint.UPDATE_TASK,
    Endpoint.DELETE_TASK,
    Endpoint.MOVE_TASK,
    Endpoint.CLONE_TASK,
    Endpoint.LIST_TASK_ACTIVITIES,
)
async def test_tasks_are_made_changed_moved_copied_and_deleted(day: Day) -> None:
    await day.press("R")
    await day.settled()
    await day.go_to_card("first")
    await day.press("n ~fifth enter escape")
    await day.settled()
    assert day.held().stage("Day/Backlog") == ["first", "fifth", "second", "third", "fourth"]
    await day.press("e ctrl+u ~new enter p h L")
    await day.settled()
    card = day.held().cards["new"]
    assert (card.stage, card.priority) == ("Day/Doing", "high")
    await day.press("C enter")
    await day.settled()
    assert len(day.held().cards) == 6
    await day.go_to_card("second")
    await day.press("D y")
    await day.settled()
    assert "second" not in day.held().cards
    await day.go_to_card("new")
    await day.press("enter 5")
    await day.until(lambda: "moved it from Backlog to Doing" in day.person.text, "the activity")
    assert isinstance(day.app.screen, TaskScreen)
