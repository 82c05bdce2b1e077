"""Roles: what a list of boards changes, and what no list can change."""

import pytest

from tests.service.sharing_endpoints import sharing_world
from tests.service.world import World

pytestmark = pytest.mark.world(make=sharing_world)


def _roles(world: World, board_id: int) -> dict[str, str]:
    users = world.done("root", "GET", f"/projects/{board_id}/users").at("users")
    return {user["user_login"]: user["role"] for user in users}


def _sync(world: World, login: str, roles: dict[str, str | None]) -> None:
    world.done("root", "POST", f"/managers/roles/{world.id(login)}", {"roles": roles})


def test_a_list_raises_adds_and_removes_and_leaves_the_rest(world: World) -> None:
    _sync(world, "bob", {"1": "admin", "2": "viewer"})
    assert (_roles(world, 1)["bob"], _roles(world, 2)["bob"]) == ("admin", "viewer")
    _sync(world, "bob", {"2": "member"})
    assert (_roles(world, 1)["bob"], _roles(world, 2)["bob"]) == ("admin", "member")
    _sync(world, "bob", {"1": "", "2": None})
    assert "bob" not in {**_roles(world, 1), **_roles(world, 2)}
    _sync(world, "bob", {"1": ""})


def test_a_list_is_taken_as_a_whole_or_not_at_all(world: World) -> None:
    body = {"roles": {"1": "admin", "2": "member", "77": "member"}}
    assert world.ask("root", "POST", "/managers/roles/3", body).status == 404
    body = {"roles": {"1": "viewer", "2": ""}}
    assert world.ask("root", "POST", "/managers/roles/5", body).status == 409
    assert (_roles(world, 1)["bob"], "sam" in _roles(world, 1)) == ("member", False)


def test_administrators_keep_their_roles(world: World) -> None:
    world.done("ann", "POST", "/projects/1/add-members", {"memberId": 1})
    refused = world.ask("root", "POST", "/managers/roles/1", {"roles": {"1": ""}})
    assert (refused.status, refused.body["code"]) == (422, "super_admin")
    assert _roles(world, 1)["root"] == "member"


def test_a_list_without_boards_needs_an_administrator(world: World) -> None:
    assert world.ask("ann", "POST", "/managers/roles/3", {"roles": {}}).status == 403
    assert world.ask("root", "POST", "/managers/roles/3", {"roles": []}).status == 200


def test_a_role_that_is_there_already_changes_nothing(world: World) -> None:
    before = world.done("ann", "GET", "/projects/1/activities").at("activities.total")
    world.done("ann", "POST", "/projects/1/user/2/make-manager")
    world.done("ann", "POST", "/projects/1/user/3/remove-manager")
    assert world.done("ann", "GET", "/projects/1/activities").at("activities.total") == before


def test_a_second_admin_lets_the_first_one_go(world: World) -> None:
    world.done("ann", "POST", "/projects/1/user/3/make-manager")
    world.done("bob", "POST", "/projects/1/user/2/make-viewer")
    assert _roles(world, 1) == {"ann": "viewer", "bob": "admin", "vic": "viewer"}
    assert world.ask("ann", "PUT", "/projects/1", {"title": "Mine"}).status == 403
    activity = world.done("bob", "GET", "/projects/1/activities").at("activities.data.0")
    names = ("column", "old_value", "new_value", "description")
    assert [activity[name] for name in names] == ["role", "admin", "viewer", "Ann"]


def test_a_viewer_is_no_manager_before_being_a_member(world: World) -> None:
    refused = world.ask("ann", "POST", "/projects/1/user/4/remove-manager")
    assert (refused.status, refused.body["code"]) == (409, "wrong_role")
    world.done("ann", "POST", "/projects/1/user/4/make-member")
    world.done("ann", "POST", "/projects/1/user/4/make-manager")
    assert _roles(world, 1)["vic"] == "admin"


def test_anybody_may_leave_by_naming_the_board(world: World) -> None:
    body = {"boardId": 1, "userId": 4}
    assert world.ask("bob", "DELETE", "/remove-user-from-board", body).status == 403
    world.done("vic", "DELETE", "/remove-user-from-board", body)
    assert world.ask("vic", "GET", "/projects/1").status == 403


def test_a_search_tells_an_admin_of_shared_boards_only(world: World) -> None:
    _sync(world, "bob", {"2": "member"})
    body = {"searchInput": "o"}
    found = world.done("ann", "GET", "/search-service-users", body).body
    assert [(one["user_login"], len(one["which_boards"])) for one in found] == [
        ("bob", 1),
        ("root", 0),
    ]
    everything = world.done("root", "GET", "/search-service-users", body).body
    assert len(everything[0]["which_boards"]) == 2
    assert world.done("ann", "GET", "/search-service-users", {"searchInput": " "}).body == []
    assert world.done("ann", "GET", "/search-service-users").body == []


def test_wildcards_in_a_search_mean_themselves(world: World) -> None:
    for term in ("%", "_", "b%b"):
        body = {"searchInput": term}
        assert world.done("ann", "GET", "/search-service-users", body).body == []
