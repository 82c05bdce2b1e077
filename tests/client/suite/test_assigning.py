"""Who works on a task, and who watches it."""

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _assigned(scene: Scene, task_id: int) -> set[int]:
    return set(ids((await scene.task(task_id))["assignees"]))


async def test_people_are_assigned_changed_and_taken_away(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    ann, bob = scene.id("ann"), scene.id("bob")
    for wanted in ({ann}, {ann, bob}, {bob}, {bob}, set(), {ann, bob}, set()):
        changed = await scene.ann.assign(scene.board_id, task_id, wanted)
        assert set(ids(changed["assignees"])) == wanted == await _assigned(scene, task_id)


async def test_whom_somebody_else_added_goes_too_when_not_wanted(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    ann, bob = scene.id("ann"), scene.id("bob")
    await scene.ann.assign(scene.board_id, task_id, {ann})
    await scene.bob.assign(scene.board_id, task_id, {ann, bob})
    await scene.ann.assign(scene.board_id, task_id, {ann})
    assert await _assigned(scene, task_id) == {ann}


async def test_an_assignee_is_among_those_who_can_be_assigned(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    await scene.ann.assign(scene.board_id, task_id, {scene.id("bob")})
    listed = await scene.ann.assignees(scene.board_id)
    assert scene.id("bob") in ids(listed)


async def test_watching_begins_and_ends(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    for on in (False, True, True, False):
        changed = await scene.ann.watch(scene.board_id, task_id, on=on)
        assert changed["is_watching"] is on is (await scene.task(task_id))["is_watching"]


async def test_each_watches_for_themselves(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    await scene.ann.watch(scene.board_id, task_id, on=False)
    await scene.bob.watch(scene.board_id, task_id, on=True)
    assert (await scene.task(task_id))["is_watching"] is False
