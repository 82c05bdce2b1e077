"""Comments are written, changed and deleted where and how the service has it."""

from typing import Any

import httpx
import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Capabilities, CommentPath, NoParent
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.model.task import Person

_COMMENT = ok({"comment": {"id": 4, "parent_id": None}})
_HIDDEN = ok({"comment": {"id": 4, "parent_id": False}})
_SECOND = ok({"comment": {"id": 5, "parent_id": None}})
_DELETED = ok({"message": "Comment has been deleted"})
_NO_SUCH_ROUTE = ok(NO_ROUTE, 404)
_NO_AUTHOR = ok({"comment_by": {"required": "The comment_by field is required."}}, 422)
_BAD_PARENT = ok(
    {
        "code": "invalid",
        "message": "The field “parent_id” must be a whole number.",
        "data": {"status": 422, "params": {"parent_id": "must be a whole number"}},
    },
    422,
)
_FAULT = ok({"code": "internal_server_error", "message": "x"}, 500)
_NEW = "POST /projects/1/tasks/3/comments"
_LIST = "GET /projects/1/tasks/3/comments"
_LONG, _SHORT = "PUT /projects/1/tasks/3/comments/4", "PUT /projects/1/tasks/comments/4"
_OWN, _OWN_REPLY = "PUT /tasks/4/comments", "PUT /tasks/reply/4"
_DESCRIBED = ok({"description": "Hi", "message": "Comment has been updated"})
_ME = Capabilities(user_id=7, user_login="ann")


def _listed(*ids: int) -> httpx.Response:
    return ok({"comments": {"data": [{"id": one} for one in ids], "last_page": 1}})


def _client(
    *steps: Any, known: Capabilities = UNKNOWN
) -> tuple[Client, Script, list[Capabilities]]:
    script = Script(*steps)
    learnt: list[Capabilities] = []
    return client_for(session(script), capabilities=known, learned=learnt.append), script, learnt


def _bodies(script: Script) -> list[dict[str, object]]:
    return [body for body in script.bodies if isinstance(body, dict)]


def _parents(script: Script) -> list[object]:
    return [body["parent_id"] for body in _bodies(script) if "parent_id" in body]


async def test_a_comment_says_that_it_has_no_parent_as_most_editions_understand_it() -> None:
    client, script, learnt = _client(_COMMENT)
    for _ in range(2):
        await client.create_comment(1, 3, "Hi")
    assert script.asked == [_NEW] * 2
    assert script.bodies[0] == {"comment": "Hi", "comment_type": "comment", "parent_id": ""}
    assert [known.no_parent for known in learnt] == [NoParent.EMPTY]


async def test_who_writes_is_named_once_a_service_has_asked_for_it() -> None:
    client, script, learnt = _client(_NO_AUTHOR, _COMMENT, known=_ME)
    for _ in range(2):
        await client.create_comment(1, 3, "Hi")
    body = {"comment": "Hi", "comment_type": "comment", "parent_id": None, "comment_by": 7}
    assert script.bodies[1:] == [body, body]
    assert [known.names_author for known in learnt] == [True]


async def test_who_writes_is_named_in_a_reply_too() -> None:
    client, script, _ = _client(_NO_AUTHOR, _COMMENT, known=_ME)
    await client.create_comment(1, 3, "Hi", parent_id=2)
    assert _bodies(script)[1]["comment_by"] == 7
    assert _parents(script) == [2, 2]


async def test_nothing_is_sent_by_somebody_unknown() -> None:
    client, script, _ = _client(_NO_AUTHOR)
    for _ in range(2):
        with pytest.raises(errors.Refused, match="your user id is not known") as caught:
            await client.create_comment(1, 3, "Hi")
        assert not caught.value.may_have_happened
    assert _parents(script) == ["", None]


async def test_any_refusal_that_names_a_field_is_followed_by_the_author() -> None:
    answer = ok({"created_by": {"required": "The created_by field is required."}}, 422)
    client, script, learnt = _client(answer, _COMMENT, known=_ME)
    for _ in range(2):
        await client.create_comment(1, 3, "Hi")
    assert [body.get("comment_by") for body in _bodies(script)] == [None, 7, 7]
    assert [known.names_author for known in learnt] == [True]


async def test_a_comment_that_breaks_the_service_is_sent_in_another_form_the_next_time() -> None:
    client, script, learnt = _client(_FAULT, _COMMENT, known=_ME)
    with pytest.raises(errors.ServerFault) as caught:
        await client.create_comment(1, 3, "Hi")
    assert caught.value.may_have_happened
    for _ in range(2):
        await client.create_comment(1, 3, "Hi")
    assert [body.get("comment_by") for body in _bodies(script)] == [None, 7, 7]
    assert [known.names_author for known in learnt] == [True]


async def test_a_form_that_worked_is_not_doubted_for_a_fault() -> None:
    client, script, _ = _client(_COMMENT, _FAULT, _COMMENT, known=_ME)
    await client.create_comment(1, 3, "Hi")
    with pytest.raises(errors.ServerFault):
        await client.create_comment(1, 3, "Hi")
    await client.create_comment(1, 3, "Hi")
    assert [body.get("comment_by") for body in _bodies(script)] == [None, None, None]


async def test_a_service_that_refuses_an_empty_parent_gets_null() -> None:
    client, script, learnt = _client(_BAD_PARENT, _COMMENT)
    await client.create_comment(1, 3, "Hi")
    assert _parents(script) == ["", None]
    assert [known.no_parent for known in learnt] == [NoParent.NULL]


async def test_what_is_refused_for_good_is_sent_as_often_as_there_are_ways() -> None:
    client, script, _ = _client(_BAD_PARENT)
    with pytest.raises(errors.Refused):
        await client.create_comment(1, 3, "Hi")
    assert len(script.requests) == 2


async def test_a_comment_that_will_not_be_listed_is_written_again_in_another_way() -> None:
    client, script, learnt = _client(_HIDDEN, _listed(2), _DELETED, _SECOND)
    comment = await client.create_comment(1, 3, "Hi")
    assert comment["id"] == 5
    assert script.asked == [_NEW, _LIST, "DELETE /projects/1/tasks/comments/4", _NEW]
    assert _parents(script) == ["", None]
    assert learnt[-1].no_parent is NoParent.NULL


async def test_a_comment_that_is_listed_all_the_same_is_left_alone() -> None:
    client, script, _ = _client(_HIDDEN, _listed(4, 2))
    assert (await client.create_comment(1, 3, "Hi"))["id"] == 4
    assert script.asked == [_NEW, _LIST]


async def test_a_comment_that_is_listed_in_no_way_is_an_error() -> None:
    client, script, _ = _client(_HIDDEN, _listed(), _DELETED, _HIDDEN, _listed())
    with pytest.raises(errors.ServerFault, match="but does not show it") as caught:
        await client.create_comment(1, 3, "Hi")
    assert not caught.value.may_have_happened
    assert not caught.value.is_passing
    assert script.asked.count(_NEW) == 2


async def test_pictures_are_not_deleted_with_a_comment_that_is_not_listed() -> None:
    client, script, _ = _client(_HIDDEN, _listed(), _SECOND)
    with pytest.raises(errors.ServerFault, match="but does not show it"):
        await client.create_comment(1, 3, "Hi", image_ids=[9])
    assert script.asked == [_NEW, _LIST]
    await client.create_comment(1, 3, "Hi")
    assert _parents(script) == ["", None]


async def test_a_comment_is_not_written_again_if_the_first_may_still_be_there() -> None:
    client, script, _ = _client(_HIDDEN, _listed(), _FAULT)
    with pytest.raises(errors.ServerFault):
        await client.create_comment(1, 3, "Hi")
    assert script.asked.count(_NEW) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (_FAULT, errors.ServerFault),
        (
            ok({"code": "plugin_exception", "data": [], "message": "comment_by"}, 500),
            errors.Refused,
        ),
        (ok("Unauthorized Action", 403), errors.NotAllowed),
        (httpx.ReadError("gone"), errors.Unreachable),
    ],
)
async def test_what_may_have_been_written_is_sent_once(
    answer: Any, kind: type[errors.ApiError]
) -> None:
    client, script, _ = _client(answer, known=_ME)
    with pytest.raises(kind):
        await client.create_comment(1, 3, "Hi")
    assert len(script.requests) == 1


@pytest.mark.parametrize("answer", [_FAULT, ok({"message": "No such comment."}, 404)])
async def test_a_comment_is_changed_at_another_path_after_any_definite_answer(answer: Any) -> None:
    client, script, learnt = _client(answer, _COMMENT)
    await client.update_comment(1, 3, 4, "Hi")
    assert script.asked == [_LONG, _SHORT]
    assert [known.comment_path for known in learnt] == [CommentPath.SHORT]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (ok("Unauthorized Action", 401), errors.NotAllowed),
        (ok({"code": "x", "message": "busy"}, 503), errors.ServerFault),
        (httpx.ReadError("gone"), errors.Unreachable),
    ],
)
async def test_no_other_path_is_tried_after_anything_else(
    answer: Any, kind: type[errors.ApiError]
) -> None:
    client, script, _ = _client(answer)
    with pytest.raises(kind):
        await client.update_comment(1, 3, 4, "Hi")
    assert script.asked == [_LONG]


async def test_of_all_refusals_the_most_telling_is_shown() -> None:
    refused = ok({"message": "The comment is locked."}, 422)
    client, _, learnt = _client(_NO_SUCH_ROUTE, _FAULT, refused)
    with pytest.raises(errors.Refused, match="The comment is locked"):
        await client.update_comment(1, 3, 4, "Hi")
    assert learnt == []


@pytest.mark.parametrize(("parent_id", "path"), [(None, _OWN), (2, _OWN_REPLY)])
async def test_a_comment_is_changed_at_the_third_path_too_and_read_back(
    parent_id: int | None, path: str
) -> None:
    listed = ok({"comments": {"data": [{"id": 4, "task_id": 3}], "last_page": 1}})
    client, script, learnt = _client(
        _NO_SUCH_ROUTE, _NO_SUCH_ROUTE, _DESCRIBED, listed, _DESCRIBED, listed
    )
    for _ in range(2):
        comment = await client.update_comment(1, 3, 4, "Hi", parent_id=parent_id)
        assert comment["id"] == 4
    assert script.asked == [_LONG, _SHORT, path, _LIST, path, _LIST]
    assert script.bodies[2] == script.bodies[4] == {"description": "Hi"}
    assert [known.comment_path for known in learnt] == [CommentPath.OWN]


async def test_a_changed_comment_that_is_not_listed_may_have_been_changed() -> None:
    known = Capabilities(comment_path=CommentPath.OWN)
    client, script, _ = _client(_DESCRIBED, _listed(5, 3), known=known)
    with pytest.raises(errors.UnexpectedAnswer) as caught:
        await client.update_comment(1, 3, 4, "Hi")
    assert caught.value.may_have_happened
    assert script.asked == [_OWN, _LIST]


@pytest.mark.parametrize(
    ("parent_id", "path"),
    [(None, "/tasks/4/comments"), (2, "/tasks/reply/4")],
)
async def test_comments_and_replies_are_deleted_where_the_service_has_them(
    parent_id: int | None, path: str
) -> None:
    client, script, learnt = _client(_NO_SUCH_ROUTE, _DELETED, _listed(), _DELETED, _listed())
    for _ in range(2):
        await client.delete_comment(1, 3, 4, parent_id=parent_id)
    own = f"DELETE {path}"
    asked = ["DELETE /projects/1/tasks/comments/4", own, _LIST, own, _LIST]
    assert script.asked == asked
    assert [known.comment_path for known in learnt] == [CommentPath.OWN]


async def test_a_comment_is_changed_where_the_service_has_it() -> None:
    client, script, learnt = _client(_NO_SUCH_ROUTE, _COMMENT)
    bob = Person(2, "Bob", "bob")
    for _ in range(2):
        await client.update_comment(1, 3, 4, "Hi @bob", image_ids=[5], mentions=[bob])
    assert script.asked == [_LONG, _SHORT, _SHORT]
    body = {"comment": "Hi @\u200bbob\u200c", "images": [5], "mentionData": [2]}
    assert script.bodies == [body] * 3
    assert [known.comment_path for known in learnt] == [CommentPath.SHORT]


async def test_a_comment_is_changed_at_the_path_of_the_specification() -> None:
    client, script, learnt = _client(_COMMENT)
    await client.update_comment(1, 3, 4, "Hi")
    assert script.asked == [_LONG]
    assert [known.comment_path for known in learnt] == [CommentPath.LONG]


async def test_a_path_that_was_remembered_may_be_gone() -> None:
    known = Capabilities(comment_path=CommentPath.SHORT)
    client, script, learnt = _client(_NO_SUCH_ROUTE, _COMMENT, known=known)
    await client.update_comment(1, 3, 4, "Hi")
    assert script.asked == [_SHORT, _LONG]
    assert [known.comment_path for known in learnt] == [CommentPath.LONG]


async def test_no_path_at_all_is_said_so() -> None:
    client, _, learnt = _client(_NO_SUCH_ROUTE)
    with pytest.raises(errors.NotOffered):
        await client.update_comment(1, 3, 4, "Hi")
    assert learnt == []
