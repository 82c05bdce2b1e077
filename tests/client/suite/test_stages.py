"""Stages: made, renamed, put in order, sorted, archived and brought back."""

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene
from tui.client.capabilities import Feature
from tui.client.errors import NotOffered

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _stages(scene: Scene) -> list[int]:
    stages = (await scene.ann.board(scene.board_id))["stages"]
    in_order = sorted(stages, key=lambda stage: (stage["position"], stage["id"]))
    return ids(in_order)


async def test_a_new_stage_comes_last_and_closes_tasks_if_told(scene: Scene) -> None:
    told = await scene.ann.create_stage(scene.board_id, "Done", status="closed")
    made = next(stage for stage in told if stage["title"] == "Done")
    assert await _stages(scene) == [*scene.stages, made["id"]]
    assert made["settings"]["default_task_status"] == "closed"


async def test_a_stage_is_renamed_and_the_way_is_remembered(scene: Scene) -> None:
    first = scene.stages[0]
    for title in ("Soon", "Sooner"):
        await scene.ann.update_stage(scene.board_id, first, title=title)
        board = await scene.ann.board(scene.board_id)
        assert next(stage["title"] for stage in board["stages"] if stage["id"] == first) == title
    assert scene.ann.service.capabilities.stage_body is not None


async def test_stages_are_put_in_another_order(scene: Scene) -> None:
    order = [scene.stages[2], scene.stages[0], scene.stages[1]]
    await scene.ann.reposition_stages(scene.board_id, order)
    assert await _stages(scene) == order


async def test_a_stage_is_sorted_by_title(scene: Scene) -> None:
    made = await scene.make("b", "c", "a")
    await scene.ann.sort_tasks(scene.board_id, scene.stages[0], by="title")
    assert await scene.order() == [made[2], made[0], made[1]]


async def test_high_priority_is_sorted_first(scene: Scene) -> None:
    made = await scene.make("a", "b", "c")
    for task_id, priority in zip(made, ("low", "high", "medium"), strict=True):
        await scene.ann.set_task(scene.board_id, task_id, "priority", priority)
    await scene.ann.sort_tasks(scene.board_id, scene.stages[0], by="priority")
    assert await scene.order() == [made[1], made[2], made[0]]


async def test_an_archived_stage_hides_its_tasks_and_is_listed(scene: Scene) -> None:
    await scene.make("Hidden")
    archived = await scene.ann.archive_stage(scene.board_id, scene.stages[0])
    assert archived["archived_at"] is not None
    assert await scene.order() == []
    assert ids(await scene.ann.archived_stages(scene.board_id)) == [scene.stages[0]]


async def test_a_restored_stage_has_its_tasks_in_their_order(scene: Scene) -> None:
    made = await scene.make("a", "b", "c")
    order = [made[1], made[2], made[0]]
    await scene.place(made[0], 3)
    await scene.ann.archive_stage(scene.board_id, scene.stages[0])
    await scene.ann.restore_stage(scene.board_id, scene.stages[0], order)
    assert await scene.order() == order
    assert scene.stages[0] in await _stages(scene)


async def test_a_reply_may_lack_some_of_many_tasks_of_a_restored_stage(scene: Scene) -> None:
    made = await scene.make(*map(str, range(36)))
    order = [made[0], *made[2:4], made[1], *made[4:]]
    await scene.place(made[1], 4)
    await scene.ann.archive_stage(scene.board_id, scene.stages[0])
    await scene.ann.restore_stage(scene.board_id, scene.stages[0], order)
    assert await scene.order() == order


async def test_the_tasks_of_a_stage_are_archived_at_once(scene: Scene) -> None:
    made = await scene.make("a", "b")
    await scene.ann.archive_tasks(scene.board_id, scene.stages[0])
    assert await scene.order() == []
    assert (await scene.task(made[0]))["archived_at"] is not None


async def test_archived_tasks_are_listed_or_it_is_known_that_they_are_not(scene: Scene) -> None:
    a, b, _ = await scene.make("a", "b", "c")
    for task_id in (a, b):
        await scene.ann.set_task(scene.board_id, task_id, "archived_at", "2026-11-20 09:00:00")
    is_listed = scene.service.quirky is None or scene.service.quirks.archived_tasks_listed
    if is_listed:
        listed = await scene.ann.archived_tasks(scene.board_id)
        assert sorted(task["id"] for task in listed) == [a, b]
    else:
        with pytest.raises(NotOffered):
            await scene.ann.archived_tasks(scene.board_id)
        assert scene.ann.service.offers(Feature.ARCHIVE_PAGES) is False
    announces = scene.service.quirky is None
    assert scene.ann.service.offers(Feature.ARCHIVED_TASKS) is announces


async def test_the_places_in_a_stage_are_counted_from_one(scene: Scene) -> None:
    await scene.make("a", "b")
    places = await scene.ann.available_positions(scene.board_id, scene.stages[0])
    assert places == (1, 2, 3)


async def test_tasks_are_put_in_an_order(scene: Scene) -> None:
    a, b, c, d = await scene.make("a", "b", "c", "d")
    await scene.ann.order_tasks(scene.board_id, scene.stages[0], [c, a, d + 100, b])
    assert [one for one in await scene.order() if one != d] == [c, a, b]


async def test_a_setting_of_a_stage_leaves_the_others(scene: Scene) -> None:
    first, client = scene.stages[0], scene.ann
    for name, value in (("default_task_assignees", [scene.id("ann")]), ("is_template", True)):
        await client.set_stage_setting(scene.board_id, first, "To do", name, value)
    await client.set_stage_color(scene.board_id, first, "To do", "#4bce97")
    board = await scene.ann.board(scene.board_id)
    stage = next(stage for stage in board["stages"] if stage["id"] == first)
    assert [int(one) for one in stage["settings"]["default_task_assignees"]] == [scene.id("ann")]
    assert (stage["settings"]["is_template"], stage["bg_color"]) == (True, "#4bce97")
    await client.set_stage_color(scene.board_id, first, "To do", "")
    board = await scene.ann.board(scene.board_id)
    assert not next(stage["bg_color"] for stage in board["stages"] if stage["id"] == first)
