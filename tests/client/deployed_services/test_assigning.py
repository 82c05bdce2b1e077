"""Exactly the right people on a task, whatever the list means that is sent."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given, settings, strategies as st

from tests.client.deployed_services.deployed import (
    BOARD,
    PEOPLE,
    Assigner,
    Deployed,
    examples,
    refused,
    sets,
    toggles,
)
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Assigning, Capabilities

TASK = 7
_people = st.frozensets(st.sampled_from(sorted(PEOPLE)))
_FAULT = {"code": "internal_server_error", "message": "<p>critical</p>", "data": {"status": 500}}


def _service(present: frozenset[int] | set[int], assigner: Assigner) -> Deployed:
    service = Deployed(assigner=assigner)
    service.add(TASK, assignees=set(present))
    return service


@settings(max_examples=examples(15), deadline=None)
@given(
    present=_people,
    wanted=_people,
    assigner=st.sampled_from([sets, toggles]),
    known=st.sampled_from([None, *Assigning]),
    tells=st.booleans(),
)
async def test_the_right_people_in_the_end(
    present: frozenset[int],
    wanted: frozenset[int],
    assigner: Assigner,
    known: Assigning | None,
    tells: bool,
) -> None:
    service = _service(present, assigner)
    service.replies_tell_people = tells
    async with service.client(Capabilities(assigning=known)) as client:
        changed = await client.assign(BOARD, TASK, wanted)
        learnt = client.service.capabilities.assigning
    assert service.tasks[TASK]["assignees"] == wanted
    assert {user["ID"] for user in changed["assignees"]} == wanted
    assert service.count("PUT") <= (0 if present == wanted else 2)
    truth = Assigning.SETS if assigner is sets else Assigning.TOGGLES
    assert learnt in {known, truth}


@settings(max_examples=examples(15), deadline=None)
@given(
    wishes=st.lists(_people, max_size=8),
    switches=st.lists(st.sampled_from([sets, toggles]), min_size=1, max_size=8),
)
async def test_a_service_that_changes_its_mind(
    wishes: list[frozenset[int]], switches: list[Assigner]
) -> None:
    service = _service(frozenset(), sets)
    async with service.client() as client:
        for number, wanted in enumerate(wishes):
            service.assigner = switches[number % len(switches)]
            await client.assign(BOARD, TASK, wanted)
            assert service.tasks[TASK]["assignees"] == wanted


@pytest.mark.parametrize(
    ("assigner", "semantics"), [(sets, Assigning.SETS), (toggles, Assigning.TOGGLES)]
)
async def test_what_was_learnt_is_used_the_next_time(
    assigner: Assigner, semantics: Assigning
) -> None:
    service = _service({1, 2}, assigner)
    async with service.client() as client:
        await client.assign(BOARD, TASK, {2, 3})
        assert [known.assigning for known in service.learnt] == [semantics]
        service.asked.clear()
        await client.assign(BOARD, TASK, {3, 4, 5})
    assert service.count("PUT") == 1
    assert len(service.learnt) == 1


async def test_only_the_difference_is_sent_while_nothing_is_known() -> None:
    service = _service({1, 2}, toggles)
    async with service.client() as client:
        await client.assign(BOARD, TASK, [3, 2])
    assert [body for call, body in service.asked if call.startswith("PUT")] == [
        {"property": "assignees", "value": [1, 3]}
    ]


async def test_where_it_makes_no_difference_nothing_is_learnt() -> None:
    service = _service(set(), toggles)
    async with service.client() as client:
        await client.assign(BOARD, TASK, {3})
    assert service.learnt == []


async def test_a_service_that_obeys_to_nothing_is_an_error_that_says_who_is_there() -> None:
    service = _service({1, 2}, lambda present, _: present)
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match="assigned now: ann, bob") as caught:
            await client.assign(BOARD, TASK, {3})
    assert not caught.value.is_passing
    assert service.count("PUT") <= 4
    assert service.learnt == []


async def test_nobody_is_said_so() -> None:
    service = _service(set(), lambda present, _: present)
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match="assigned now: no one"):
            await client.assign(BOARD, TASK, {3})


async def test_somebody_added_by_another_in_the_middle_is_taken_off_again() -> None:
    added = iter([{4}])
    service = _service({1}, lambda present, sent: present ^ sent | next(added, set()))
    async with service.client() as client:
        await client.assign(BOARD, TASK, {1, 2})
    assert service.tasks[TASK]["assignees"] == {1, 2}


def _lost(_: str) -> httpx.Response:
    raise httpx.ReadError("gone")


def _once(call: str, answer: Callable[[str], httpx.Response]) -> Callable[..., Any]:
    left = [answer]

    def falter(asked: str) -> httpx.Response | None:
        return left.pop()(asked) if left and asked.startswith(call) else None

    return falter


@pytest.mark.parametrize("assigner", [sets, toggles])
async def test_after_a_lost_reply_calling_again_ends_right(assigner: Assigner) -> None:
    service = _service({1, 2}, assigner)
    service.falter = _once("PUT", _lost)
    async with service.client() as client:
        with pytest.raises(errors.Unreachable) as caught:
            await client.assign(BOARD, TASK, {2, 3})
        assert caught.value.may_have_happened
        assert service.count("PUT") == 1
        await client.assign(BOARD, TASK, {2, 3})
    assert service.tasks[TASK]["assignees"] == {2, 3}


async def test_a_fault_after_it_was_done_is_none() -> None:
    service = _service({1}, toggles)
    service.falter = _once("PUT", lambda _: refused(500, _FAULT))
    async with service.client() as client:
        changed = await client.assign(BOARD, TASK, {1, 2})
    assert {user["ID"] for user in changed["assignees"]} == {1, 2}
    assert service.count("PUT") == 1


async def test_a_fault_before_it_was_done_is_one_and_nothing_is_repeated() -> None:
    service = _service({1}, toggles)
    service.interfere = _once("PUT", lambda _: refused(500, _FAULT))
    async with service.client() as client:
        with pytest.raises(errors.ServerFault):
            await client.assign(BOARD, TASK, {1, 2})
    assert service.count("PUT") == 1


async def test_a_refusal_is_passed_on() -> None:
    service = _service({1}, toggles)
    service.interfere = _once("PUT", lambda _: refused(422, {"assignees": {"in": "No."}}))
    async with service.client(UNKNOWN) as client:
        with pytest.raises(errors.Refused):
            await client.assign(BOARD, TASK, {9})


async def test_two_at_once_take_turns() -> None:
    service = _service({1}, toggles)
    async with service.client() as client:
        await asyncio.gather(
            client.assign(BOARD, TASK, {1, 2}),
            client.assign(BOARD, TASK, {2, 3}),
        )
    assert service.tasks[TASK]["assignees"] == {2, 3}
    assert service.count("PUT") == 2


async def test_a_trusted_service_is_told_once_and_asked_nothing() -> None:
    service = _service({1, 2}, sets)
    async with service.client(Capabilities.embedded()) as client:
        await client.assign(BOARD, TASK, [3, 2, 3])
    assert service.asked == [
        (f"PUT /projects/{BOARD}/tasks/{TASK}", {"property": "assignees", "value": [3, 2]})
    ]
