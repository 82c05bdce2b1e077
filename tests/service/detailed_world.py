"""A furnished world with subtasks and custom fields in it."""

from functools import cache

from tests.service.world import World, furnished_world, memory_database
from tui.service.mail import MailQueue

_GROUPS = ((1, "Tools"), (1, "Seeds"), (2, "Other"))
_SUBTASKS = ((1, 1, "Spade"), (1, 1, "Rake"), (1, 2, "Peas"), (1, 1, "Lost"), (2, 3, "Wash"))
_FIELDS = (
    {"title": "Cost", "type": "number"},
    {"title": "Place", "type": "select", "options": ["North", "South"]},
    {"title": "Sunny", "type": "checkbox"},
    {"title": "When", "type": "date"},
    {"title": "Note", "type": "text"},
)


def detailed_world(*, mail: MailQueue | None = None) -> World:
    """What a furnished world holds, and on board 1 more; see `furnish_details`."""
    return World(memory_database(_detailed()), mail=mail)


@cache
def _detailed() -> bytes:
    world = furnished_world()
    furnish_details(world)
    content = world.link.serialize()
    world.close()
    return content


def furnish_details(world: World) -> None:
    """Add to board 1 of a furnished world.

    Task 1 has groups 1 (subtasks 4 and 5, and 7 which is archived) and 2 (subtask 6); task 2 has
    group 3 (subtask 8); task 9 is alone in stage 2. Custom fields 1 to 5 are a number, a select,
    a checkbox, a date and a text; task 1 has “North” in the second and subtask 4 a 12.50 in the
    first. Bob works on subtask 4, which has label 2.
    """
    for task, title in _GROUPS:
        path = f"/projects/1/tasks/{task}/subtask-group"
        world.done("ann", "POST", path, {"title": title})
    for task, group, title in _SUBTASKS:
        body = {"title": title, "group_id": group}
        world.done("ann", "POST", f"/projects/1/tasks/{task}/subtasks", body)
    loose = {"title": "Loose", "board_id": 1, "stage_id": 2, "priority": "high"}
    world.done("ann", "POST", "/projects/1/tasks", {"task": loose})
    archive = {"property": "archived_at", "value": True}
    world.done("ann", "PUT", "/projects/1/tasks/7", archive)
    assign = {"property": "assignees", "value": [world.id("bob")]}
    world.done("ann", "PUT", "/projects/1/tasks/4", assign)
    world.done("ann", "POST", "/projects/1/labels/task", {"taskId": 4, "labelId": 2})
    for field in _FIELDS:
        world.done("ann", "POST", "/projects/1/custom-field", {"customField": field})
    for task, field_id, value in ((1, 2, "North"), (4, 1, "12.50")):
        body = {"custom_field_id": field_id, "value": value}
        world.done("ann", "POST", f"/projects/1/tasks/{task}/custom-fields", body)


def subtasks_in(world: World, task_id: int = 1) -> dict[int, list[int]]:
    """The subtasks of a task by group, in the order in which they are listed."""
    groups = world.done("vic", "GET", f"/projects/1/tasks/{task_id}/subtasks").at("subtaskGroups")
    return {group["id"]: [subtask["id"] for subtask in group["subtasks"]] for group in groups}
