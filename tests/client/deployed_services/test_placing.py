"""A task stands where it was put, or it is said that it does not."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from tests.client.deployed_services.deployed import (
    BOARD,
    DONE,
    NO_ROUTE,
    OPEN,
    Deployed,
    examples,
    refused,
)
from tui.client import errors
from tui.client.capabilities import Capabilities, Feature
from tui.client.client import Client
from tui.client.documents import Document

_FAULT = {"code": "internal_server_error", "message": "<p>critical</p>", "data": {"status": 500}}


def _service(*task_ids: int, **options: Any) -> Deployed:
    service = Deployed(**options)
    for task_id in task_ids or (1, 2, 3, 4):
        service.add(task_id)
    return service


async def _put(
    service: Deployed, client: Client, task_id: int, index: int, stage_id: int = OPEN
) -> Document:
    """Put a task somewhere, knowing the stage as it is."""
    others = service.positions(stage_id, but=task_id)
    return await client.move_task(BOARD, task_id, stage_id, index, others)


def _inserted(order: list[int], task_id: int, index: int) -> list[int]:
    others = [one for one in order if one != task_id]
    return [*others[: index - 1], task_id, *others[index - 1 :]]


@pytest.mark.parametrize("task_id", [1, 2, 3, 4])
@pytest.mark.parametrize("index", [1, 2, 3, 4])
async def test_every_place_with_one_call(task_id: int, index: int) -> None:
    service = _service()
    wanted = _inserted(service.order(), task_id, index)
    async with service.client() as client:
        placed = await _put(service, client, task_id, index)
    assert service.order() == wanted
    assert placed["position"] == float(service.tasks[task_id]["position"])
    assert len(service.asked) == 1


async def test_to_append_is_to_send_one_more_than_there_are() -> None:
    service = _service()
    service.add(9, DONE)
    async with service.client() as client:
        await _put(service, client, 9, 5)
        await _put(service, client, 1, 1, DONE)
    assert service.order() == [2, 3, 4, 9]
    assert service.order(DONE) == [1]
    assert [body["newIndex"] for _, body in service.asked] == [5, 1]


async def test_many_inserts_at_one_place() -> None:
    service = _service(*range(1, 21))
    async with service.client() as client:
        for _ in range(18):
            last = service.order()[-1]
            wanted = _inserted(service.order(), last, 2)
            await _put(service, client, last, 2)
            assert service.order() == wanted
    assert service.count("sort-task") <= 4


async def test_many_inserts_at_one_place_far_down_a_long_stage() -> None:
    service = _service(*range(1, 151))
    async with service.client() as client:
        for _ in range(12):
            last = service.order()[-1]
            wanted = _inserted(service.order(), last, 75)
            await _put(service, client, last, 75)
            assert service.order() == wanted


async def test_a_place_far_down_a_long_stage_is_kept_when_all_around_it_leave() -> None:
    service = _service(*range(1, 151))
    known = service.positions(but=1)
    for gone in range(20, 110):
        service.tasks[gone]["archived_at"] = "2026-11-21 12:00:00"
    async with service.client() as client:
        await client.move_task(BOARD, 1, OPEN, 60, known)
    assert service.order().index(1) == 59


@pytest.mark.parametrize("reverses_ties", [False, True])
async def test_many_inserts_on_top(reverses_ties: bool) -> None:
    service = _service(1, 2, 3, reverses_ties=reverses_ties)
    async with service.client() as client:
        for _ in range(24):
            last = service.order()[-1]
            wanted = _inserted(service.order(), last, 1)
            await _put(service, client, last, 1)
            assert service.order() == wanted


_moves = st.lists(
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from([OPEN, OPEN, OPEN, DONE])),
    max_size=24,
)


@settings(max_examples=examples(15), deadline=None)
@given(moves=_moves, runs_out=st.booleans(), reverses_ties=st.booleans())
async def test_any_moves_come_out_right(
    moves: list[tuple[int, int, int]], runs_out: bool, reverses_ties: bool
) -> None:
    service = _service(1, 2, 3, 4, 5, runs_out=runs_out, reverses_ties=reverses_ties)
    async with service.client() as client:
        for task_id, index, stage_id in moves:
            wanted = _inserted(service.order(stage_id), task_id, index)
            service.asked.clear()
            placed = await _put(service, client, task_id, index, stage_id)
            assert service.order(stage_id) == wanted
            assert placed["stage_id"] == stage_id
            assert service.count("move-task") <= 3
            assert service.count("sort-task") <= 1


@settings(max_examples=examples(15), deadline=None)
@given(
    moves=_moves,
    tied=st.lists(st.integers(1, 5), max_size=5),
    reverses_ties=st.booleans(),
)
async def test_in_a_stage_that_is_tied_already_a_task_comes_between_its_neighbours(
    moves: list[tuple[int, int, int]], tied: list[int], reverses_ties: bool
) -> None:
    service = _service(1, 2, 3, 4, 5, reverses_ties=reverses_ties)
    for task_id in tied:
        service.tasks[task_id]["position"] = Decimal(2)
    async with service.client() as client:
        for task_id, index, _ in moves:
            others = [one for one in service.order() if one != task_id]
            await _put(service, client, task_id, index)
            _expect_between(service.order(), task_id, others[: index - 1][-1:], others[index - 1 :])


def _expect_between(order: list[int], task_id: int, above: list[int], below: list[int]) -> None:
    """Right after one and before the other; one of them, where spreading put them in new order."""
    mine = order.index(task_id)
    is_below = not above or order.index(above[0]) < mine
    is_above = not below or mine < order.index(below[0])
    crossed = above and below and order.index(above[0]) > order.index(below[0])
    assert (is_below or is_above) if crossed else (is_below and is_above)


async def test_the_number_is_counted_anew_where_others_moved_meanwhile() -> None:
    service = _service(1, 2, 3, 4)
    known = service.positions(but=4)
    service.tasks[1]["stage_id"] = DONE
    async with service.client() as client:
        await client.move_task(BOARD, 4, OPEN, 3, known)
    assert service.order() == [2, 4, 3]


async def test_it_is_not_counted_by_what_is_old_news() -> None:
    service = _service(1, 2, 3, 4)
    known = service.positions(but=4)
    service.add(8, position=Decimal("0.25"))
    service.add(9, position=Decimal("0.50"))
    service.touched = {1, 2}
    async with service.client() as client:
        await client.move_task(BOARD, 4, OPEN, 2, known)
    assert service.order() == [8, 9, 1, 4, 2, 3]
    assert service.count("sort-task") == 0


async def test_a_task_that_was_to_go_to_the_end_does_not_go_on_top_when_others_left() -> None:
    service = _service(1, 2, 3, 4)
    known = service.positions(but=1)
    service.tasks[3]["archived_at"] = "2026-11-21 12:00:00"
    async with service.client() as client:
        await client.move_task(BOARD, 1, OPEN, 4, known)
    assert service.order() == [2, 4, 1]


async def test_who_does_not_know_the_stage_has_it_read() -> None:
    service = _service(1, 2, 3, 4)
    async with service.client() as client:
        await client.move_task(BOARD, 1, OPEN, 3)
        await client.move_task(BOARD, 2, OPEN, 99)
    assert service.order() == [3, 4, 1, 2] or service.order() == [3, 1, 4, 2]


async def test_a_silent_non_move_is_healed() -> None:
    service = _service(1, 2, 3)
    service.tasks[2]["position"] = service.tasks[1]["position"]
    async with service.client() as client:
        await _put(service, client, 3, 2)
    assert service.order() == [1, 3, 2]
    assert [call.rpartition("/")[2] for call, _ in service.asked] == [
        "move-task",
        "tasks",
        "sort-task",
        "move-task",
    ]


async def test_what_does_not_move_at_all_is_never_called_a_success() -> None:
    service = _service(1, 2, 3, moves=False)
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match="the task is in another place") as caught:
            await _put(service, client, 3, 1)
    assert not caught.value.is_passing
    assert not caught.value.may_have_happened
    assert service.count("move-task") == 3


async def test_a_stage_that_is_not_reached_is_never_called_a_success() -> None:
    service = _service(1, 2, 3, moves=False)
    service.add(9, DONE)
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match="the task is in another place"):
            await _put(service, client, 3, 1, DONE)


def _once(part: str, answer: Callable[[], httpx.Response]) -> Callable[..., Any]:
    left = [answer]

    def play(call: str) -> httpx.Response | None:
        return left.pop()() if left and part in call else None

    return play


def _broken() -> httpx.Response:
    raise httpx.ReadError("gone")


async def test_a_fault_after_the_move_is_none() -> None:
    service = _service()
    service.falter = _once("move-task", lambda: refused(500, _FAULT))
    async with service.client() as client:
        assert (await _put(service, client, 4, 1))["id"] == 4
    assert service.order() == [4, 1, 2, 3]
    assert service.count("move-task") == 1


@pytest.mark.parametrize(
    ("answer", "kind"), [(lambda: refused(500, _FAULT), errors.ServerFault), (_broken, Exception)]
)
async def test_a_fault_before_the_move_is_passed_on_and_nothing_repeated(
    answer: Callable[[], httpx.Response], kind: type[Exception]
) -> None:
    service = _service()
    service.interfere = _once("move-task", answer)
    async with service.client() as client:
        with pytest.raises(kind):
            await _put(service, client, 4, 1)
    assert service.count("move-task") == 1
    assert service.order() == [1, 2, 3, 4]


async def test_a_reply_without_a_position_has_the_board_read() -> None:
    service = _service()
    bare = {"task": {"id": 4, "title": "T4"}, "updatedTasks": []}
    service.falter = _once("move-task", lambda: httpx.Response(200, json=bare))
    async with service.client() as client:
        placed = await _put(service, client, 4, 1)
    assert placed["stage_id"] == OPEN
    assert service.count("GET") == 1


async def test_moving_to_another_board_is_never_sent_where_it_loses_the_task() -> None:
    service = _service()
    service.interfere = lambda call: None if "/tasks" in call else refused(404, NO_ROUTE)
    async with service.client() as client:
        with pytest.raises(errors.NotOffered, match="moving a card to another board"):
            await client.move_task(BOARD, 1, 99, 1, new_board_id=2)
        asked = len(service.asked)
        with pytest.raises(errors.NotOffered):
            await client.move_task(BOARD, 1, 99, 1, new_board_id=2)
    assert service.count("move-task") == 0
    assert len(service.asked) == asked


async def test_moving_to_another_board_is_read_back_there() -> None:
    service = _service()
    moved = {"id": 1, "board_id": 2, "stage_id": 99, "position": "1.00"}

    def answer(call: str) -> httpx.Response | None:
        if "move-task" in call:
            return httpx.Response(200, json={"task": moved})
        if call == "GET /projects/2/tasks":
            return httpx.Response(200, json={"tasks": [moved]})
        return None

    service.interfere = answer
    known = Capabilities(offered=frozenset({Feature.BOARD_MOVES}))
    async with service.client(known) as client:
        placed = await client.move_task(BOARD, 1, 99, 1, new_board_id=2)
    assert placed["board_id"] == 2
    assert service.asked[0][1] == {"newStageId": 99, "newIndex": 1, "newBoardId": 2}
    assert [call.partition(" ")[0] for call, _ in service.asked] == ["PUT", "GET"]


async def test_the_same_board_is_no_other_board() -> None:
    service = _service()
    async with service.client() as client:
        await client.move_task(BOARD, 1, DONE, 1, new_board_id=BOARD)
    assert service.order(DONE) == [1]
    assert service.asked[0][1] == {"newStageId": DONE, "newIndex": 1}


async def test_a_trusted_service_is_told_once_and_asked_nothing() -> None:
    service = _service(moves=False)
    async with service.client(Capabilities.embedded()) as client:
        await client.move_task(BOARD, 1, DONE, 3)
    assert service.count("move-task") == 1
    assert len(service.asked) == 1
