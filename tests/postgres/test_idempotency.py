"""Requests with an `Idempotency-Key` on PostgreSQL, one after another and at once."""

import pytest

from tests.postgres.clients import run_clients
from tests.service.world import BASE_URL, World

pytestmark = pytest.mark.long

_COMMENTS = "/projects/1/tasks/1/comments"
_COMMENT = {"comment": "Water it", "comment_type": "comment"}
_KEY = {"Idempotency-Key": "one"}


def test_a_repetition_gets_the_first_reply(world: World) -> None:
    first, second = (
        world.fetch("bob", "POST", BASE_URL + _COMMENTS, json=_COMMENT, headers=_KEY)
        for _ in range(2)
    )
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert second.headers["idempotent-replayed"] == "true"
    assert world.done("vic", "GET", _COMMENTS).at("total") == 2


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (_COMMENTS, _COMMENT),
        ("/projects", {"board": {"title": "Shed", "type": "to-do"}}),
    ],
)
def test_simultaneous_requests_with_one_key_are_carried_out_once(
    world: World, path: str, body: object
) -> None:
    replayed: list[bool] = []
    contents: set[bytes] = set()

    def send(client: World, _number: int) -> None:
        reply = client.fetch("bob", "POST", BASE_URL + path, json=body, headers=_KEY)
        assert reply.is_success, reply.text
        replayed.append("idempotent-replayed" in reply.headers)
        contents.add(reply.content)

    run_clients(world.database, 6, send)
    assert sorted(replayed) == [False] + [True] * 5
    assert len(contents) == 1


def test_simultaneous_requests_on_two_boards_with_one_key_do_one_of_them(world: World) -> None:
    boards, statuses = {0: (1, 1), 1: (2, 4)}, []

    def create(client: World, number: int) -> None:
        board, stage = boards[number % 2]
        task = {"task": {"title": "Rake", "board_id": board, "stage_id": stage}}
        path = f"{BASE_URL}/projects/{board}/tasks"
        statuses.append(client.fetch("root", "POST", path, json=task, headers=_KEY).status_code)

    before = len(world.tasks_in(1) + world.tasks_in(4, 2))
    run_clients(world.database, 2, create)
    assert sorted(statuses) == [200, 422]
    assert len(world.tasks_in(1) + world.tasks_in(4, 2)) == before + 1
