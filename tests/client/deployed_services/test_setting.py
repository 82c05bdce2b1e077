"""Properties of tasks, set as the service understands them."""

from datetime import datetime
from typing import Any

import httpx
import pytest

from tests.client.deployed_services.deployed import BOARD, Deployed, refused
from tests.harness.zones import zone_of_machine
from tui.client import errors
from tui.client.capabilities import Capabilities

TASK = 7
DUE = "2026-12-01 17:30:00"


def _service(**more: Any) -> Deployed:
    service = Deployed()
    service.add(TASK, **more)
    return service


def _sent(service: Deployed) -> list[tuple[str, object]]:
    return [
        (body["property"], body["value"]) for call, body in service.asked if call.startswith("PUT")
    ]


@pytest.mark.parametrize("when", [DUE, datetime(2026, 12, 1, 17, 30, 0, 9)])  # noqa: DTZ001  wall
async def test_a_date_is_sent_plainly_and_read_again(when: object) -> None:
    service = _service()
    async with service.client() as client:
        changed = await client.set_task(BOARD, TASK, "due_at", when)
    assert str(changed["due_at"]) == DUE
    assert _sent(service) == [("due_at", DUE)]
    assert service.asked[-1][0].startswith("GET")


@pytest.mark.parametrize("nothing", [None, ""])
async def test_no_date_is_null(nothing: object) -> None:
    service = _service(due_at=DUE)
    async with service.client() as client:
        changed = await client.set_task(BOARD, TASK, "due_at", nothing)
    assert changed["due_at"] is None
    assert _sent(service) == [("due_at", None)]


@pytest.mark.parametrize("when", ["2039-01-01 00:00:00", "9999-12-31 23:59:59"])
@pytest.mark.parametrize("name", ["due_at", "started_at", "remind_at"])
async def test_a_year_that_cannot_be_kept_is_never_sent(name: str, when: str) -> None:
    service = _service()
    async with service.client() as client:
        with pytest.raises(errors.Refused, match="the last possible year is 2038") as caught:
            await client.set_task(BOARD, TASK, name, when)
    assert list(caught.value.params) == [name]
    assert service.asked == []


async def test_a_year_that_is_too_late_at_the_site_is_never_sent_either() -> None:
    service = _service()
    with zone_of_machine("UTC"):
        async with service.client(timezone="+14:00") as client:
            with pytest.raises(errors.Refused, match="2038"):
                await client.set_task(BOARD, TASK, "due_at", "2038-12-31 23:30:00")
    assert service.asked == []


async def test_what_is_no_date_is_never_sent() -> None:
    service = _service()
    async with service.client() as client:
        with pytest.raises(errors.Refused, match="not a date"):
            await client.set_task(BOARD, TASK, "due_at", "some day")
    assert service.asked == []


async def test_a_date_that_was_not_kept_is_said_so_though_the_reply_repeats_it() -> None:
    service = _service()
    kept = {"id": TASK, "due_at": "0000-00-00 00:00:00", "status": "open"}
    service.interfere = lambda call: (
        httpx.Response(200, json={"task": kept}) if call.startswith("GET") else None
    )
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match="it has no date now"):
            await client.set_task(BOARD, TASK, "due_at", DUE)


@pytest.mark.parametrize("reopens", [True, False])
async def test_a_closed_task_stays_closed(reopens: bool) -> None:
    service = _service(status="closed")
    service.reopens = reopens
    async with service.client() as client:
        changed = await client.set_task(BOARD, TASK, "due_at", DUE)
    assert changed["status"] == service.tasks[TASK]["status"] == "closed"
    assert (("status", "closed") in _sent(service)) is reopens


async def test_dates_are_on_the_persons_wall() -> None:
    service = _service()
    async with service.client(timezone="Asia/Dhaka") as client:
        local = datetime(2026, 7, 1, 12).astimezone()
        at_site = local.astimezone(client.service.site.site).strftime("%Y-%m-%d %H:%M:%S")
        shown = local.strftime("%Y-%m-%d %H:%M:%S")
        changed = await client.set_task(BOARD, TASK, "started_at", shown)
        assert _sent(service) == [("started_at", at_site)]
        assert changed["started_at"] == shown
        (listed,) = await client.tasks(BOARD)
        assert listed["started_at"] == shown


@pytest.mark.parametrize("was_done", [True, False])
async def test_a_fault_is_looked_into(was_done: bool) -> None:
    service = _service()
    fault = refused(500, {"code": "internal_server_error", "message": "x"})

    def play(call: str) -> httpx.Response | None:
        return fault if call.startswith("PUT") else None

    if was_done:
        service.falter = play
    else:
        service.interfere = play
    async with service.client() as client:
        if was_done:
            changed = await client.set_task(BOARD, TASK, "due_at", DUE)
            assert str(changed["due_at"]) == DUE
        else:
            with pytest.raises(errors.ServerFault):
                await client.set_task(BOARD, TASK, "due_at", DUE)
    assert len(_sent(service)) == 1


@pytest.mark.parametrize("name", ["type", "parent_id", "board_id", "last_completed_at"])
async def test_what_can_make_a_task_disappear_is_never_sent(name: str) -> None:
    service = _service()
    async with service.client() as client:
        with pytest.raises(ValueError, match="never set"):
            await client.set_task(BOARD, TASK, name, 0)
    assert service.asked == []


@pytest.mark.long
async def test_other_properties_are_sent_once_as_they_are() -> None:
    service = _service()
    async with service.client() as client:
        changed = await client.set_task(BOARD, TASK, "title", "New")
    assert changed["title"] == "New"
    assert len(service.asked) == 1


async def test_people_and_watching_go_their_own_ways() -> None:
    service = _service()
    async with service.client() as client:
        await client.set_task(BOARD, TASK, "assignees", [1, 2])
        await client.set_task(BOARD, TASK, "is_watching", True)
        await client.set_task(BOARD, TASK, "is_watching", "no")
    assert service.tasks[TASK]["assignees"] == {1, 2}
    assert service.tasks[TASK]["is_watching"] is False


async def test_a_trusted_service_is_told_once() -> None:
    service = _service(status="closed")
    async with service.client(Capabilities.embedded()) as client:
        await client.set_task(BOARD, TASK, "due_at", DUE)
    assert len(service.asked) == 1
