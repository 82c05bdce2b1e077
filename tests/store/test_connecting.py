"""A service that cannot be asked as things are: said, left in peace, and tried when asked."""

from collections.abc import Awaitable, Callable

import pytest

from tests.store.faults import Fault
from tests.store.party import Party
from tests.store.service import BOARD, OPEN, Service
from tests.store.test_sync import pass_time
from tui.errors import CallboardError
from tui.store.operations import set_title

REFUSED = "The password is not accepted."


async def test_what_keeps_from_connecting_is_said_everywhere_until_it_is_put_right(
    party: Party,
) -> None:
    tried: list[str] = []

    async def again() -> None:
        tried.append("again")
        if len(tried) == 1:
            raise CallboardError("Still nothing.")
        party.store.connect(party.remote)

    party.store.cannot_connect(
        CallboardError("There is no password.", hint="Log in."), reconnect=again
    )
    for board_id in (None, BOARD):
        status = party.store.status(board_id)
        assert (status.problem, status.remedy) == ("There is no password.", "Log in.")
    assert await refusal(party.store.refresh) == "Still nothing."
    await party.store.refresh()
    assert party.store.status().problem == ""
    assert party.store.status().checked_at is not None
    assert [board.id for board in party.store.boards()] == [BOARD]


async def test_a_wrong_password_is_not_tried_again_by_itself(
    started: Party, service: Service
) -> None:
    async def again() -> None:
        started.store.connect(started.remote, reconnect=again)

    started.store.connect(started.remote, reconnect=again)
    started.remote.trouble = lambda _: Fault.LOCKED_OUT
    await started.store.submit(set_title(started.task("Alpha"), "Omega"))
    await started.until(lambda: started.store.status(BOARD).problem)
    await started.until(lambda: not started.store.status(BOARD).busy)
    started.remote.calls.clear()
    await pass_time(started, 4_000)
    assert started.remote.calls == []
    assert started.store.status().problem == started.store.status(BOARD).problem == REFUSED
    assert started.store.status(BOARD).pending == 1
    await started.store.refresh(BOARD)
    assert 1 <= len(started.remote.calls) <= 2
    started.remote.trouble = lambda _: None
    await started.store.refresh(BOARD)
    await started.until(lambda: not started.store.pending())
    assert service.titles(OPEN)[0] == "Omega"
    assert started.store.status(BOARD).problem == started.store.status().problem == ""


async def refusal(ask: Callable[[], Awaitable[object]]) -> str:
    """What is said when something cannot be done."""
    with pytest.raises(CallboardError) as problem:
        await ask()
    return problem.value.message
