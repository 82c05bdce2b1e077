"""What is gone is a success and what is there is an error, whatever the service said."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.client.deployed_services.deployed import BOARD, NO_ROUTE, Deployed, refused
from tests.client.scripted import Script, ok, session
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for

TASK = 7
_SAID_GONE = [
    refused(400, {"message": "Task not found."}),
    refused(404, {"message": "No query results for model [Task] 7", "data": {}}),
    refused(500, {"code": "plugin_exception", "data": [], "message": "Task not found"}),
    refused(403, {"code": "rest_forbidden", "message": "Sorry.", "data": {"status": 403}}),
    refused(200, {"task": []}),
    refused(500, {"code": "internal_server_error", "message": "<p>critical</p>"}),
]
_LIE = "reported the deletion, but the item still exists"


def _service(**options: Any) -> Deployed:
    service = Deployed(**options)
    for task_id in (TASK, 8):
        service.add(task_id)
    return service


async def test_a_task_is_deleted_and_looked_for() -> None:
    service = _service()
    async with service.client() as client:
        await client.delete_task(BOARD, TASK)
    assert list(service.tasks) == [8]
    assert [call.split()[0] for call, _ in service.asked] == ["DELETE", "GET"]


@pytest.mark.parametrize("answer", _SAID_GONE, ids=lambda answer: str(answer.status_code))
async def test_a_task_that_is_gone_already_is_a_success(answer: httpx.Response) -> None:
    service = _service(gone=lambda: httpx.Response(answer.status_code, content=answer.content))
    del service.tasks[TASK]
    async with service.client() as client:
        await client.delete_task(BOARD, TASK)
    assert service.count("DELETE") == 1


async def test_an_edition_that_can_delete_no_task_is_asked_once() -> None:
    said = {"code": "plugin_exception", "message": 'Class "App\\Models\\Files" not found'}
    service = _service()
    service.interfere = lambda call: refused(500, said) if call.startswith("DELETE") else None
    async with service.client() as client:
        for task_id in (TASK, 8):
            with pytest.raises(errors.NotOffered, match="does not offer deleting cards"):
                await client.delete_task(BOARD, task_id)
    assert sorted(service.tasks) == [TASK, 8]
    assert service.count("DELETE") == 1


async def test_a_success_that_deleted_nothing_is_an_error() -> None:
    service = _service(deletes=False)
    async with service.client() as client:
        with pytest.raises(errors.ServerFault, match=_LIE) as caught:
            await client.delete_task(BOARD, TASK)
    assert not caught.value.is_passing
    assert not caught.value.may_have_happened
    assert service.count("DELETE") == 1


async def test_a_fault_that_deleted_nothing_is_passed_on() -> None:
    service = _service(deletes=False)
    service.falter = lambda call: _SAID_GONE[-1] if call.startswith("DELETE") else None
    async with service.client() as client:
        with pytest.raises(errors.ServerFault):
            await client.delete_task(BOARD, TASK)


async def test_a_fault_after_the_deletion_is_none() -> None:
    service = _service()
    service.falter = lambda call: _SAID_GONE[-1] if call.startswith("DELETE") else None
    async with service.client() as client:
        await client.delete_task(BOARD, TASK)
    assert list(service.tasks) == [8]


@pytest.mark.parametrize("kind", [errors.WrongCredentials, errors.NotOffered])
async def test_what_is_not_about_the_task_is_passed_on(kind: type[errors.ApiError]) -> None:
    body = {"code": "rest_no_route", "message": "No."}
    answer = refused(404, body) if kind is errors.NotOffered else refused(401, {"message": "No."})
    service = _service()
    service.interfere = lambda call: answer if call.startswith("DELETE") else None
    async with service.client() as client:
        with pytest.raises(kind):
            await client.delete_task(BOARD, TASK)
    assert len(service.asked) == 1


async def test_a_trusted_service_is_told_once() -> None:
    service = _service()
    async with service.client(Capabilities.embedded()) as client:
        await client.delete_task(BOARD, TASK)
    assert len(service.asked) == 1


def _comment(comment_id: int, *replies: int) -> dict[str, object]:
    return {"id": comment_id, "description": "x", "replies": [{"id": reply} for reply in replies]}


class Talk:
    """Comments on pages of two, latest first; deleting is answered as told."""

    def __init__(
        self, comments: list[dict[str, object]], *, deletes: bool = False, status: int = 200
    ) -> None:
        self.comments = comments
        self.deletes = deletes
        self.status = status
        self.pages_read = 0
        self.script = Script(self.answer)

    def client(self, capabilities: Capabilities = UNKNOWN) -> Client:
        return client_for(session(self.script), capabilities=capabilities)

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.method == "DELETE" and request.url.path.endswith("/comments"):
            return ok(NO_ROUTE, 404)
        if request.method == "DELETE":
            wanted = int(request.url.path.rpartition("/")[2])
            if self.deletes:
                self.comments = [one for one in self.comments if one["id"] != wanted]
            return ok({"message": "Comment has been deleted"}, self.status)
        self.pages_read += 1
        number = int(request.url.params["page"])
        rows = self.comments[2 * number - 2 : 2 * number]
        last = (len(self.comments) + 1) // 2
        return ok({"comments": {"data": rows, "current_page": number, "last_page": last}})


_MANY = [9, 8, 7, 6, 5, 4, 3, 2]


@pytest.mark.parametrize(("comment_id", "pages"), [(9, 1), (7, 2), (6, 2), (2, 4)])
async def test_pages_are_read_until_the_ids_pass_a_comment(comment_id: int, pages: int) -> None:
    talk = Talk([_comment(one) for one in _MANY], deletes=True)
    async with talk.client() as client:
        await client.delete_comment(BOARD, TASK, comment_id)
    assert talk.pages_read == pages


async def test_where_they_come_in_no_order_all_are_read() -> None:
    talk = Talk([_comment(one) for one in (1, 9, 3, 5, 4, 6)])
    async with talk.client() as client:
        with pytest.raises(errors.ServerFault, match=_LIE):
            await client.delete_comment(BOARD, TASK, 6)
    assert talk.pages_read == 3


async def test_somebody_elses_comment_stays_and_that_is_said() -> None:
    talk = Talk([_comment(one) for one in _MANY])
    async with talk.client() as client:
        with pytest.raises(errors.ServerFault, match=_LIE) as caught:
            await client.delete_comment(BOARD, TASK, 5)
    assert caught.value.hint == "Only its author can delete a comment."


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_reply_is_looked_for_below_its_comment(is_there: bool) -> None:
    talk = Talk([_comment(9), _comment(8), _comment(3, *([7] if is_there else [])), _comment(2)])
    async with talk.client() as client:
        if is_there:
            with pytest.raises(errors.ServerFault, match=_LIE):
                await client.delete_comment(BOARD, TASK, 7, parent_id=3)
        else:
            await client.delete_comment(BOARD, TASK, 7, parent_id=3)
    assert talk.pages_read == 2


async def test_a_second_deletion_that_fails_is_a_success() -> None:
    talk = Talk([_comment(9), _comment(3)], status=500)
    async with talk.client() as client:
        await client.delete_comment(BOARD, TASK, 5)


async def test_a_trusted_service_is_asked_for_no_pages() -> None:
    talk = Talk([_comment(9)])
    async with talk.client(Capabilities.embedded()) as client:
        await client.delete_comment(BOARD, TASK, 9)
    assert talk.pages_read == 0


def _labels(*label_ids: int) -> httpx.Response:
    return ok({"labels": [{"id": label_id} for label_id in label_ids]})


_Deletion = Callable[[Client], Any]
_DELETIONS: list[tuple[_Deletion, list[httpx.Response], list[httpx.Response]]] = [
    (lambda c: c.delete_label(BOARD, 5), [_labels(6)], [_labels(5, 6)]),
    (lambda c: c.remove_label(BOARD, TASK, 5), [_labels()], [_labels(5)]),
    (
        lambda c: c.delete_board(BOARD),
        [refused(404, {"message": "No query results for model [Board]."})],
        [ok({"board": {"id": BOARD, "stages": []}})],
    ),
    (
        lambda c: c.delete_board(BOARD),
        [refused(403, {"message": "No."}), ok({"boards": {"data": [{"id": 2}]}})],
        [refused(403, {"message": "No."}), ok({"boards": {"data": [{"id": BOARD}]}})],
    ),
]


@pytest.mark.parametrize(("delete", "gone", "there"), _DELETIONS)
@pytest.mark.parametrize("said", [ok({"message": "Deleted"}), refused(400, "No such thing")])
async def test_other_things_are_read_back_too(
    delete: _Deletion,
    gone: list[httpx.Response],
    there: list[httpx.Response],
    said: httpx.Response,
) -> None:
    async with client_for(session(Script(said, *gone))) as client:
        await delete(client)
    async with client_for(session(Script(said, *there))) as client:
        with pytest.raises(errors.ServerFault if said.status_code < 400 else errors.Refused):
            await delete(client)
