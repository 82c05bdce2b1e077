"""Boards and people, whatever the service lists."""

from typing import Any

import httpx
import pytest

from tests.client.deployed_services.deployed import NO_ROUTE
from tests.client.scripted import Script, ids, ok, session
from tui.client import errors
from tui.client.capabilities import UNKNOWN, Capabilities, Feature
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.editions.probing import who_am_i

_BOARDS: list[dict[str, Any]] = [
    {"id": 3, "title": "zoo", "type": "to-do", "created_at": "2026-11-01T00:00:00+00:00"},
    {"id": 1, "title": "Äpfel", "type": "roadmap", "created_at": "2026-11-03T00:00:00+00:00"},
    {"id": 2, "title": "Zoo plans", "type": "to-do", "created_at": None},
]
_ANN = {"ID": 1, "user_login": "ann", "display_name": "Ann", "email": "a***@example.test"}
_BOB = {"ID": 2, "user_login": "bob", "display_name": "bob", "email": "bob@example.test"}
_CAROL = {"ID": 3, "user_login": "Carol", "display_name": "Carol"}


class Town:
    """Three boards on two pages whatever is asked for, and the people of each."""

    def __init__(self, users: dict[int, list[Any]], everybody: httpx.Response) -> None:
        self.users = users
        self.everybody = everybody
        self.active: dict[int, list[Any]] = {}
        self.listed: list[dict[str, Any]] = _BOARDS
        self.script = Script(self.answer)
        self.learnt: list[Capabilities] = []

    def client(self, known: Capabilities = UNKNOWN) -> Client:
        return client_for(session(self.script), capabilities=known, learned=self.learnt.append)

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/site/v2")
        if path == "/service-users":
            return httpx.Response(self.everybody.status_code, content=self.everybody.content)
        page = int(request.url.params.get("page", "1"))
        if path == "/projects":
            rows = self.listed[2 * page - 2 : 2 * page]
            return ok({"boards": {"data": rows, "current_page": page, "last_page": 2}})
        board_id = int(path.split("/")[2])
        if path.endswith("/users"):
            users = self.users.get(board_id)
            return ok({"message": "No."}, 403) if users is None else ok({"users": users})
        rows = [
            {"id": number, "user": user}
            for number, user in enumerate(self.active.get(board_id, []), start=1)
        ]
        return ok({"activities": {"data": rows}})


def _town(**everybody: Any) -> Town:
    users: dict[int, list[Any]] = {3: [_BOB, "?"], 2: [_ANN, _BOB]}
    return Town(users, ok(everybody) if everybody else ok(NO_ROUTE, 404))


async def test_all_boards_come_from_all_pages_newest_first() -> None:
    town = _town()
    async with town.client() as client:
        assert ids(await client.boards()) == [3, 2, 1]
    for request in town.script.requests:
        assert request.url.params.keys() >= {"per_page", "page"}


async def test_everybody_where_the_service_lists_them() -> None:
    town = _town(users=[_BOB, _ANN], boards=[])
    async with town.client() as client:
        assert ids(await client.everybody()) == [1, 2]
    assert len(town.script.requests) == 1
    assert [known.offered for known in town.learnt] == [{Feature.SERVICE_USERS}]


@pytest.mark.parametrize("answer", [ok(NO_ROUTE, 404), ok({"message": "No."}, 403)])
async def test_otherwise_the_people_of_all_boards(answer: httpx.Response) -> None:
    town = _town()
    town.everybody = answer
    async with town.client() as client:
        people = await client.everybody()
        assert ids(people) == [1, 2]
        await client.everybody()
    is_missing = answer.status_code == 404
    assert town.script.asked.count("GET /service-users") == (1 if is_missing else 2)


@pytest.mark.parametrize("name", ["ann", "ANN", " ann "])
async def test_one_is_found_by_login_name_and_remembered(name: str) -> None:
    town = _town()
    async with town.client() as client:
        assert await who_am_i(client, name) == 1
        asked = len(town.script.requests)
        assert await who_am_i(client, name) == 1
        assert len(town.script.requests) == asked
    assert [(known.user_id, known.user_login) for known in town.learnt] == [(1, name)]


async def test_one_is_found_by_e_mail() -> None:
    async with _town().client() as client:
        assert await who_am_i(client, "Bob@example.test") == 2


async def test_one_is_found_by_what_one_did() -> None:
    town = _town()
    town.active[2] = [_ANN, None, _CAROL]
    async with town.client() as client:
        assert await who_am_i(client, "carol") == 3


async def test_the_list_of_boards_may_be_enough() -> None:
    town = _town()
    town.listed = [_BOARDS[0] | {"users": [_ANN]}]
    async with town.client() as client:
        assert await who_am_i(client, "ann") == 1
    assert set(town.script.asked) == {"GET /projects"}


@pytest.mark.parametrize("name", ["nobody", "", "a***"])
async def test_nobody_is_nobody_and_that_is_remembered(name: str) -> None:
    town = _town()
    async with town.client() as client:
        assert await who_am_i(client, name) is None
        asked = len(town.script.requests)
        assert await who_am_i(client, name) is None
        assert len(town.script.requests) == asked
        town.users[3].append({"ID": 4, "user_login": name or "-"})
        assert await who_am_i(client, name, again=True) == (4 if name else None)


async def test_another_name_is_looked_for_anew_and_so_is_one_asked_for_again() -> None:
    town = _town()
    known = Capabilities(user_id=9, user_login="ann")
    async with town.client(known) as client:
        assert await who_am_i(client, "ann") == 9
        assert await who_am_i(client, "ann", again=True) == 1
        assert await who_am_i(client, "bob") == 2


async def test_trouble_is_no_answer() -> None:
    town = _town()
    town.everybody = httpx.Response(500, json={"code": "internal_server_error", "message": "x"})
    async with town.client() as client:
        with pytest.raises(errors.ServerFault):
            await client.everybody()


@pytest.mark.parametrize(
    "base", ["https://t.example/api/crew/v2", "https://t.example/?rest_route=/crew/v2"]
)
async def test_the_site_knows_who_asks_by_the_credentials(base: str) -> None:
    script = Script(ok({"id": 7, "name": "Ann Adams", "slug": "aadams"}))
    one = client_for(session(script, base=base))
    async with one:
        assert await who_am_i(one, "ann@people.example") == 7
        assert await who_am_i(one, "ann@people.example") == 7
    (request,) = script.requests
    assert request.url.params.get("rest_route", request.url.path).endswith("/wp/v2/users/me")
    assert request.url.host == "t.example"


@pytest.mark.parametrize(
    "answer",
    [
        ok(NO_ROUTE, 404),
        ok({"code": "rest_user_cannot_view", "message": "No."}, 401),
        ok({"code": "rest_forbidden", "message": "No."}, 403),
        ok({"name": "Ann"}),
        httpx.Response(404, html="<p>No</p>"),
        httpx.Response(500, json={"code": "internal_server_error", "message": "x"}),
    ],
)
async def test_a_site_that_does_not_tell_leaves_it_to_the_boards(answer: httpx.Response) -> None:
    town = _town()

    def answered(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/users/me"):
            return httpx.Response(
                answer.status_code, headers=answer.headers, content=answer.content
            )
        request.url = request.url.copy_with(path=request.url.path.replace("/api/crew", "/site"))
        return town.answer(request)

    one = client_for(session(Script(answered), base="https://t.example/api/crew/v2"))
    async with one:
        assert await who_am_i(one, "ann") == 1


async def test_a_site_that_is_away_is_trouble() -> None:
    one = client_for(session(Script(httpx.Response(503)), base="https://t.example/api/crew/v2"))
    async with one:
        with pytest.raises(errors.ServerFault):
            await who_am_i(one, "ann")


_EVE = {"id": 5, "name": "Eve Hart", "slug": "eve-hart", "email": "eve@example.test"}


def _on_site(*steps: Any) -> tuple[Client, Script]:
    script = Script(*steps)
    return client_for(session(script, base="https://t.example/api/crew/v2")), script


async def test_the_site_finds_people_on_no_board_for_administrators() -> None:
    one, script = _on_site(ok([_EVE, {"id": 6, "username": "zoe", "slug": "z", "name": "Zoe"}]))
    async with one:
        eve, zoe = await one.search_users("e")
    assert (eve["ID"], eve["display_name"], eve["user_login"]) == (5, "Eve Hart", "eve-hart")
    assert (zoe["ID"], zoe["user_login"]) == (6, "zoe")
    (request,) = script.requests
    query = {"context": "edit", "per_page": "100", "search": "e"}
    assert (request.url.path, dict(request.url.params)) == ("/api/wp/v2/users", query)


@pytest.mark.parametrize(
    "answer",
    [
        ok(NO_ROUTE, 404),
        ok({"code": "rest_forbidden_context", "message": "No."}, 403),
        ok({"code": "internal_server_error", "message": "x"}, 500),
        httpx.Response(404, html="<p>No</p>"),
        ok({"found": 3}),
    ],
)
async def test_a_site_that_does_not_list_its_users_is_asked_once(answer: httpx.Response) -> None:
    one, script = _on_site(answer, ok([_BOB]))
    async with one:
        for _ in range(2):
            assert ids(await one.search_users("bo")) == [2]
        assert one.offers(Feature.SITE_USERS) is False
    paths = [request.url.path for request in script.requests]
    assert paths == ["/api/wp/v2/users", *["/api/crew/v2/search-service-users"] * 2]


async def test_a_site_that_is_away_hides_nobody() -> None:
    one, _ = _on_site(httpx.Response(503))
    async with one:
        with pytest.raises(errors.ServerFault):
            await one.search_users("bo")
        assert one.offers(Feature.SITE_USERS) is None


async def test_everybody_is_on_the_site_where_the_service_lists_nobody() -> None:
    one, script = _on_site(ok(NO_ROUTE, 404), ok([_EVE]))
    async with one:
        assert ids(await one.everybody()) == [5]
    assert len(script.requests) == 2
