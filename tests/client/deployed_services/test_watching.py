"""Watching, in whichever words the service understands."""

import pytest

from tests.client.deployed_services.deployed import BOARD, Deployed, refused
from tui.client import errors
from tui.client.capabilities import Capabilities, Feature, Watching

TASK = 7
_WORDS: dict[object, bool] = {"start": True, "stop": False}
_BOOLEANS: dict[object, bool] = {True: True, False: False}
_TRUTHY: dict[object, bool] = {"start": True, "stop": True} | _BOOLEANS


def _service(understood: dict[object, bool], *, is_watching: bool | None = False) -> Deployed:
    service = Deployed(watch_values=understood)
    service.add(TASK, is_watching=is_watching)
    return service


def _sent(service: Deployed) -> list[object]:
    return [body["value"] for call, body in service.asked if call.startswith("PUT")]


@pytest.mark.parametrize("understood", [_WORDS, _BOOLEANS, _TRUTHY])
@pytest.mark.parametrize("known", [None, *Watching])
@pytest.mark.parametrize("tells", [True, False])
async def test_on_and_off(
    understood: dict[object, bool], known: Watching | None, tells: bool
) -> None:
    service = _service(understood)
    service.replies_tell_people = tells
    async with service.client(Capabilities(watching=known)) as client:
        for on in (True, False, True):
            changed = await client.watch(BOARD, TASK, on=on)
            assert changed["is_watching"] is on
            assert service.tasks[TASK]["is_watching"] is on


async def test_what_was_learnt_is_used_the_next_time() -> None:
    service = _service(_BOOLEANS)
    async with service.client() as client:
        await client.watch(BOARD, TASK, on=True)
        assert [known.watching for known in service.learnt] == [Watching.BOOLEAN]
        await client.watch(BOARD, TASK, on=False)
    assert _sent(service) == ["start", True, False]
    assert len(service.learnt) == 1


async def test_who_watches_already_sends_nothing_and_learns_nothing() -> None:
    service = _service(_WORDS, is_watching=True)
    async with service.client() as client:
        await client.watch(BOARD, TASK, on=True)
    assert _sent(service) == []
    assert service.learnt == []


@pytest.mark.parametrize(
    ("on", "words"), [(True, "you still do not watch"), (False, "still watch")]
)
async def test_neither_spelling_taking_effect_is_an_error(on: bool, words: str) -> None:
    service = _service({}, is_watching=not on)
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match=words):
            await client.watch(BOARD, TASK, on=on)
    assert service.learnt == []


async def test_a_service_that_keeps_assignees_watching_is_asked_once() -> None:
    service = _service({}, is_watching=True)
    service.tasks[TASK]["assignees"] = {1}
    known = Capabilities(watching=Watching.WORDS, user_id=1, user_login="ann")
    async with service.client(known) as client:
        for _ in range(2):
            with pytest.raises(errors.NotOffered, match="unwatching a card that you work on"):
                await client.watch(BOARD, TASK, on=False)
    assert _sent(service) == ["stop", False]
    assert service.learnt[-1].missing == {Feature.UNWATCHING_OWN}


@pytest.mark.parametrize("user_id", [None, 2])
async def test_what_concerns_others_teaches_nothing_about_assignees(user_id: int | None) -> None:
    service = _service({}, is_watching=True)
    service.tasks[TASK]["assignees"] = {1}
    async with service.client(Capabilities(user_id=user_id)) as client:
        with pytest.raises(errors.ApiError, match="watch"):
            await client.watch(BOARD, TASK, on=False)
    assert service.learnt == []


async def test_a_service_that_does_not_tell_is_believed() -> None:
    service = _service({}, is_watching=None)
    async with service.client() as client:
        await client.watch(BOARD, TASK, on=True)
    assert _sent(service) == ["start"]


async def test_a_refused_spelling_is_followed_by_the_other() -> None:
    service = _service(_BOOLEANS)
    left = [refused(422, {"value": {"boolean": "No."}})]
    service.interfere = lambda call: left.pop() if left and call.startswith("PUT") else None
    async with service.client() as client:
        await client.watch(BOARD, TASK, on=True)
    assert _sent(service) == ["start", True]


async def test_two_refusals_are_one() -> None:
    service = _service(_BOOLEANS)
    no = refused(422, {"message": "You may not."})
    service.interfere = lambda call: no if call.startswith("PUT") else None
    async with service.client() as client:
        with pytest.raises(errors.Refused, match="You may not"):
            await client.watch(BOARD, TASK, on=True)


@pytest.mark.parametrize("was_done", [True, False])
async def test_a_fault_is_looked_into(was_done: bool) -> None:
    service = _service(_WORDS)
    left = [refused(500, {"code": "internal_server_error", "message": "x"})]

    def fault(call: str) -> object:
        return left.pop() if left and call.startswith("PUT") else None

    if was_done:
        service.falter = fault  # type: ignore[assignment]  # one function for both places
    else:
        service.interfere = fault  # type: ignore[assignment]  # the same
    async with service.client() as client:
        if was_done:
            assert (await client.watch(BOARD, TASK, on=True))["is_watching"]
        else:
            with pytest.raises(errors.ServerFault):
                await client.watch(BOARD, TASK, on=True)
    assert _sent(service) == (["start"] if was_done else ["start", True])


async def test_a_trusted_service_is_told_once() -> None:
    service = _service(_BOOLEANS)
    async with service.client(Capabilities.embedded()) as client:
        assert (await client.watch(BOARD, TASK, on=True))["is_watching"]
    assert _sent(service) == [True]
    assert len(service.asked) == 1
