"""Subtasks and their groups, of the extended edition."""

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene, needs
from tui.client import errors
from tui.client.capabilities import Feature
from tui.client.resources.subtasks import NO_GROUP

pytestmark = pytest.mark.asyncio(loop_scope="session")

_subtasks = needs(Feature.SUBTASK_GROUPS)


async def _groups(scene: Scene, task_id: int) -> dict[str, list[str]]:
    """The titles of subtasks by the title of their group, in order."""
    listed = await scene.ann.subtask_groups(scene.board_id, task_id)
    return {
        group["value"]: [
            subtask["title"]
            for subtask in sorted(group["subtasks"], key=lambda one: (one["position"], one["id"]))
        ]
        for group in listed
        if group["id"] != NO_GROUP
    }


async def _made(scene: Scene, *titles: str) -> tuple[int, int, list[int]]:
    """A task with a group of subtasks: the ids of task, group and subtasks."""
    (task_id,) = await scene.make("Parent")
    assert await _groups(scene, task_id) == {}
    group = await scene.ann.create_subtask_group(scene.board_id, task_id, "Steps")
    made = [
        (await scene.ann.create_subtask(scene.board_id, task_id, group["id"], title))["id"]
        for title in titles
    ]
    return task_id, group["id"], made


@needs(Feature.SUBTASKS)
async def test_a_task_has_no_subtasks_at_first(scene: Scene) -> None:
    (task_id,) = await scene.make("Parent")
    assert await _groups(scene, task_id) == {}


@_subtasks
async def test_subtasks_stand_in_their_group(scene: Scene) -> None:
    task_id, group_id, _ = await _made(scene, "a", "b")
    await scene.ann.create_subtask(scene.board_id, task_id, group_id, "c", on_top=True)
    assert await _groups(scene, task_id) == {"Steps": ["c", "a", "b"]}
    assert await scene.order() == [task_id]


@_subtasks
async def test_groups_are_renamed_and_deleted(scene: Scene) -> None:
    task_id, group_id, _ = await _made(scene, "a")
    await scene.ann.rename_subtask_group(scene.board_id, task_id, group_id, "Parts")
    assert await _groups(scene, task_id) == {"Parts": ["a"]}
    await scene.ann.delete_subtask_group(scene.board_id, task_id, group_id)
    assert await _groups(scene, task_id) == {}


@_subtasks
async def test_subtasks_go_to_another_place_and_another_group(scene: Scene) -> None:
    task_id, _, (a, b, c) = await _made(scene, "a", "b", "c")
    await scene.ann.place_subtask(scene.board_id, c, 0, 1)
    assert await _groups(scene, task_id) == {"Steps": ["c", "a", "b"]}
    other = await scene.ann.create_subtask_group(scene.board_id, task_id, "More")
    await scene.ann.move_subtasks(scene.board_id, task_id, other["id"], [a, b])
    assert await _groups(scene, task_id) == {"Steps": ["c"], "More": ["a", "b"]}
    await scene.ann.place_subtask(scene.board_id, c, other["id"], 2)
    assert await _groups(scene, task_id) == {"Steps": [], "More": ["a", "c", "b"]}


@_subtasks
async def test_a_subtask_is_closed_assigned_copied_and_deleted(scene: Scene) -> None:
    task_id, _, (a, b) = await _made(scene, "a", "b")
    await scene.ann.set_task(scene.board_id, a, "status", "closed")
    await scene.ann.assign(scene.board_id, a, {scene.id("bob")})
    await scene.ann.clone_subtask(scene.board_id, a)
    assert await _groups(scene, task_id) == {"Steps": ["a", "a (cloned)", "b"]}
    listed = (await scene.ann.subtask_groups(scene.board_id, task_id))[0]["subtasks"]
    closed = next(subtask for subtask in listed if subtask["id"] == a)
    assert (closed["status"], ids(closed["assignees"])) == ("closed", [scene.id("bob")])
    await scene.ann.delete_subtask(scene.board_id, b)
    assert await _groups(scene, task_id) == {"Steps": ["a", "a (cloned)"]}


@_subtasks
async def test_a_task_becomes_a_subtask_and_a_task_again(scene: Scene) -> None:
    task_id, group_id, _ = await _made(scene, "a")
    (other,) = await scene.make("b")
    await scene.ann.task_to_subtask(scene.board_id, other, task_id, group_id=group_id)
    assert await _groups(scene, task_id) == {"Steps": ["a", "b"]}
    assert await scene.order() == [task_id]
    await scene.ann.subtask_to_task(scene.board_id, other, scene.stages[1])
    assert await _groups(scene, task_id) == {"Steps": ["a"]}
    assert await scene.order(1) == [other]


@_subtasks
async def test_a_subtask_without_a_title_is_refused(scene: Scene) -> None:
    task_id, group_id, _ = await _made(scene)
    with pytest.raises(errors.Refused):
        await scene.ann.create_subtask(scene.board_id, task_id, group_id, "")
    assert await _groups(scene, task_id) == {"Steps": []}
