"""Moves: the task stands where it was put, whatever the service makes of positions."""

import pytest

from tests.client.suite.scene import Scene, needs
from tui.client import errors
from tui.client.capabilities import Feature

pytestmark = pytest.mark.asyncio(loop_scope="session")

_MANY = 9


async def test_a_task_is_put_on_top_in_the_middle_and_at_the_end(scene: Scene) -> None:
    a, b, c = await scene.make("a", "b", "c")
    await scene.place(c, 1)
    assert await scene.order() == [c, a, b]
    await scene.place(c, 2)
    assert await scene.order() == [a, c, b]
    await scene.place(a, 3)
    assert await scene.order() == [c, b, a]


async def test_a_task_goes_to_a_place_in_another_stage(scene: Scene) -> None:
    a, b = await scene.make("a", "b", stage=1)
    (task_id,) = await scene.make("x")
    await scene.place(task_id, 2, stage=1)
    assert (await scene.order(1), await scene.order()) == ([a, task_id, b], [])


async def test_a_task_goes_to_an_empty_stage(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    await scene.place(task_id, 1, stage=1)
    assert await scene.order(1) == [task_id]


async def test_many_tasks_are_put_to_one_place_one_after_another(scene: Scene) -> None:
    resident = await scene.make("a", "b", stage=1)
    for place in (2, 1):
        arriving = await scene.make(*(f"Task {number}" for number in range(_MANY)))
        for task_id in arriving:
            await scene.place(task_id, place, stage=1)
        resident[place - 1 : place - 1] = reversed(arriving)
    assert await scene.order(1) == resident


async def test_a_place_past_the_end_is_the_end(scene: Scene) -> None:
    made = await scene.make("a", "b", "c")
    await scene.place(made[0], 40)
    assert await scene.order() == [made[1], made[2], made[0]]


async def test_a_stage_that_closes_closes_what_comes_and_nothing_reopens(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    await scene.place(task_id, 1, stage=2)
    assert (await scene.task(task_id))["status"] == "closed"
    await scene.place(task_id, 1)
    assert (await scene.task(task_id))["status"] == "closed"


async def test_a_move_among_others_that_have_moved_meanwhile(scene: Scene) -> None:
    a, b, c = await scene.make("a", "b", "c")
    seen = [one for one in await scene.lane() if one[0] != c]
    await scene.bob.move_task(scene.board_id, a, scene.stages[1], 1, await scene.lane(1))
    await scene.ann.move_task(scene.board_id, c, scene.stages[0], 2, seen)
    if scene.ann.service.capabilities.is_trusted:
        assert sorted(await scene.order()) == [b, c]  # told by number alone, not by neighbours
    else:
        assert await scene.order() == [c, b]


@needs(Feature.BOARD_MOVES)
async def test_a_task_goes_to_another_board(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    other = await scene.ann.create_board("Other", "", "to-do")
    stage = (await scene.ann.board(other["id"]))["stages"][0]
    await scene.ann.move_task(scene.board_id, task_id, stage["id"], 1, new_board_id=other["id"])
    assert (await scene.ann.task(other["id"], task_id))["stage_id"] == stage["id"]


async def test_a_task_is_never_lost_on_the_way_to_another_board(scene: Scene) -> None:
    (task_id,) = await scene.make("x")
    if Feature.BOARD_MOVES in scene.service.missing:
        with pytest.raises(errors.NotOffered, match="another board"):
            await scene.ann.move_task(
                scene.board_id, task_id, scene.stages[0], 1, new_board_id=scene.board_id + 1
            )
    assert await scene.order() == [task_id]
