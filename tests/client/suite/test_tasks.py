"""Tasks: made, changed property by property, archived, copied and deleted."""

from datetime import datetime

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene, needs
from tui.client import errors
from tui.client.capabilities import Feature
from tui.text import clean

pytestmark = pytest.mark.asyncio(loop_scope="session")

_DUE = datetime(2027, 5, 1, 9, 30)  # noqa: DTZ001 - on the person's wall


async def test_a_new_task_is_open_and_comes_last(scene: Scene) -> None:
    await scene.make("First")
    told = await scene.ann.create_task(scene.board_id, scene.stages[0], "Second", priority="high")
    task = await scene.task(told["id"])
    assert (task["title"], task["status"], task["priority"]) == ("Second", "open", "high")
    assert (task["board_id"], task["stage_id"], task["parent_id"]) == (
        scene.board_id,
        scene.stages[0],
        None,
    )
    assert (await scene.order())[-1] == task["id"]


async def test_properties_are_set(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    wanted = {
        "title": "Another",
        "description": "<p>Why &amp; how</p>",
        "status": "closed",
        "priority": "medium",
    }
    for name, value in wanted.items():
        changed = await scene.ann.set_task(scene.board_id, task_id, name, value)
        assert changed[name] == value
    task = await scene.task(task_id)
    assert {name: task[name] for name in wanted} == wanted


async def test_dates_are_set_and_taken_away(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    for name in ("due_at", "started_at", "remind_at"):
        changed = await scene.ann.set_task(scene.board_id, task_id, name, _DUE)
        assert changed[name] == f"{_DUE}" == (await scene.task(task_id))[name]
        await scene.ann.set_task(scene.board_id, task_id, name, None)
        assert (await scene.task(task_id))[name] is None


async def test_a_date_that_services_lose_is_refused_before_it_is_sent(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    with pytest.raises(errors.Refused, match="2038"):
        await scene.ann.set_task(scene.board_id, task_id, "due_at", _DUE.replace(year=2040))
    assert (await scene.task(task_id))["due_at"] is None


async def test_a_closed_task_stays_closed_when_it_gets_a_date(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    await scene.ann.set_task(scene.board_id, task_id, "status", "closed")
    changed = await scene.ann.set_task(scene.board_id, task_id, "due_at", _DUE)
    task = await scene.task(task_id)
    assert changed["status"] == task["status"] == "closed"
    assert task["due_at"] == f"{_DUE}"


async def test_an_archived_task_is_hidden_and_comes_back_on_top(scene: Scene) -> None:
    made = await scene.make("a", "b", "c")
    await scene.ann.set_task(scene.board_id, made[2], "archived_at", True)
    assert await scene.order() == made[:2]
    assert (await scene.task(made[2]))["archived_at"] is not None
    await scene.ann.set_task(scene.board_id, made[2], "archived_at", None)
    assert await scene.order() == [made[2], made[0], made[1]]


@needs(Feature.TASK_COPIES)
async def test_a_task_is_copied(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    label = await scene.label()
    await scene.ann.add_label(scene.board_id, task_id, label["id"])
    copy = await scene.ann.clone_task(
        scene.board_id, task_id, scene.stages[1], "Other", parts={"label"}
    )
    task = await scene.task(copy["id"])
    assert (task["title"], task["stage_id"], ids(task["labels"])) == (
        "Other",
        scene.stages[1],
        [label["id"]],
    )


async def test_a_task_is_deleted_or_it_is_said_that_it_is_still_there(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    if scene.service.quirks.task_delete_fails:
        with pytest.raises(errors.ApiError):
            await scene.ann.delete_task(scene.board_id, task_id)
        assert await scene.order() == [task_id]
        return
    await scene.ann.delete_task(scene.board_id, task_id)
    assert await scene.order() == []
    await scene.ann.delete_task(scene.board_id, task_id)


async def test_what_was_done_to_a_task_is_told_in_the_order_asked_for(scene: Scene) -> None:
    (task_id,) = await scene.make("One")
    await scene.ann.set_task(scene.board_id, task_id, "priority", "high")
    oldest = await scene.ann.activities(scene.board_id, task_id, order="oldest")
    newest = await scene.ann.activities(scene.board_id, task_id)
    assert ids(oldest.documents) == ids(newest.documents)[::-1]
    assert (oldest.documents[0]["action"], oldest.documents[0]["column"]) == ("created", "task")


async def test_hostile_text_of_a_title_is_harmless_once_cleaned(scene: Scene) -> None:
    (task_id,) = await scene.make("a\x1b[31mb\x9b1mc\u202ed")
    assert clean.line((await scene.task(task_id))["title"]) == "abcd"


async def test_what_changed_with_a_task_is_told_as_news(scene: Scene) -> None:
    made = await scene.make("a", "b")
    changed = await scene.ann.set_task(scene.board_id, made[0], "title", "New")
    assert changed["title"] == "New"
