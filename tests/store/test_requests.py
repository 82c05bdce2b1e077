"""How much is asked of a service: of its own and of each deployed edition."""

from functools import partial
from pathlib import Path

import pytest

from tests.store.counted import EDITIONS, counted
from tests.store.counted_actions import ACTIONS

pytestmark = pytest.mark.long

_MANY = 1_000
_SOME = 60
_OLDER = frozenset({"older free", "old paid"})
_NOT_YET = {"restore a stage"}
"""What asks for the tasks of a board by itself, at services that leave changes out."""


@pytest.mark.parametrize("edition", ["embedded", "recent free"])
async def test_a_second_start_reads_no_tasks(tmp_path: Path, edition: str) -> None:
    async with counted(tmp_path, edition, _MANY) as one:
        first = await one.counting(one.start)
        assert first.lists == 1
        assert first.bytes > 1_600_000
        await one.end()
        one.clock.advance(3_600)
        second = await one.counting(one.start)
        assert (second.lists, second.requests <= 4, second.bytes <= 80_000) == (0, True, True)
        assert one.view.complete
        assert sum(1 for _ in one.view.all_tasks()) == _MANY


@pytest.mark.parametrize("edition", sorted(_OLDER))
async def test_a_second_start_within_a_minute_reads_no_tasks(tmp_path: Path, edition: str) -> None:
    async with counted(tmp_path, edition, _SOME) as one:
        await one.start()
        await one.end()
        one.clock.advance(30)
        second = await one.counting(one.start)
        assert (second.lists, second.requests <= 4, second.bytes <= 80_000) == (0, True, True)
        await one.end()
        one.clock.advance(3_600)
        assert (await one.counting(one.start)).lists == 1, "nobody tells what happened meanwhile"


@pytest.mark.parametrize("edition", EDITIONS)
async def test_an_idle_minute_costs_little(tmp_path: Path, edition: str) -> None:
    async with counted(tmp_path, edition, _SOME) as one:
        await one.start()
        requests, size = (10, 60_000) if edition in _OLDER else (8, 15_000)
        for _ in range(3):
            minute = await one.counting(lambda: one.pass_time(60))
            assert minute.requests <= requests
            assert minute.bytes <= size
            assert minute.lists == 0


@pytest.mark.parametrize("edition", EDITIONS)
async def test_an_own_change_asks_for_itself_alone(tmp_path: Path, edition: str) -> None:
    async with counted(tmp_path, edition, _SOME) as one:
        await one.start()
        for name, act in ACTIONS.items():
            await one.store.refresh(one.board_id)
            await one.rest()
            done = await one.counting(partial(act, one))
            may_list = name in _NOT_YET and edition != "embedded"
            assert done.lists <= may_list, name
            later = await one.counting(lambda: one.pass_time(30))
            assert later.lists == 0, (name, later.asked)
