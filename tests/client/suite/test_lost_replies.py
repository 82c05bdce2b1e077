"""Writes whose reply is a fault though they took effect: what was wanted comes about, once."""

from contextlib import suppress
from datetime import datetime

import pytest

from tests.client.scripted import all_comments, ids
from tests.client.suite.scene import Scene
from tui.client import errors

pytestmark = pytest.mark.asyncio(loop_scope="session")

_DUE = datetime(2027, 5, 1, 9, 30)  # noqa: DTZ001 - on the person's wall


async def test_a_task_is_made_once(scene: Scene) -> None:
    with scene.failing():
        try:
            await scene.make("One")
        except errors.ApiError as error:
            assert error.may_have_happened  # noqa: PT017 - only some services raise
    tasks = await scene.ann.tasks(scene.board_id)
    assert [task["title"] for task in tasks] == ["One"]


async def test_a_comment_is_made_once(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    with scene.failing(), suppress(errors.ApiError):
        await scene.ann.create_comment(scene.board_id, task_id, "Said")
    comments = await all_comments(scene.ann, scene.board_id, task_id)
    assert [comment["description"] for comment in comments] == ["Said"]


async def test_people_are_assigned_and_watch(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    with scene.failing():
        for wanted in ({scene.id("bob")}, {scene.id("ann")}, set[int]()):
            await scene.ann.assign(scene.board_id, task_id, wanted)
            assert set(ids((await scene.task(task_id))["assignees"])) == wanted
        for on in (False, True):
            await scene.ann.watch(scene.board_id, task_id, on=on)
            assert (await scene.task(task_id))["is_watching"] is on


async def test_a_date_is_set(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    with scene.failing():
        await scene.ann.set_task(scene.board_id, task_id, "due_at", _DUE)
    assert (await scene.task(task_id))["due_at"] == f"{_DUE}"


async def test_a_task_is_moved(scene: Scene) -> None:
    a, b = await scene.make("a", "b", stage=1)
    (task_id,) = await scene.make("One")
    with scene.failing():
        await scene.place(task_id, 2, stage=1)
    assert await scene.order(1) == [a, task_id, b]


async def test_what_is_deleted_is_gone(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    comment = await scene.ann.create_comment(scene.board_id, task_id, "Said")
    label = await scene.label()
    with scene.failing():
        await scene.ann.delete_comment(scene.board_id, task_id, comment["id"])
        await scene.ann.delete_label(scene.board_id, label["id"])
        await scene.ann.delete_board(scene.board_id)
    with pytest.raises(errors.NotFound):
        await scene.ann.board(scene.board_id)
