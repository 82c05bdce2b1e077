"""People and roles."""

from itertools import product

import pytest

from tests.client.scripted import ids
from tests.client.suite.scene import Scene, needs
from tui.client.capabilities import Feature
from tui.client.editions.probing import is_administrator, who_am_i
from tui.client.errors import NotOffered, Refused
from tui.client.resources.people import RoleWord

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _roles(scene: Scene) -> dict[str, str | None]:
    users = await scene.ann.members(scene.board_id)
    logins = {number: login for login, number in scene.service.ids.items()}
    return {logins[user["ID"]]: user["role"] for user in users}


async def test_members_come_and_go(scene: Scene) -> None:
    await scene.ann.add_member(scene.board_id, scene.id("eve"), viewer_only=True)
    viewer = "member" if scene.service.quirks.no_viewers else "viewer"
    assert await _roles(scene) == {"ann": "admin", "bob": "member", "eve": viewer}
    await scene.ann.remove_member(scene.board_id, scene.id("eve"))
    assert await _roles(scene) == {"ann": "admin", "bob": "member"}


async def test_a_member_may_leave(scene: Scene) -> None:
    await scene.bob.remove_member(scene.board_id, scene.id("bob"))
    assert await _roles(scene) == {"ann": "admin"}


async def test_everybody_who_can_be_seen_is_listed_by_name(scene: Scene) -> None:
    await scene.ann.add_member(scene.board_id, scene.id("eve"))
    everybody = [scene.id(login) for login in ("ann", "bob", "eve")]
    assert ids(await scene.eve.everybody()) == everybody


async def test_one_is_found_by_login(scene: Scene) -> None:
    await scene.ann.add_member(scene.board_id, scene.id("eve"))
    for client, login in ((scene.bob, "bob"), (scene.eve, "eve")):
        for _ in range(2):
            assert await who_am_i(client, login) == scene.id(login)
        assert client.service.capabilities.user_id == scene.id(login)


async def test_nobody_is_found_by_a_login_that_is_none(scene: Scene) -> None:
    expected = {None, scene.id("eve")} if scene.service.quirks.on_site else {None}
    assert await who_am_i(scene.eve, "nobody at all") in expected  # a site goes by credentials


@needs(Feature.ROLES)
async def test_roles_are_changed(scene: Scene) -> None:
    bob, people = scene.id("bob"), scene.ann
    for change, role in (
        (people.make_manager, "admin"),
        (people.remove_manager, "member"),
    ):
        await change(scene.board_id, bob)
        assert (await _roles(scene))["bob"] == role
    await people.sync_roles(bob, {scene.board_id: "admin"})
    assert (await _roles(scene))["bob"] == "admin"
    await people.sync_roles(bob, {scene.board_id: ""})
    assert "bob" not in await _roles(scene)


@needs(Feature.ROLES)
async def test_a_role_is_reached_from_every_other(scene: Scene) -> None:
    bob, set_role = scene.id("bob"), scene.ann.set_role
    roles: list[RoleWord] = ["admin", "member", ""]
    if not scene.service.quirks.no_viewers:
        roles.append("viewer")
    for first, second in product(roles, roles):
        for role in (first, second):
            await set_role(scene.board_id, bob, role)
            assert (await _roles(scene)).get("bob", "") == role, (first, second)


async def test_a_viewer_who_is_made_a_member_instead_is_no_success(scene: Scene) -> None:
    added = scene.ann.set_role(scene.board_id, scene.id("eve"), "viewer")
    if scene.service.quirks.no_viewers:
        with pytest.raises(Refused, match="made this person a member instead"):
            await added
    else:
        assert {one["ID"]: one["role"] for one in await added}[scene.id("eve")] == "viewer"


async def test_who_leaves_cannot_read_the_members_any_more(scene: Scene) -> None:
    assert await scene.bob.set_role(scene.board_id, scene.id("bob"), "") == []
    assert "bob" not in await _roles(scene)


@needs(Feature.VIEWER_ROLES)
async def test_a_member_becomes_a_viewer_and_a_member_again(scene: Scene) -> None:
    bob, people = scene.id("bob"), scene.ann
    for change, role in ((people.make_viewer, "viewer"), (people.make_member, "member")):
        await change(scene.board_id, bob)
        assert (await _roles(scene))["bob"] == role


@needs(Feature.SERVICE_USERS)
async def test_all_users_are_listed_with_their_boards(scene: Scene) -> None:
    everybody = await scene.ann.users()
    bob = next(user for user in everybody if user["ID"] == scene.id("bob"))
    assert {board["id"]: board["role"] for board in bob["boards"]}[scene.board_id] == "member"


async def test_people_are_found_by_name(scene: Scene) -> None:
    if Feature.USER_SEARCH in scene.service.missing and not scene.service.quirks.on_site:
        with pytest.raises(NotOffered):
            await scene.ann.search_users("bo")
        return
    assert ids(await scene.ann.search_users("bo")) == [scene.id("bob")]


@needs(Feature.REMOVAL_FROM_BOARD)
async def test_somebody_is_taken_off_a_board_from_elsewhere(scene: Scene) -> None:
    await scene.ann.remove_user(scene.board_id, scene.id("bob"))
    assert await _roles(scene) == {"ann": "admin"}


async def test_it_is_known_who_administers_the_service(scene: Scene) -> None:
    for client, login, expected in ((scene.ann, "ann", True), (scene.bob, "bob", False)):
        for _ in range(2):
            assert await is_administrator(client, scene.id(login)) is expected
        assert client.service.capabilities.is_administrator is expected
