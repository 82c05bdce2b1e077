"""Writes to one board go out one after another."""

import asyncio

import httpx
import pytest

from tests.client.scripted import session
from tui.client.endpoints import Endpoint, RequestLine
from tui.client.errors import TimedOut, UnexpectedAnswer
from tui.client.http.retry import Timeouts
from tui.client.http.session import HttpSession

READ = Endpoint.GET_BOARD.at(1)
BOARDLESS = Endpoint.CREATE_BOARD.at()


def _write(board_id: int, task_id: int) -> RequestLine:
    return Endpoint.UPDATE_TASK.at(board_id, task_id)


class Gate(httpx.AsyncBaseTransport):
    """Keeps every request until it is let through, and notes in which order they came."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self._waiting: list[asyncio.Future[int]] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.came.append(request.url.path.rpartition("/")[2])
        waiting: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        return httpx.Response(await waiting, json={})

    def let_through(self, status: int = 200) -> None:
        """Answer the one that has waited longest."""
        while self._waiting[0].cancelled():
            self._waiting.pop(0)
        self._waiting.pop(0).set_result(status)


async def _settle() -> None:
    """Let everybody run until nobody can."""
    for _ in range(20):
        await asyncio.sleep(0)


def _begin(one: HttpSession, route: RequestLine) -> asyncio.Task[object]:
    return asyncio.create_task(one.call(route, body={}))


async def test_writes_to_a_board_keep_their_order() -> None:
    gate = Gate()
    one = session(gate)
    calls = [_begin(one, _write(1, task_id)) for task_id in (5, 3, 4)]
    for sent in (["5"], ["5", "3"], ["5", "3", "4"]):
        await _settle()
        assert gate.came == sent
        gate.let_through()
    await asyncio.gather(*calls)


async def test_reads_and_other_boards_do_not_wait() -> None:
    gate = Gate()
    one = session(gate)
    calls = [_begin(one, route) for route in (_write(1, 5), READ, _write(2, 6), BOARDLESS)]
    await _settle()
    assert sorted(gate.came) == ["1", "5", "6", "projects"]
    for _ in calls:
        gate.let_through()
    await asyncio.gather(*calls)


async def test_a_write_that_fails_lets_the_next_one_through() -> None:
    gate = Gate()
    one = session(gate)
    first, second = _begin(one, _write(1, 5)), _begin(one, _write(1, 6))
    await _settle()
    gate.let_through(500)
    with pytest.raises(UnexpectedAnswer):
        await first
    await _settle()
    gate.let_through()
    await second


@pytest.mark.parametrize("which", [0, 1])
async def test_a_cancelled_write_holds_nobody_up(which: int) -> None:
    gate = Gate()
    one = session(gate)
    calls = [_begin(one, _write(1, task_id)) for task_id in (5, 6, 7)]
    await _settle()
    calls.pop(which).cancel()
    await _settle()
    for _ in calls:
        gate.let_through()
        await _settle()
    await asyncio.gather(*calls)
    assert gate.came == (["5", "6", "7"] if which == 0 else ["5", "7"])


async def test_who_waits_for_a_turn_still_has_all_the_time() -> None:
    gate = Gate()
    one = session(gate, timeouts=Timeouts(total=0.2))
    first, second = _begin(one, _write(1, 5)), _begin(one, _write(1, 6))
    with pytest.raises(TimedOut):
        await first
    await _settle()
    assert gate.came == ["5", "6"]
    gate.let_through()
    await second


async def test_a_board_that_nobody_writes_to_is_forgotten() -> None:
    gate = Gate()
    one = session(gate)
    call = _begin(one, _write(1, 5))
    await _settle()
    assert list(one._boards_written) == ["1"]
    gate.let_through()
    await call
    assert list(one._boards_written) == []
