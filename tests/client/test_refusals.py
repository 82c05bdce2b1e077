"""The bodies errors come in."""

from typing import Any

import httpx
import pytest

from tests.client.scripted import Script, session
from tui.client import errors
from tui.client.endpoints import Endpoint

WRITE = Endpoint.UPDATE_TASK.at(1, 2)
READ = Endpoint.GET_TASK.at(1, 2)


async def _refused(status: int, body: Any, route: Any = WRITE) -> errors.ApiError:
    with pytest.raises(errors.ApiError) as caught:
        await session(Script(httpx.Response(status, json=body))).call(route)
    return caught.value


@pytest.mark.parametrize(
    ("status", "body", "kind", "message"),
    [
        (400, {"code": "bad", "message": "Bad &amp; wrong"}, errors.Refused, "Bad & wrong"),
        (400, "Not like this", errors.Refused, "Not like this"),
        (401, "Unauthorized Action", errors.NotAllowed, "Unauthorized Action"),
        (401, {"code": "rest_forbidden", "message": "No."}, errors.WrongCredentials, "not accept"),
        (403, {"message": "Only admins"}, errors.NotAllowed, "Only admins"),
        (404, {"code": "rest_no_route", "message": "x"}, errors.NotOffered, "does not offer"),
        (404, {"message": "No query results for model [A\\Task] 7"}, errors.NotFound, "no task 7"),
        (400, "Stage not found", errors.NotFound, "Stage not found"),
        (409, {"message": "Changed meanwhile"}, errors.Conflict, "Changed meanwhile"),
        (413, {"message": "x"}, errors.TooLarge, "larger than"),
        (422, {"message": "Already a member"}, errors.Refused, "Already a member"),
        (422, {"title": {"required": "Title is due."}}, errors.Refused, "Title is due."),
        (422, {"title": ["Title is due."]}, errors.Refused, "Title is due."),
        (500, {"code": "plugin_exception", "message": "Invalid x"}, errors.Refused, "Invalid x"),
        (500, {"code": "plugin_exception", "message": "Task not found"}, errors.NotFound, "Task"),
        (
            500,
            {"code": "internal_server_error", "message": "<p>Ouch"},
            errors.ServerFault,
            "failed",
        ),
        (500, {"message": 'Class "A\\B" not found'}, errors.ServerFault, "failed"),
    ],
)
async def test_a_body_says_more_than_its_status(
    status: int, body: Any, kind: type[errors.ApiError], message: str
) -> None:
    error = await _refused(status, body)
    assert type(error) is kind
    assert message in error.message
    assert error.status == status
    assert error.may_have_happened is (status >= 500)


PAGE = "<!doctype html><title>Welcome</title><a href='/login'>Sign in</a>"


@pytest.mark.parametrize(
    ("status", "kind", "message"),
    [
        (200, errors.UnexpectedAnswer, "its own page, not the service"),
        (300, errors.UnexpectedAnswer, "its own page, not the service"),
        (400, errors.UnexpectedAnswer, "its own page, not the service"),
        (401, errors.UnexpectedAnswer, "its own page, not the service"),
        (403, errors.UnexpectedAnswer, "its own page, not the service"),
        (404, errors.UnexpectedAnswer, "no board service at this address"),
        (413, errors.TooLarge, "larger than"),
        (418, errors.UnexpectedAnswer, "its own page, not the service"),
        (422, errors.UnexpectedAnswer, "its own page, not the service"),
        (429, errors.ServerFault, "too busy"),
        (500, errors.UnexpectedAnswer, "proxy failed before the service (500)"),
        (502, errors.ServerFault, "proxy failed before the service (502)"),
        (511, errors.Unreachable, "requires you to sign in"),
        (520, errors.UnexpectedAnswer, "proxy failed before the service (520)"),
    ],
)
async def test_a_page_is_never_taken_for_the_services_own_answer(
    status: int, kind: type[errors.ApiError], message: str
) -> None:
    with pytest.raises(errors.ApiError) as caught:
        await session(Script(httpx.Response(status, html=PAGE))).call(WRITE)
    assert type(caught.value) is kind
    assert message in caught.value.message
    assert caught.value.hint or kind is errors.TooLarge
    is_sure = kind in (errors.TooLarge, errors.Unreachable) or status == 429
    assert caught.value.may_have_happened is not is_sure


@pytest.mark.parametrize("body", [None, {}, [], 7, "", {"data": {}}])
async def test_json_in_no_shape_of_the_service_is_not_its_own_answer(body: Any) -> None:
    for status in (400, 403, 500):
        error = await _refused(status, body)
        assert type(error) is errors.UnexpectedAnswer
        assert error.may_have_happened


async def test_a_read_never_may_have_happened() -> None:
    assert not (await _refused(500, {}, READ)).may_have_happened


@pytest.mark.parametrize(
    "body",
    [
        {"title": {"required": "Title is due."}, "\x1b[31m": {"x": "<b>"}},
        {
            "code": "invalid",
            "message": "Bad",
            "data": {"status": 422, "params": {"title": "Title is due."}},
        },
    ],
)
async def test_the_fields_at_fault_are_named(body: Any) -> None:
    error = await _refused(422, body)
    assert isinstance(error, errors.Refused)
    assert error.params == {"title": "Title is due."}


@pytest.mark.parametrize(
    ("body", "kind", "may_have_happened"),
    [
        ({"code": "rest_x", "message": "No", "data": {"status": 403}}, errors.NotAllowed, False),
        ({"code": "plugin_exception", "message": "No", "data": []}, errors.Refused, True),
        ({"code": "internal_server_error", "message": "<p>"}, errors.ServerFault, True),
        ({"code": "rest_cannot", "message": "No"}, errors.Refused, False),
        ({"success": False, "message": "No"}, errors.Refused, False),
    ],
)
async def test_an_error_that_came_as_a_success_is_an_error(
    body: Any, kind: type[errors.ApiError], may_have_happened: bool
) -> None:
    error = await _refused(200, body)
    assert type(error) is kind
    assert error.may_have_happened is may_have_happened


@pytest.mark.parametrize(
    "body", [{"message": "Saved"}, {"code": "ok", "message": "Saved"}, [], {"success": True}]
)
async def test_a_success_is_not_mistaken_for_an_error(body: Any) -> None:
    assert await session(Script(httpx.Response(200, json=body))).call(WRITE) == body
