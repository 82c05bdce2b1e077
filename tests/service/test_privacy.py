"""What replies tell of people: e-mail addresses only to administrators and to their owner."""

from collections.abc import Iterator

import pytest

from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.detailed_world import detailed_world
from tests.service.endpoints import ENDPOINTS
from tests.service.sharing_endpoints import SHARING_ENDPOINTS
from tests.service.world import PEOPLE, World

_HOST = "@people.example"
_PATHS = sorted(
    {
        endpoint.path
        for endpoint in (*ENDPOINTS, *DETAIL_ENDPOINTS, *SHARING_ENDPOINTS)
        if endpoint.method == "GET"
    }
)
_COMMENT = {"comment": "Mind the roots", "comment_type": "comment"}
_COMMENTS = "/projects/1/tasks/1/comments"


@pytest.fixture
def world() -> Iterator[World]:
    """Everybody has an e-mail address; ann and bob work on task 1 and wrote comments on it."""
    world = detailed_world()
    with world.database.transaction(writing=True) as db:
        db.run("update account set email = login || :host", host=_HOST)
    body = {"property": "assignees", "value": [world.id("ann"), world.id("bob")]}
    world.done("ann", "PUT", "/projects/1/tasks/1", body)
    for who in ("ann", "bob"):
        world.done(who, "POST", _COMMENTS, _COMMENT)
    yield world
    world.close()


def _readable(world: World, who: str, path: str, body: object = None) -> set[str]:
    """Whose e-mail addresses a reply holds in full."""
    text = str(world.ask(who, "GET", path, body).body)
    return {login for login in PEOPLE if login + _HOST in text}


@pytest.mark.parametrize("who", ["ann", "bob", "vic"])
def test_no_reply_shows_the_address_of_somebody_else(world: World, who: str) -> None:
    seen = {path: _readable(world, who, path) for path in _PATHS}
    assert {path: logins for path, logins in seen.items() if logins - {who}} == {}
    assert seen["/projects/1/users"] == {who}


def test_replies_to_changes_show_no_address_of_somebody_else(world: World) -> None:
    reply = {**_COMMENT, "comment_type": "reply", "parent_id": 1}
    for method, path, body in (
        ("POST", _COMMENTS, reply),
        ("PUT", "/projects/1/tasks/1/move-task", {"newStageId": 2}),
        ("POST", "/projects/1/add-members", {"memberId": world.id("sam")}),
    ):
        text = str(world.done("ann", method, path, body).body)
        assert [login for login in PEOPLE if login + _HOST in text] in ([], ["ann"])


def test_an_administrator_sees_every_address(world: World) -> None:
    members = {"ann", "bob", "vic"}
    assert _readable(world, "root", "/projects/1/users") >= members
    assert _readable(world, "root", "/service-users") == set(PEOPLE)
    assert _readable(world, "root", "/projects/1/tasks") == {"ann", "bob"}
    assert _readable(world, "root", _COMMENTS) == {"ann", "bob"}
    comments = world.done("root", "GET", _COMMENTS).at("comments.data")
    assert comments[0]["author_email"] == "bob" + _HOST


def test_somebody_sees_the_own_address_everywhere(world: World) -> None:
    for path in ("/projects/1/tasks", "/projects/1/tasks/1", _COMMENTS, "/projects/1/activities"):
        assert _readable(world, "bob", path) == {"bob"}
    assert [
        comment["author_email"]
        for comment in world.done("bob", "GET", _COMMENTS).at("comments.data")
    ] == ["bob" + _HOST, "a***@p***", ""]


def test_others_see_a_masked_address(world: World) -> None:
    users = world.done("vic", "GET", "/projects/1/users").body["users"]
    assert {user["user_login"]: user["user_email"] for user in users} == {
        "ann": "a***@p***",
        "bob": "b***@p***",
        "vic": "vic@people.example",
    }


@pytest.mark.parametrize("term", ["people.example", "sam@", "sam" + _HOST])
def test_a_search_does_not_match_addresses(world: World, term: str) -> None:
    assert world.done("ann", "GET", "/search-service-users", {"searchInput": term}).body == []


def test_a_stranger_found_by_name_has_a_masked_address(world: World) -> None:
    found = world.done("ann", "GET", "/search-service-users", {"searchInput": "sam"}).body
    assert [(one["user_login"], one["email"]) for one in found] == [("sam", "s***@p***")]
