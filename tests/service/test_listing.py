"""The list of tasks is written from rows and kept; what it says is what documents say."""

from datetime import UTC, datetime

import pytest

from tests.harness.cases import mostly_long
from tests.service.detail_endpoints import DETAIL_ENDPOINTS
from tests.service.detailed_world import detailed_world
from tests.service.endpoints import ENDPOINTS, Endpoint
from tests.service.sharing_endpoints import SHARING_ENDPOINTS
from tests.service.world import ZONE, World
from tui.service.call import Call, Service
from tui.service.documents.tasks import task_documents
from tui.service.listings import Listings, TaskLine, TaskListing
from tui.service.times import SiteClock

pytestmark = pytest.mark.world(make=detailed_world)

LIST = "/projects/1/tasks"


def _documents(world: World, who: str, listed: list[int]) -> object:
    """The listed tasks, as replies to changes show them."""
    site = SiteClock(world.clock, ZONE)
    with world.database.transaction(writing=False) as db:
        call = Call(
            Service(world.database, site), db, world.accounts[who], site.now(), {"board_id": 1}
        )
        return task_documents(call, listed)()


def _agree(world: World, who: str) -> None:
    tasks = world.done(who, "GET", LIST).body["tasks"]
    assert tasks == _documents(world, who, [task["id"] for task in tasks])


_ALL = (*ENDPOINTS, *DETAIL_ENDPOINTS, *SHARING_ENDPOINTS)
_WRITES = [each for each in _ALL if each.method != "GET"]


@mostly_long("endpoint", _WRITES, every=3, ids=lambda endpoint: str(endpoint.route))
def test_after_every_change_the_list_is_as_documents_say(world: World, endpoint: Endpoint) -> None:
    _agree(world, "root")
    world.ask(endpoint.least, endpoint.method, endpoint.path, endpoint.body)
    if world.ask("root", "GET", "/projects/1").status == 200:
        _agree(world, "root")


@pytest.mark.long
def test_what_is_unusual_in_a_task_is_listed_as_documents_say(world: World) -> None:
    for name, value in (
        ("title", 'a "b" \\ é 🌱 \u007f'),
        ("description", "<p>%s {x}</p>"),
        ("settings", {"cover": {"backgroundColor": "#fff"}, "é": [1, None]}),
        ("crm_contact_id", 7),
        ("assignees", [world.id("bob"), world.id("ann")]),
    ):
        body = {"property": name, "value": value}
        world.done("ann", "PUT", "/projects/1/tasks/1", body)
    world.done("ann", "PUT", "/projects/1/tasks/2/move-task", {"newStageId": 1, "newIndex": 1})
    _agree(world, "ann")
    _agree(world, "vic")


def test_archived_tasks_are_listed_apart_the_last_archived_first(world: World) -> None:
    active = [task["id"] for task in world.done("ann", "GET", LIST).body["tasks"]]
    for task_id in active[:2]:
        body = {"property": "archived_at", "value": "2026-11-20 09:00:00"}
        world.clock.advance(minutes=1)
        world.done("ann", "PUT", f"/projects/1/tasks/{task_id}", body)
    world.done("ann", "PUT", "/projects/1/archive-stage/1")
    for who in ("ann", "vic", "root"):
        archived = world.done(who, "GET", f"{LIST}?archived=yes").body["tasks"]
        ids = [task["id"] for task in archived]
        assert ids[:2] == [active[1], active[0]]
        told = [_documents(world, who, [task_id]) for task_id in ids]
        assert [[task] for task in archived] == told
        assert not set(ids) & {task["id"] for task in world.done(who, "GET", LIST).body["tasks"]}
    assert world.ask("ann", "GET", f"{LIST}?archived=perhaps").status == 422


def test_time_and_reader_are_not_kept(world: World) -> None:
    body = {"property": "due_at", "value": "2026-11-23 12:00:00"}
    world.done("ann", "PUT", "/projects/1/tasks/1", body)
    seen = []
    for _ in range(4):
        _agree(world, "ann")
        _agree(world, "vic")
        task = next(
            each for each in world.done("ann", "GET", LIST).body["tasks"] if each["id"] == 1
        )
        seen.append((task["isUpcoming"], task["isOverdue"]))
        world.clock.advance(hours=20)
    assert seen == [(False, False), (False, False), (True, False), (False, True)]
    watching = {who: [task["is_watching"] for task in _tasks(world, who)] for who in ("ann", "vic")}
    assert any(watching["ann"])
    assert not any(watching["vic"])


def _tasks(world: World, who: str) -> list[dict[str, object]]:
    tasks: list[dict[str, object]] = world.done(who, "GET", LIST).body["tasks"]
    return tasks


def _listing(text: str, moment: int = 1) -> TaskListing:
    version = (moment, datetime(2026, 1, 1, tzinfo=UTC).isoformat())
    return TaskListing(version, [TaskLine(1, None, text, "")], {})


def test_only_so_much_is_kept_and_the_oldest_goes_first() -> None:
    kept = Listings(most_characters=40)
    kept.keep((1, False), _listing("x" * 10))
    kept.keep((2, False), _listing("y" * 10))
    assert kept.of((1, False)) is not None
    kept.keep((3, False), _listing("z" * 10))
    assert _boards_in(kept) == [1, 3]
    kept.keep((1, False), _listing("w", 2))
    kept.keep((4, False), _listing("v" * 9))
    assert _boards_in(kept) == [1, 3, 4]
    kept.keep((5, False), _listing("u" * 21))
    assert _boards_in(kept) == []


def _boards_in(kept: Listings) -> list[int]:
    return [board for board in (1, 2, 3, 4, 5) if kept.of((board, False)) is not None]


def test_who_may_read_email_addresses_decides_which_lines_are_shared(world: World) -> None:
    with world.database.transaction(writing=True) as db:
        db.run("update account set email = login || '@people.example'")
    body = {"property": "assignees", "value": [world.id("ann"), world.id("bob")]}
    world.done("ann", "PUT", f"{LIST}/1", body)
    for _ in range(2):
        for who in ("root", "ann", "bob", "vic"):
            _agree(world, who)
