"""The client against the embedded service, in process."""

import re
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from tests.client.recorded import METHODS, PNG
from tests.client.scripted import all_comments, ids
from tui.client import errors
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.endpoints import Endpoint
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.client.values import as_flags, as_ids, as_texts
from tui.model.task import Person
from tui.service.accounts.accounts import Caller, create_account
from tui.service.embedded import BASE_URL, Embedded, open_embedded
from tui.service.times import SiteClock, utc_now

_ID = re.compile(r"{(\w+_id)}")


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[Embedded]:
    service = open_embedded(tmp_path / "boards.sqlite3", login="ann", display_name="Ann")
    yield service
    service.close()


@pytest.fixture
async def client(embedded: Embedded) -> AsyncIterator[Client]:
    credentials = Credentials(embedded.login, embedded.password)
    transport = InProcessTransport(embedded.application)
    async with client_for(HttpSession(BASE_URL, credentials, transport=transport)) as one:
        yield one


async def _board(client: Client) -> tuple[int, list[int]]:
    created = await client.create_board("Plans", "<p>All of them</p>", "to-do")
    board = await client.board(created["id"])
    return board["id"], ids(board["stages"])


async def test_a_board_lives_its_life(client: Client) -> None:
    board_id, stages = await _board(client)
    board = await client.board(board_id)
    assert (board["title"], len(stages), board["users"][0]["role"]) == ("Plans", 3, "admin")
    await client.update_board(board_id, title="Better plans")
    assert [b["title"] for b in await client.list_boards()] == ["Better plans"]
    assert (await client.archive_board(board_id))["archived_at"] is not None
    assert await client.list_boards() == []
    assert ids(await client.list_boards(archived=True)) == [board_id]
    assert (await client.restore_board(board_id))["archived_at"] is None
    assert [user["user_login"] for user in await client.members(board_id)] == ["ann"]
    assert (await client.activity_page(board_id)).documents
    await client.delete_board(board_id)
    with pytest.raises(errors.NotFound):
        await client.board(board_id)


async def test_stages_are_made_renamed_ordered_and_archived(client: Client) -> None:
    board_id, stages = await _board(client)
    changed = await client.create_stage(board_id, "Review", status="closed")
    review = next(stage for stage in changed if stage["title"] == "Review")
    assert review["settings"]["default_task_status"] == "closed"
    assert (await client.update_stage(board_id, review["id"], title="Check"))["title"] == "Check"
    await client.reposition_stages(board_id, [review["id"], *stages])
    board = await client.board(board_id)
    in_order = sorted(board["stages"], key=lambda stage: stage["position"])
    assert ids(in_order) == [review["id"], *stages]
    assert (await client.archive_stage(board_id, review["id"]))["archived_at"] is not None
    assert ids(await client.archived_stages(board_id)) == [review["id"]]
    assert (await client.restore_stage(board_id, review["id"]))["archived_at"] is None


async def test_a_task_lives_its_life(client: Client) -> None:
    board_id, (first, second, _) = await _board(client)
    made = await client.create_task(board_id, first, "Write", priority="high")
    other = await client.create_task(board_id, second, "Read")
    assert (made["status"], made["priority"], made["stage_id"]) == ("open", "high", first)
    await client.set_task(board_id, made["id"], "title", "Write it")
    await client.set_task(board_id, made["id"], "due_at", "2026-12-01 09:00:00")
    moved = await client.move_task(board_id, made["id"], second, 1)
    assert moved["stage_id"] == second
    assert await client.available_positions(board_id, second) == (1, 2, 3)
    documents = await client.tasks(board_id)
    in_order = sorted(documents, key=lambda task: (task["position"], task["id"]))
    assert [task["id"] for task in in_order] == [made["id"], other["id"]]
    assert in_order[0]["due_at"] == "2026-12-01 09:00:00"
    assert (await client.task(board_id, made["id"]))["title"] == "Write it"
    assert (await client.activities(board_id, made["id"])).documents
    await client.sort_tasks(board_id, second, by="title")
    await client.archive_tasks(board_id, second)
    assert await client.tasks(board_id) == []
    await client.delete_task(board_id, made["id"])
    with pytest.raises(errors.NotFound):
        await client.task(board_id, made["id"])


async def test_comments_and_labels(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = await client.create_task(board_id, first, "Write")
    comment = await client.create_comment(board_id, task["id"], "First")
    await client.update_comment(board_id, task["id"], comment["id"], "First of all")
    texts = [c["description"] for c in await all_comments(client, board_id, task["id"])]
    assert texts == ["First of all"]
    await client.delete_comment(board_id, task["id"], comment["id"])
    label = await client.create_label(board_id, "Urgent", text_color="#000000", color="#ffff00")
    await client.add_label(board_id, task["id"], label["id"])
    assert ids(await client.labels_of(board_id, task["id"])) == [label["id"]]
    assert ids(await client.used_labels(board_id)) == [label["id"]]
    renamed = await client.update_label(
        board_id, label["id"], title="Later", text_color="#000000", color="#00ff00"
    )
    assert renamed["title"] == "Later"
    await client.remove_label(board_id, task["id"], label["id"])
    await client.delete_label(board_id, label["id"])
    assert label["id"] not in ids(await client.labels(board_id))


async def test_news_are_noticed(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    synced_at = (await client.board(board_id))["synced_at"]
    before = await client.ask_changes(board_id, synced_at or "")
    assert before.has_changes is False
    await client.create_task(board_id, first, "News")
    after = await client.ask_changes(board_id, before.synced_at or "")
    assert after.has_changes is True


async def test_a_thread_with_a_picture(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = await client.create_task(board_id, first, "Write")
    image = await client.upload_image(board_id, task["id"], "dot.png", PNG)
    assert (image["object_id"], image["attachment_type"]) == (0, "image/png")
    comment = await client.create_comment(board_id, task["id"], "", image_ids=[image["id"]])
    ann = Person(1, "Ann", "ann")
    reply = await client.create_comment(
        board_id, task["id"], "Thanks @ann", parent_id=comment["id"], mentions=[ann]
    )
    assert (reply["type"], reply["parent_id"]) == ("reply", comment["id"])
    assert as_ids(reply["settings"]["mentioned_id"]) == [1]
    (found,) = await all_comments(client, board_id, task["id"])
    assert (ids(found["images"]), ids(found["replies"])) == ([image["id"]], [reply["id"]])


async def test_subtasks_live_in_groups(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    parent, other = [
        (await client.create_task(board_id, first, title))["id"] for title in ("Big", "Small")
    ]
    group = await client.create_subtask_group(board_id, parent, "Steps")
    later = await client.create_subtask_group(board_id, parent, "Later")
    assert (await client.rename_subtask_group(board_id, parent, later["id"], "Last"))[
        "value"
    ] == "Last"
    one = await client.create_subtask(board_id, parent, group["id"], "One")
    two = await client.create_subtask(board_id, parent, group["id"], "Two", on_top=True)
    assert (one["parent_id"], one["meta"]["subtask_group_id"]) == (parent, group["id"])
    await client.place_subtask(board_id, two["id"], 0, 2)
    copy = await client.clone_subtask(board_id, one["id"])
    assert copy["title"].endswith("(cloned)")
    moved = await client.move_subtasks(board_id, parent, later["id"], [two["id"], copy["id"]])
    assert ids(moved) == [two["id"], copy["id"]]
    assert (await client.task_to_subtask(board_id, other, parent, group_id=group["id"]))[
        "id"
    ] == parent
    found = await client.subtask_groups(board_id, parent)
    assert [ids(each["subtasks"]) for each in found] == [
        [one["id"], other],
        [two["id"], copy["id"]],
    ]
    freed = await client.subtask_to_task(board_id, other, first)
    assert (freed["parent_id"], freed["stage_id"]) == (None, first)
    await client.delete_subtask(board_id, one["id"])
    await client.delete_subtask_group(board_id, parent, later["id"])
    assert ids(await client.subtask_groups(board_id, parent)) == [group["id"]]


async def test_custom_fields_and_their_values(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = await client.create_task(board_id, first, "Write")
    size = await client.create_field(board_id, "Size & more", "select", options=["S", "M"])
    done = await client.create_field(board_id, "Done", "checkbox")
    when = await client.create_field(board_id, "When", "date")
    assert size["title"] == "Size & more"
    assert as_texts(size["settings"]["select_options"]) == ["S", "M"]
    for field, value in ((size, "M"), (done, False), (when, date(2026, 12, 1))):
        await client.set_field_value(board_id, task["id"], field["id"], value)
    values = await client.field_values(board_id, task["id"])
    assert {value["foreign_id"]: value["settings"]["value"] for value in values} == {
        size["id"]: "M",
        done["id"]: False,
        when["id"]: "2026-12-01 00:00:00",
    }
    await client.set_field_value(board_id, task["id"], size["id"], None)
    await client.reposition_field(board_id, when["id"], 1)
    await client.update_field(board_id, done["id"], title="Finished", field_type="checkbox")
    await client.delete_field(board_id, size["id"])
    fields = await client.fields(board_id)
    in_order = sorted(fields, key=lambda field: field["position"])
    assert [field["title"] for field in in_order] == ["When", "Finished"]


async def test_folders_hold_boards(client: Client) -> None:
    board_id, _ = await _board(client)
    folder = await client.create_folder("Work")
    await client.add_to_folder(folder["id"], [board_id])
    inside = await client.create_board("Inside", "", "to-do", folder_id=folder["id"])
    await client.rename_folder(folder["id"], "Ongoing work")
    await client.remove_from_folder(folder["id"], board_id)
    (found,) = await client.folders()
    assert (found["title"], found["boards_ids"]) == ("Ongoing work", [inside["id"]])
    await client.delete_folder(folder["id"])
    assert await client.folders() == []


async def test_people_and_their_roles(embedded: Embedded, client: Client) -> None:
    bob = _account(embedded, "bob").id
    board_id, _ = await _board(client)
    assert (await client.add_member(board_id, bob, viewer_only=True))["role"] == "viewer"
    assert (await client.make_member(board_id, bob))["is_admin"] is False
    assert (await client.make_manager(board_id, bob))["is_board_admin"] is True
    assert (await client.remove_manager(board_id, bob))["is_admin"] is False
    assert (await client.make_viewer(board_id, bob))["ID"] == bob
    assignees = await client.assignees(board_id)
    assert [as_flags(user["pivot"]["settings"])["is_admin"] for user in assignees] == [
        True,
        False,
    ]
    everybody = await client.users()
    assert {user.get("user_login") or user["display_name"] for user in everybody} >= {"Bob"}
    (found,) = await client.search_users("bob")
    assert ids(found["which_boards"]) == [board_id]
    await client.sync_roles(bob, {board_id: "admin"})
    roles = {user["ID"]: user["role"] for user in await client.members(board_id)}
    assert roles[bob] == "admin"
    await client.sync_roles(bob, {board_id: ""})
    await client.add_member(board_id, bob)
    await client.remove_member(board_id, bob)
    await client.add_member(board_id, bob)
    await client.remove_user(board_id, bob)
    assert bob not in ids(await client.members(board_id))


def _account(embedded: Embedded, login: str) -> Caller:
    """A new account that nobody can log in to."""
    with embedded.database.transaction(writing=True) as db:
        return create_account(db, SiteClock(utc_now, None), login=login, display_name=login.title())


async def test_webhooks_are_made_and_deleted(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    webhook_id = await client.create_webhook("Form", board_id, first)
    assert webhook_id is not None
    webhooks, fields = await client.webhooks("Form")
    assert ids(webhooks) == [webhook_id]
    assert (webhooks[0]["value"]["board"], webhooks[0]["value"]["stage"]) == (board_id, first)
    required = [field["key"] for field in fields if field["field"]["rules"] == "required"]
    assert required == ["title"]
    await client.delete_webhook(webhook_id)
    assert (await client.webhooks("Form"))[0] == []


async def test_what_is_not_there_is_said_so(client: Client) -> None:
    missing = (errors.NotFound, errors.NotOffered)
    for endpoint in Endpoint:
        gone = dict.fromkeys(_ID.findall(endpoint.path), 999)
        if gone:
            is_deletion = endpoint.method == "DELETE"
            with pytest.raises(missing):
                await (
                    client.service.ask(endpoint, *gone.values())
                    if is_deletion
                    else METHODS[endpoint](client, **gone)
                )


async def test_a_refusal_names_the_field(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    with pytest.raises(errors.Refused) as caught:
        await client.create_task(board_id, first, " ")
    assert caught.value.params
    assert not caught.value.may_have_happened


async def test_a_wrong_password_is_said_so(embedded: Embedded) -> None:
    transport = InProcessTransport(embedded.application)
    session = HttpSession(BASE_URL, Credentials(embedded.login, "wrong"), transport=transport)
    async with client_for(session) as one:
        with pytest.raises(errors.WrongCredentials):
            await one.list_boards()
