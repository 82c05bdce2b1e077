"""Tasks that are subtasks of themselves, through their parents, are shown as cards."""

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tui.client.documents import Document, break_circles
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials, Secret
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession


@pytest.mark.parametrize(
    ("parents", "left"),
    [
        ({1: None, 2: 1}, {1: None, 2: 1}),
        ({1: 1}, {1: None}),
        ({1: 2, 2: 1}, {1: None, 2: None}),
        ({1: 2, 2: 3, 3: 2, 4: 1}, {1: 2, 2: None, 3: None, 4: 1}),
        ({1: 2, 2: 1, 3: 4, 4: 3, 5: 9}, {1: None, 2: None, 3: None, 4: None, 5: 9}),
    ],
)
def test_only_the_circle_itself_is_broken(
    parents: dict[int, int | None], left: dict[int, int | None]
) -> None:
    tasks: list[Document] = [{"id": one, "parent_id": parent} for one, parent in parents.items()]
    break_circles(tasks)
    assert {task["id"]: task["parent_id"] for task in tasks} == left


async def test_a_board_has_every_card_that_the_service_lists() -> None:
    def listing(request: Request) -> JSONResponse:
        del request
        parents = {1: "", 2: "3", 3: 2}
        tasks = [
            {"id": one, "board_id": "1", "stage_id": "7", "title": "T", "parent_id": parent}
            for one, parent in parents.items()
        ]
        return JSONResponse({"tasks": tasks})

    transport = InProcessTransport(Starlette(routes=[Route("/v2/projects/1/tasks", listing)]))
    session = HttpSession(
        "http://boards.test/v2", Credentials("ann", Secret("x")), transport=transport
    )
    async with client_for(session) as client:
        tasks = await client.tasks(1)
    assert [task.get("parent_id") for task in tasks] == [None, None, None]
