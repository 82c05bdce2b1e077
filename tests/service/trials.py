"""What every endpoint is put through, whichever table it is in."""

from urllib.parse import quote

from tests.service.described import mistakes
from tests.service.endpoints import Endpoint, Refusal
from tests.service.world import World

_LOWER = {"ann": ("bob", "vic", "sam"), "bob": ("vic", "sam"), "vic": ("sam",)}
_NONSENSE = (b"{", b"[1]", b'"x"', b"\xff", b'{"a": NaN}', b'{"a": 1e999}', b"[" * 9999)


def least_role_suffices(world: World, endpoint: Endpoint) -> None:
    answer = world.ask(endpoint.least, endpoint.method, endpoint.path, endpoint.body)
    assert answer.status == endpoint.status, answer.body
    undescribed = mistakes(endpoint.route, answer.status, answer.body)
    assert not undescribed, f"not as OpenAPI describes it: {undescribed}\n{answer.body}"
    seen = {path: answer.at(path) for path in endpoint.seen}
    assert seen == dict(endpoint.seen), answer.body


def lower_roles_are_refused(world: World, endpoint: Endpoint) -> None:
    before = world.done("ann", "GET", "/projects/1").at("synced_at")
    for who in _LOWER[endpoint.least]:
        answer = world.ask(who, endpoint.method, endpoint.path, endpoint.body)
        assert (answer.status, answer.body["code"]) == (403, "forbidden"), (
            f"{who} is not refused: {answer}"
        )
        assert answer.body["data"] == {"status": 403}, f"{who}: {answer.body}"
    synced = world.done("ann", "GET", "/projects/1").at("synced_at")
    assert synced == before, f"a refused request changed the board: {before}, then {synced}"


def refusal_says_what_is_wrong(world: World, endpoint: Endpoint, refusal: Refusal) -> None:
    who = "root" if refusal.code == "board_not_found" else endpoint.least
    answer = world.ask(who, endpoint.method, refusal.path, refusal.body)
    assert (answer.status, answer.body["code"]) == (refusal.status, refusal.code), answer.body
    undescribed = mistakes(endpoint.route, answer.status, answer.body)
    assert not undescribed, f"not as OpenAPI describes it: {undescribed}\n{answer.body}"
    assert answer.body["data"]["status"] == refusal.status, answer.body
    assert answer.body["message"].endswith("."), f"no sentence: {answer.body['message']}"
    fields = list(answer.body["data"].get("params", {}))
    assert fields == ([refusal.field] if refusal.field else []), answer.body


def bodies_that_are_no_objects_are_refused(world: World, endpoint: Endpoint) -> None:
    for content in _NONSENSE:
        answer = world.ask(endpoint.least, endpoint.method, endpoint.path, content=content)
        assert (answer.status, answer.body["code"]) == (400, "invalid_json"), (
            f"{content[:40]!r} is not refused: {answer}"
        )


def has_changed(world: World, since: str) -> bool:
    """Whether board 1 has changed, as ann is told."""
    path = f"/projects/1/has-data-changed?since={quote(since)}"
    changed: bool = world.done("ann", "GET", path).at("has_changes")
    return changed


def write_is_noticed_and_recorded(world: World, endpoint: Endpoint) -> None:
    since = world.done("ann", "GET", "/projects/1").at("synced_at")
    records = world.done("ann", "GET", "/projects/1/activities").at("activities.total")
    assert not has_changed(world, since), f"the board has changed before {endpoint.route}"
    world.done(endpoint.least, endpoint.method, endpoint.path, endpoint.body)
    assert has_changed(world, since), f"{endpoint.route} is no change of the board"
    now = world.done("ann", "GET", "/projects/1/activities").at("activities.total")
    assert now > records, f"{endpoint.route} is not in the activities: still {records}"
