"""Each quirk, with it and without it, as plain httpx sees it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from tests.lint import tables
from tests.quirky.asker import Asker, asking
from tests.quirky.commenting import LARGEST_TEXT
from tests.quirky.people import PASSWORD, peopled_content
from tests.quirky.quirks import Quirks
from tests.quirky.routes import PATH_WORD
from tests.service.pictures import ico, png

pytestmark = pytest.mark.long

_TASK = "/projects/1/tasks/1"
_COMMENTS = _TASK + "/comments"
_NEW_COMMENT = {"comment": "Hello", "comment_type": "comment"}
_ESCAPE = "a\x1b[31mb\x9bc\u202ed"


@dataclass(frozen=True)
class Sight:
    """What is looked at to tell whether a service has a quirk; it always has that of `beside`."""

    quirk: str
    look: Callable[[Asker], Awaitable[object]]
    without: object
    having: object
    beside: str


SIGHTS: list[Sight] = []


def sight(
    quirk: str, without: object, having: object, beside: str = ""
) -> Callable[[Callable[[Asker], Awaitable[object]]], Callable[[Asker], Awaitable[object]]]:
    def note(look: Callable[[Asker], Awaitable[object]]) -> Callable[[Asker], Awaitable[object]]:
        SIGHTS.append(Sight(quirk, look, without, having, beside))
        return look

    return note


@pytest.fixture(scope="module")
def peopled() -> bytes:
    return peopled_content()


def test_every_quirk_is_looked_at() -> None:
    seen, quirks = {one.quirk for one in SIGHTS}, {field.name for field in fields(Quirks)}
    lines = (f'@sight("{name}", WITHOUT, HAVING)' for name in quirks - seen)
    tables.check(
        tables.missing(lines, "the functions marked with `@sight`", __file__),
        tables.obsolete(seen - quirks, "the functions marked with `@sight`", __file__),
    )


@pytest.mark.parametrize("one", SIGHTS, ids=lambda one: f"{one.quirk}-{one.look.__name__}")
@pytest.mark.parametrize("has", [False, True], ids=["without", "having"])
async def test_a_quirk_shows_where_it_is_switched_on(
    peopled: bytes, tmp_path: Path, one: Sight, has: bool
) -> None:
    quirks = Quirks.only(*filter(None, [one.beside, one.quirk if has else ""]))
    async with asking(peopled, tmp_path, quirks, every=2) as service:
        assert await one.look(service) == (one.having if has else one.without)


@pytest.mark.parametrize("edition", ["recent_free", "older_free", "old_paid", "recent_paid"])
async def test_an_edition_has_what_was_measured(
    peopled: bytes, tmp_path: Path, edition: str
) -> None:
    quirks: Quirks = getattr(Quirks, edition)()
    async with asking(peopled, tmp_path, quirks) as service:
        assert await _edition(service) == EDITIONS[edition]


EDITIONS = {
    "recent_free": {"board": "synced_at", "subtasks": 404, "picture": 200, "deletion": 200},
    "older_free": {"board": "", "subtasks": 404, "picture": 200, "deletion": 500},
    "old_paid": {"board": "", "subtasks": 200, "picture": 404, "deletion": 200},
    "recent_paid": {"board": "synced_at", "subtasks": 200, "picture": 200, "deletion": 200},
}


async def _edition(service: Asker) -> dict[str, object]:
    board = await service.ask("GET", "/projects/1")
    return {
        "board": "synced_at" if "synced_at" in board else "",
        "subtasks": await service.status("GET", _TASK + "/subtasks"),
        "picture": await picture(service),
        "deletion": await service.status("DELETE", _TASK),
    }


@pytest.mark.parametrize("edition", ["recent_free", "older_free", "recent_paid"])
async def test_only_managers_archive_a_board(peopled: bytes, tmp_path: Path, edition: str) -> None:
    path = "/projects/1/archive-board"
    async with asking(peopled, tmp_path, getattr(Quirks, edition)()) as service:
        assert await service.status("PUT", path, who="bob") == 403
        assert await service.status("PUT", path, who="ann") == 200


async def test_a_broken_route_breaks_down_for_ever_and_no_other(
    peopled: bytes, tmp_path: Path
) -> None:
    async with asking(peopled, tmp_path, Quirks.none()) as service:
        (label, *_) = (await service.ask("GET", "/projects/1/labels"))["labels"]
        path = f"/projects/1/labels/{label['id']}"
        service.breaking.routes.add("DELETE /projects/{board_id}/labels/{label_id}")
        replies = [await service.reply("DELETE", path) for _ in range(3)]
        assert [reply.json()["code"] for reply in replies] == ["internal_server_error"] * 3
        body = {"label": "x", "color": "#ffffff", "bg_color": "#000000"}
        assert await service.status("PUT", path, body) == 200


async def test_the_same_requests_get_the_same_replies(peopled: bytes, tmp_path: Path) -> None:
    seen: list[object] = []
    for folder in ("one", "two"):
        async with asking(peopled, tmp_path / folder, Quirks.extended(), every=3) as service:
            replies = [await service.make(f"Task {number}", 1) for number in range(4)]
            replies.append(await service.ask("GET", "/projects/1/tasks"))
            seen.append(replies)
    assert seen[0] == seen[1]


@sight("no_extended_edition", 200, 404)
async def subtasks(service: Asker) -> int:
    return await service.status("GET", _TASK + "/subtasks")


@sight("no_extended_edition", [200, 200, 200], ["rest_no_route"] * 3)
async def other_extended(service: Asker) -> list[object]:
    paths = ("/projects/1/custom-fields", "/admin/folders", _TASK + "/custom-fields")
    replies = [await service.reply("GET", path) for path in paths]
    return [reply.json().get("code", reply.status_code) for reply in replies]


@sight("no_people_lists", 200, 404)
async def people(service: Asker) -> int:
    return await service.status("GET", "/service-users", who="root")


@sight("own_path_word", [200, 404], [404, 200])
async def path_word(service: Asker) -> list[int]:
    words = ("service", PATH_WORD)
    return [await service.status("GET", f"/{word}-users", who="root") for word in words]


@sight("query_addresses", ["", "Garden"], ["rest_route", "Garden"])
async def address(service: Asker) -> list[object]:
    board = await service.ask("GET", "/projects/1")
    return ["rest_route" if "rest_route" in str(service.base) else "", board["board"]["title"]]


@sight("short_comment_path", [200, 404], [404, 200])
async def comment_path(service: Asker) -> list[int]:
    await service.ask("GET", _COMMENTS)
    paths = (_COMMENTS + "/1", "/projects/1/tasks/comments/1")
    body = {"comment": "Else"}
    return [await service.status("PUT", path, body, who="bob") for path in paths]


@sight("own_comment_paths", [200, 404, 404, 404, 404, 404], [404, 404, 404, 422, 200, 200])
async def own_comment_paths(service: Asker) -> list[int]:
    await service.ask("GET", _COMMENTS)
    paths = (_COMMENTS + "/1", "/projects/1/tasks/comments/1", "/projects/1/tasks/1/comments")
    body, own = {"comment": "Else"}, "/tasks/1/comments"
    changed = [await service.status("PUT", path, body, who="bob") for path in (*paths, own)]
    changed.append(await service.status("PUT", own, {"description": "Else"}, who="bob"))
    return [*changed, await service.status("DELETE", own, who="bob")]


@sight("own_comment_paths", ["rest_no_route", 404], ["Sure", 200])
async def own_reply_path(service: Asker) -> list[object]:
    body = {"comment": "Yes", "comment_type": "reply", "parent_id": 1}
    reply = (await service.ask("POST", _COMMENTS, body))["comment"]
    path = f"/tasks/reply/{reply['id']}"
    changed = await service.ask("PUT", path, {"description": "Sure"})
    told = changed.get("description", changed.get("code"))
    return [told, await service.status("DELETE", path)]


@sight("no_pictures", 200, 404)
async def picture(service: Asker) -> int:
    files = {"file": ("p", png(), "image/png")}
    return await service.status("POST", _TASK + "/comment-image-upload", files=files)


@sight("no_task_copies", 200, 404)
async def task_copy(service: Asker) -> int:
    flags = dict.fromkeys(("assignee", "subtask", "label", "attachment", "comment"), False)
    body = {"title": "Again", "stage_id": 1, **flags}
    return await service.status("POST", _TASK + "/clone-task", body)


@sight("no_board_archive", 200, 404)
async def board_archive(service: Asker) -> int:
    return await service.status("PUT", "/projects/1/archive-board")


@sight("boards_made_by_administrators", [201, 201], [403, 201])
async def boards_made(service: Asker) -> list[int]:
    body = {"board": {"title": "Mine", "type": "to-do"}}
    return [await service.status("POST", "/projects", body, who=who) for who in ("bob", "root")]


@sight("boards_deleted_by_administrators", [200, 200], [403, 200])
async def boards_deleted(service: Asker) -> list[int]:
    statuses = []
    for deletes in ("ann", "root"):
        body = {"board": {"title": "Hers", "type": "to-do"}}
        made = (await service.ask("POST", "/projects", body))["board"]
        statuses.append(await service.status("DELETE", f"/projects/{made['id']}", who=deletes))
    return statuses


@sight("no_viewers", ["viewer", True], ["member", False])
async def earlier_viewers(service: Asker) -> list[object]:
    users = (await service.ask("GET", "/projects/1/users"))["users"]
    role = next(user["role"] for user in users if user["user_login"] == "vic")
    listed = (await service.ask("GET", "/projects/1/assignees"))["data"]
    return [role, any("is_viewer_only" in user["pivot"]["settings"] for user in listed)]


@sight("no_viewers", ["viewer", 200], ["member", 404])
async def viewers(service: Asker) -> list[object]:
    await service.ask("POST", "/projects/1/user/4/remove")
    body = {"memberId": 4, "isViewerOnly": "yes"}
    await service.ask("POST", "/projects/1/add-members", body)
    users = (await service.ask("GET", "/projects/1/users"))["users"]
    role = next(user["role"] for user in users if user["ID"] == 4)
    return [role, await service.status("POST", "/projects/1/user/3/make-viewer")]


@sight("no_folders", 200, 404)
async def folders(service: Asker) -> int:
    return await service.status("GET", "/admin/folders")


@sight("no_subtask_groups", [200, "subtaskGroups", 200], [404, "data", 200])
async def subtask_groups(service: Asker) -> list[object]:
    made = await service.status("POST", _TASK + "/subtask-group", {"title": "More"})
    (shown,) = await service.ask("GET", _TASK + "/subtasks")
    body = {"title": "New", "group_id": 1}
    return [made, shown, await service.status("POST", _TASK + "/subtasks", body)]


@sight("no_subtask_groups", 422, ["Spade", "Rake", "New", "Peas"])
async def subtask_without_group(service: Asker) -> object:
    made = await service.reply("POST", _TASK + "/subtasks", {"title": "New"})
    if made.is_error:
        return made.status_code
    listed = await service.ask("GET", _TASK + "/subtasks")
    return [subtask["title"] for subtask in listed["data"]]


@sight("subtask_read_fails", [200, 200], [200, 400])
async def converted(service: Asker) -> list[int]:
    path = "/projects/1/tasks/9"
    return [
        await service.status("PUT", path + "/convert-to-subtask", {"parent_id": 1}),
        await service.status("GET", path),
    ]


@sight("no_user_logins", True, False)
async def logins(service: Asker) -> bool:
    users = (await service.ask("GET", "/projects/1/users"))["users"]
    return any("user_login" in user for user in users)


@sight("nested_stage_body", [200, 404], [422, 200])
async def stage_body(service: Asker) -> list[int]:
    flat = await service.status("PUT", "/projects/1/update-stage/1", {"title": "New"})
    body = {"property": "title", "value": "Newer"}
    return [flat, await service.status("PUT", "/projects/1/update-stage-property/1", body)]


@sight("nested_stage_body", "To Do", "Nested")
async def nested_stage(service: Asker) -> object:
    body = {"stage": {"title": "Nested"}}
    await service.reply("PUT", "/projects/1/update-stage/1", body)
    stages = (await service.ask("GET", "/projects/1"))["board"]["stages"]
    return "Nested" if stages[0]["title"] == "Nested" else "To Do"


@sight("flat_stage_fails", [200, 200], [500, 200])
async def flat_stage_body(service: Asker) -> list[int]:
    path = "/projects/1/update-stage/1"
    flat = await service.status("PUT", path, {"title": "New"})
    nested = await service.reply("PUT", path, {"stage": {"title": "New"}})
    return [flat, nested.status_code]


_STAGE = "/projects/1/update-stage/1"
_STAGE_PROPERTY = "/projects/1/update-stage-property/1"


async def _first_stage(service: Asker) -> Any:
    return (await service.ask("GET", "/projects/1"))["board"]["stages"][0]


@sight("stage_settings_ignored", ["closed", "open"], ["open", "closed"], "nested_stage_body")
async def stage_settings(service: Asker) -> list[object]:
    seen = []
    nested = {"title": "T", "settings": {"default_task_status": "closed"}}
    await service.reply("PUT", _STAGE, {"stage": nested})
    seen.append((await _first_stage(service))["settings"]["default_task_status"])
    body = {"property": "settings", "value": {"default_task_status": "open"}}
    if seen == ["open"]:
        body = {"property": "status", "value": "closed"}
    await service.reply("PUT", _STAGE_PROPERTY, body)
    seen.append((await _first_stage(service))["settings"]["default_task_status"])
    return seen


@sight("stage_color_erased", ["#123456", "#123456"], [None, "#123456"], "nested_stage_body")
async def stage_color(service: Asker) -> list[object]:
    colors = []
    for more in ({}, {"cover_bg": "#123456"}):
        await service.reply("PUT", _STAGE, {"stage": {"title": "T", "cover_bg": "#123456"}})
        await service.reply("PUT", _STAGE, {"stage": {"title": "U", **more}})
        colors.append((await _first_stage(service))["bg_color"])
    return colors


@sight("inert_stage_properties", [200, "U"], [200, "To Do"], "nested_stage_body")
async def stage_properties(service: Asker) -> list[object]:
    status = await service.status("PUT", _STAGE_PROPERTY, {"property": "title", "value": "U"})
    title = (await _first_stage(service))["title"]
    return [status, "U" if title == "U" else "To Do"]


@sight("error_shapes", [404, 404, 404, 404], [404, 400, 400, 500])
async def statuses_of_absence(service: Asker) -> list[int]:
    return [
        await service.status("GET", "/projects/99", who="root"),
        await service.status("DELETE", "/projects/99", who="root"),
        await service.status("GET", "/projects/1/tasks/99"),
        await service.status("DELETE", "/projects/1/tasks/99"),
    ]


@sight("details_off", "plugin_exception", "internal_server_error", beside="bad_index_fails")
async def details(service: Asker) -> str:
    body = {"newStageId": 1, "newIndex": 0}
    return str((await service.ask("PUT", _TASK + "/move-task", body))["code"])


@sight("error_shapes", ["dict", "dict", "dict", "dict"], ["str", "rule", "dict", "cut"])
async def shapes(service: Asker) -> list[str]:
    replies = [
        await service.reply("DELETE", "/projects/1/labels/99"),
        await service.reply("POST", "/projects/1/stage-create", {"title": ""}),
        await service.reply("PUT", _TASK, {"property": "nothing", "value": 1}),
        await service.reply("POST", "/admin/folders", {}, who="root"),
    ]
    return [_shape(reply.text, reply.headers["content-type"]) for reply in replies]


def _shape(text: str, media_type: str) -> str:
    assert media_type == "application/json"
    if text.startswith('"'):
        return "str"
    if '"required"' in text:
        return "rule"
    return "dict" if text.endswith("}") else "cut"


@sight("pages_without_accept", "application/json", "text/html; charset=utf-8")
async def page(service: Asker) -> object:
    headers = {"Accept": "*/*"}
    reply = await service.reply("GET", "/projects/1/tasks/99", headers=headers)
    return reply.headers["content-type"]


@sight("marked_up_messages", "“property”", "<b>&ldquo;property&rdquo;</b>")
async def message(service: Asker) -> object:
    text = (await service.set("nothing", 1))["message"]
    return text.removeprefix("The field ").partition(" must")[0]


@sight("leaking_messages", False, True)
async def leak(service: Asker) -> bool:
    return "select * from" in (await service.set("nothing", 1))["message"]


@sight("hostile_text", "abd", _ESCAPE)
async def hostile_title(service: Asker) -> object:
    await service.make(_ESCAPE, 1)
    tasks = (await service.ask("GET", "/projects/1/tasks"))["tasks"]
    return max(tasks, key=lambda task: task["id"])["title"]


@sight("tags_stripped", "a  <b>b</b>", "a b")
async def tags(service: Asker) -> object:
    return (await service.make("a  <b>b</b>", 1))["task"]["title"]


@sight("ids_as_text", [1, 1, 1], ["1", "1", 1])
async def ids(service: Asker) -> list[object]:
    task = (await service.ask("GET", _TASK))["task"]
    moved = await service.ask("PUT", _TASK + "/move-task", {"newStageId": 1, "newIndex": 1})
    return [task["board_id"], task["stage_id"], moved["task"]["stage_id"]]


@sight("ids_as_text", [int, int, int], [int, str, str])
async def ids_of_a_comment(service: Asker) -> list[type]:
    made = (await service.ask("POST", _COMMENTS, _NEW_COMMENT))["comment"]
    edited = await service.ask("PUT", f"{_COMMENTS}/{made['id']}", {"comment": "Else"})
    ids = (made["task_id"], made["task"]["stage_id"], edited["comment"]["task_id"])
    return [*map(type, ids)]


@sight("every_id_as_text", [int, int, int, int], [str, str, str, str])
async def every_id(service: Asker) -> list[type]:
    made = await service.make("New", 1)
    board = (await service.ask("GET", "/projects/1"))["board"]
    pivot = (await service.ask("GET", "/projects/1/assignees"))["data"][0]["pivot"]
    ids = (made["task"]["id"], made["task"]["board_id"], board["users"][0]["ID"])
    return [*map(type, (*ids, pivot["foreign_id"]))]


@sight("decimals_as_text", [1.0, 1.0], ["1.00", 1.0])
async def decimals(service: Asker) -> list[object]:
    task = (await service.ask("GET", _TASK))["task"]
    return [task["position"], (await service.set("title", "New"))["task"]["position"]]


@sight("meta_as_list", {}, [])
async def meta(service: Asker) -> object:
    return (await service.ask("GET", _TASK))["task"]["meta"]


@sight("odd_settings", ["dict", "dict"], ["str", "NoneType"])
async def settings(service: Asker) -> list[str]:
    board = (await service.ask("GET", "/projects/1"))["board"]
    task = (await service.ask("GET", "/projects/1/tasks/9"))["task"]
    return [type(record["settings"]).__name__ for record in (board, task)]


@sight("zero_dates", [None, "2040-01-01 00:00:00"], ["0000-00-00 00:00:00"] * 2)
async def dates(service: Asker) -> list[object]:
    await service.set("due_at", "2040-01-01 00:00:00")
    task = (await service.ask("GET", _TASK))["task"]
    return [task["started_at"], task["due_at"]]


@sight("mixed_times", ["T", "+00:00"], [" ", "Z"])
async def times(service: Asker) -> list[str]:
    board = (await service.ask("GET", "/projects/1"))["board"]
    stage, label = board["stages"][0]["created_at"], board["labels"][0]["created_at"]
    return [stage[10], label[19:]]


@sight("short_create_replies", True, False)
async def create_reply(service: Asker) -> bool:
    return "archived_at" in (await service.make("New", 1))["task"]


@sight("unknown_fields", False, True)
async def unknown(service: Asker) -> bool:
    return "is_pinned" in (await service.ask("GET", _TASK))["task"]


@sight("role_letters", {"admin", "member", "viewer"}, {"MANAGER", "Member", "VIEWER"})
async def roles(service: Asker) -> set[object]:
    return {user["role"] for user in (await service.ask("GET", "/projects/1/users"))["users"]}


@sight("labels_without_title", "", None)
async def untitled_label(service: Asker) -> object:
    body = {"label": "", "color": "#000", "bg_color": "#fff"}
    return (await service.ask("POST", "/projects/1/labels", body))["label"]["title"]


@sight("masked_emails", ["bob@people.example"] * 2, ["b***@p***", "bob@people.example"])
async def emails(service: Asker) -> list[object]:
    seen = []
    for who in ("bob", "root"):
        users = (await service.ask("GET", "/projects/1/users", who=who))["users"]
        seen.append(next(u["user_email"] for u in users if u["user_login"] == "bob"))
    return seen


@sight("boards_unfiltered", [["Attic"], 10], [["Attic", "Garden"], 100])
async def boards(service: Asker) -> list[object]:
    query = {"search": "tti", "order_by": "title"}
    found = (await service.ask("GET", "/projects", who="root", query=query))["boards"]
    return [[board["title"] for board in found["data"]], found["per_page"]]


@sight("roadmaps_unlisted", ["Way", "Garden"], ["Garden"])
async def roadmaps(service: Asker) -> list[object]:
    await service.ask("POST", "/projects", {"board": {"title": "Way", "type": "roadmap"}})
    listed = (await service.ask("GET", "/projects"))["boards"]["data"]
    return [board["title"] for board in listed]


@sight("negative_page_fails", 422, 500)
async def negative_page(service: Asker) -> int:
    return await service.status("GET", "/projects", query={"per_page": "-1"})


@sight("tasks_in_any_order", True, False)
async def listed_order(service: Asker) -> bool:
    """Whether the order of the list is that of the positions."""
    for number in range(3):
        await service.make(f"Task {number}", 3)
    tasks = (await service.ask("GET", "/projects/1/tasks"))["tasks"]
    return [*tasks] == sorted(tasks, key=lambda task: (task["position"], task["id"]))


@sight("comments_unfiltered", [1, 3], [4, 10])
async def comment_query(service: Asker) -> list[object]:
    body = {"comment_type": "comment", "privacy": "public"}
    for number in range(3):
        await service.ask("POST", _COMMENTS, {"comment": f"{number}", **body})
    query = {"per_page": "3", "privacy": "private"}
    page = (await service.ask("GET", _COMMENTS, query=query))["comments"]
    return [page["total"], page["per_page"]]


@sight("long_activity_pages", [20, 5], [40, 5])
async def activity_page(service: Asker) -> list[int]:
    path = "/projects/1/activities"
    plain = await service.ask("GET", path)
    asked = await service.ask("GET", path, query={"per_page": "5"})
    return [plain["activities"]["per_page"], asked["activities"]["per_page"]]


@sight("on_site", [404, 404, 404], [200, 403, ["sam"]])
async def site(service: Asker) -> list[object]:
    index = service.base.copy_with(path=service.base.path.removesuffix("/boards/v2"))

    async def ask(path: str, who: str, **query: str) -> Any:
        address = index.copy_with(path=index.path + path, params=query)
        return await service.client.get(address, auth=(who, PASSWORD))

    me = await ask("/wp/v2/users/me", "ann")
    query = {"search": "sam", "context": "edit"}
    replies = [await ask("/wp/v2/users", who, **query) for who in ("ann", "root")]
    found = replies[1]
    slugs = found.status_code if found.is_error else [user["slug"] for user in found.json()]
    return [me.status_code, replies[0].status_code, slugs]


@sight("search_finds_members", ["Bob", "Vic"], ["Bob"])
async def found_people(service: Asker) -> list[object]:
    async def search(name: str) -> Any:
        body = {"searchInput": name}
        return await service.ask("GET", "/search-service-users", body, who="root")

    (vic,) = await search("vic")
    for board in vic["which_boards"]:
        await service.ask("POST", f"/projects/{board['id']}/user/{vic['ID']}/remove", who="root")
    return [user["display_name"] for name in ("bob", "vic") for user in await search(name)]


@sight("archived_tasks_listed", 404, [1, 1])
async def archive_list(service: Asker) -> object:
    await service.set("archived_at", "2026-11-20 09:00:00")
    reply = await service.reply("GET", "/projects/1/archived-tasks")
    if reply.is_error:
        return reply.status_code
    page = reply.json()["tasks"]
    return [page["current_page"], sum(task["id"] == 1 for task in page["data"])]


@sight("few_assignees", {"ann", "bob", "vic"}, {"bob"})
async def assignees(service: Asker) -> set[object]:
    bob = await _id(service, "bob")
    await service.set("assignees", [bob])
    found = (await service.ask("GET", "/projects/1/assignees"))["data"]
    return {user["user_login"] for user in found}


async def _id(service: Asker, login: str) -> int:
    users = (await service.ask("GET", "/projects/1/users"))["users"]
    return next(int(user["ID"]) for user in users if user["user_login"] == login)


@sight("own_places", {"data"}, {"availablePositions"})
async def places(service: Asker) -> set[object]:
    return set(await service.ask("GET", "/projects/1/stage-task-available-positions/1"))


@sight("no_news", 200, 404)
async def news(service: Asker) -> int:
    synced_at = (await service.ask("GET", "/projects/1"))["synced_at"]
    path = "/projects/1/has-data-changed"
    return await service.status("GET", path, query={"since": synced_at})


@sight("coarse_news", [False, True, True, True], [False, True, True, False])
async def seen_changes(service: Asker) -> list[bool]:
    seen = []
    path = "/projects/1/has-data-changed"
    for change in ("", "title", "/projects/1/labels/1", "/projects/1/tasks/2"):
        service.clock.advance(seconds=10)
        since = (await service.ask("GET", "/projects/1"))["synced_at"]
        if change == "title":
            await service.set("title", "New", 2)
        elif change:
            await service.ask("DELETE", change)
        seen.append((await service.ask("GET", path, query={"since": since}))["has_changes"])
    return seen


@sight("coarse_news", [200, 200, 422], [500, 500, 500])
async def odd_since(service: Asker) -> list[int]:
    path = "/projects/1/has-data-changed"
    times = ("2026-11-19 00:00:00", "2099-01-01 00:00:00", "soon")
    return [await service.status("GET", path, query={"since": since}) for since in times]


@sight("coarse_news", None, [[2], [1, 2, 3], [11], True])
async def listed_changes(service: Asker) -> object:
    since = (await service.ask("GET", "/projects/1"))["synced_at"]
    service.clock.advance(seconds=10)
    await service.set("title", "New", 2)
    await service.ask("PUT", "/projects/1/update-stage/1", {"title": "New"})
    label = {"label": "x", "color": "#000", "bg_color": "#fff"}
    await service.ask("POST", "/projects/1/labels", label)
    await service.ask("DELETE", "/projects/1/labels/1")
    told = await service.ask("GET", "/projects/1/has-data-changed", query={"since": since})
    return _told(told, "stages", "labels", "labelDeleted")


@sight("brief_news", None, [[2], [], False, False])
async def brief_changes(service: Asker) -> object:
    await service.set("title", "Long ago")
    service.clock.advance(seconds=61)
    await service.set("title", "New", 2)
    told = await service.ask("GET", "/projects/1/has-data-changed", query={"since": "soon"})
    assert "synced_at" not in told or told["has_changes"]
    return _told(told, "labels", "taskDeleted", "stageDeleted")


@sight("brief_news", [True, None], [False, [[], [], True, False]])
async def brief_deletion(service: Asker) -> object:
    board = await service.ask("GET", "/projects/1")
    await service.ask("DELETE", _TASK)
    now = {"since": "2026-11-21 13:30:00"}
    told = await service.ask("GET", "/projects/1/has-data-changed", query=now)
    return ["synced_at" in board, _told(told, "labels", "taskDeleted", "stageDeleted")]


def _told(told: dict[str, Any], *names: str) -> object:
    """The ids of the tasks that are told of, and the members of these names.

    None where the service leaves nothing out, or refuses to tell.
    """
    if told.get("is_complete") or "tasks" not in told:
        return None
    ids = [[record["id"] for record in told[name]] for name in ("tasks",)]
    return [
        *ids,
        *([one["id"] for one in told[n]] if isinstance(told[n], list) else told[n] for n in names),
    ]


@sight("assignees_watch", [True, False], [True, True])
async def assigned_watchers(service: Asker) -> list[object]:
    ann = await _id(service, "ann")
    await service.set("assignees", [ann])
    return [
        (await service.set("is_watching", value))["task"]["is_watching"] for value in (True, False)
    ]


@sight("assignees_toggle", ["bob"], [])
async def toggled(service: Asker) -> list[object]:
    bob = await _id(service, "bob")
    await service.set("assignees", [bob])
    task = (await service.set("assignees", [bob]))["task"]
    return [user["user_login"] for user in task["assignees"]]


@sight("watching_by_words", [False, True, False], [True, True, False])
async def watching(service: Asker) -> list[object]:
    values = (False, "start", "stop")
    return [(await service.set("is_watching", value))["task"]["is_watching"] for value in values]


async def _moved(service: Asker, task_id: int, index: object) -> int:
    path = f"/projects/1/tasks/{task_id}/move-task"
    return await service.status("PUT", path, {"newStageId": 1, "newIndex": index})


@sight("past_end_is_top", [1, 2, 9], [9, 1, 2])
async def past_end(service: Asker) -> list[int]:
    await _moved(service, 9, 4)
    return await service.order(1)


@sight("bad_index_fails", [422, 422], [500, 500])
async def bad_index(service: Asker) -> list[int]:
    return [await _moved(service, 9, index) for index in (0, "top")]


async def _filled(service: Asker) -> list[int]:
    """Put many tasks of stage 3 between the two of stage 1; returns those put, in order."""
    made = [(await service.make(f"Task {number}", 3))["task"]["id"] for number in range(10)]
    for task_id in made:
        await _moved(service, task_id, 2)
    return made


@sight("positions_run_out", True, False)
async def many_inserts(service: Asker) -> bool:
    made = await _filled(service)
    return await service.order(1) == [1, *reversed(made), 2]


@sight("positions_run_out", [True, 200, True], [False, 200, True])
async def healed(service: Asker) -> list[object]:
    last = (await _filled(service))[-1]
    await _moved(service, last, 2)
    stuck = (await service.order(1))[1] == last
    body = {"order": "position", "orderBy": "ASC"}
    status = await service.status("PUT", "/projects/1/stage/1/sort-task", body)
    await _moved(service, last, 2)
    return [stuck, status, (await service.order(1))[1] == last]


@sight("stage_restore_loses_order", [1.0, 2.0], [0.0, 0.0])
async def restored_stage(service: Asker) -> list[float]:
    await service.ask("PUT", "/projects/1/archive-stage/1")
    await service.ask("PUT", "/projects/1/restore-stage/1")
    tasks = (await service.ask("GET", "/projects/1/tasks"))["tasks"]
    return sorted(task["position"] for task in tasks if task["stage_id"] == 1)


@sight("due_reopens", "closed", "open")
async def due(service: Asker) -> object:
    await service.set("status", "closed")
    return (await service.set("due_at", "2026-12-01 09:00:00"))["task"]["status"]


@sight("completion_reopens", ["closed", "closed"], ["closed", "open"])
async def completion(service: Asker) -> list[object]:
    await service.set("status", "closed")
    values = ("true", "2026-12-01 09:00:00")
    return [(await service.set("last_completed_at", value))["task"]["status"] for value in values]


@sight(
    "dates_echoed",
    ["2026-12-01 11:00:00", "2026-12-01 11:00:00"],
    ["2026-12-01T09:00:00+00:00", "2026-12-01 09:00:00"],
)
async def echo(service: Asker) -> list[object]:
    told = (await service.set("due_at", "2026-12-01T09:00:00+00:00"))["task"]["due_at"]
    return [told, (await service.ask("GET", _TASK))["task"]["due_at"]]


@sight("field_dates_in_words", [200, 422], [500, 200])
async def field_dates(service: Asker) -> list[int]:
    form = {"customField[title]": "Day", "customField[type]": "date"}
    made = (await service.ask("POST", "/projects/1/custom-field", data=form))["customField"]
    spellings = ("2026-12-24 00:00:00", "Thu Dec 24 2026 00:00:00 GMT+0100")
    bodies = [{"custom_field_id": made["id"], "value": value} for value in spellings]
    return [await service.status("POST", _TASK + "/custom-fields", body) for body in bodies]


@sight("task_delete_fails", [200, 404], [500, 200])
async def task_deletion(service: Asker) -> list[int]:
    return [await service.status(method, _TASK) for method in ("DELETE", "GET")]


@sight("foreign_comment_delete_lies", [403, 1], [200, 1])
async def foreign_comment(service: Asker) -> list[object]:
    status = await service.status("DELETE", "/projects/1/tasks/comments/1")
    return [status, (await service.ask("GET", _COMMENTS))["total"]]


@sight("gone_is_fine", [404, 404], [200, 200])
async def second_deletion(service: Asker) -> list[int]:
    paths = ("/webhooks/99", _TASK + "/labels/99")
    return [await service.status("DELETE", path) for path in paths]


@sight("cross_board_move_loses", [200, 404, 200], [500, 404, 404])
async def cross_board(service: Asker) -> list[int]:
    body = {"newStageId": 4, "newIndex": 1, "newBoardId": 2}
    moved = await service.status("PUT", _TASK + "/move-task", body, who="root")
    boards = (1, 2)
    paths = [f"/projects/{board}/tasks/1" for board in boards]
    return [moved, *[await service.status("GET", path, who="root") for path in paths]]


@sight("all_stages_told", ["New"], ["Open", "In Progress", "Completed", "New"])
async def told_stages(service: Asker) -> list[object]:
    told = await service.ask("POST", "/projects/1/stage-create", {"title": "New"})
    return [stage["title"] for stage in told["updatedStages"]]


@sight("all_tasks_told", [2], [1, 3, 2])
async def told_tasks(service: Asker) -> list[object]:
    await service.set("title", "New")
    await service.set("title", "Archived and new", 3)
    told = await service.set("title", "New", 2)
    return [task["id"] for task in told["updatedTasks"]]


@sight("fails_after_writing", [200, 200, 2], [200, 500, 2])
async def failing(service: Asker) -> list[int]:
    body = {"comment": "Again", "comment_type": "comment", "privacy": "public"}
    statuses = [await service.status("POST", _COMMENTS, body) for _ in range(2)]
    listed = await service.ask("GET", _COMMENTS, query={"privacy": "public"})
    return [*statuses, listed["total"]]


@sight(
    "comments_stripped",
    ["a <b>b</b> & c", "a &lt;b&gt;b&lt;/b&gt; &amp; c"],
    ["a b &amp; c", "a b &amp; c"],
)
async def comment_text(service: Asker) -> list[object]:
    body = {"comment": "a <b>b</b> & c", "comment_type": "comment"}
    comment = (await service.ask("POST", _COMMENTS, body))["comment"]
    return [comment["settings"]["raw_description"], comment["description"]]


@sight("comments_cut", 422, 200)
async def long_comment(service: Asker) -> int:
    body = {"comment": "ä" * LARGEST_TEXT, "comment_type": "comment"}
    return await service.status("POST", _COMMENTS, body)


@sight("orphan_replies", [422, 1], [400, 2])
async def orphan(service: Asker) -> list[int]:
    body = {"comment": "Alone", "comment_type": "reply"}
    status = await service.status("POST", _COMMENTS, body)
    return [status, (await service.ask("GET", _COMMENTS))["total"]]


async def _commented(service: Asker, **more: object) -> list[object]:
    made = await service.reply("POST", _COMMENTS, _NEW_COMMENT | more)
    listed = (await service.ask("GET", _COMMENTS))["comments"]["data"]
    shown = made.json()["comment"]["parent_id"] if made.is_success else made.status_code
    return [shown, any(comment["description"] == "Hello" for comment in listed)]


@sight(
    "null_parent_hides",
    [[None, True], [None, True], [None, True]],
    [[False, False], [False, False], [None, True]],
)
async def parents(service: Asker) -> list[object]:
    bodies: list[dict[str, object]] = [{}, {"parent_id": None}, {"parent_id": ""}]
    return [await _commented(service, **body) for body in bodies]


@sight("null_parent_required", [[None, True], [None, True]], [[False, False], [None, True]])
async def parents_of_old(service: Asker) -> list[object]:
    return [await _commented(service, parent_id=parent) for parent in ("", None)]


@sight("author_required", "", "created_by")
async def missing_author(service: Asker) -> str:
    refusal = await service.reply("POST", _COMMENTS, _NEW_COMMENT)
    return next(iter(refusal.json())) if refusal.is_error else ""


@sight("author_required", [[None, True], [None, True]], [[422, False], [None, True]])
async def authors(service: Asker) -> list[object]:
    ann = await _id(service, "ann")
    return [await _commented(service), await _commented(service, comment_by=ann)]


@sight("small_images", [200, 200, 200, 200, 413], [200, 422, 422, 500, 413])
async def images(service: Asker) -> list[int]:
    megabytes = [png() + bytes(size << 20) for size in (3, 9, 11)]
    path = _TASK + "/comment-image-upload"
    return [
        await service.status("POST", path, files={"file": ("p", content, "image/png")})
        for content in (png(), ico(), *megabytes)
    ]
