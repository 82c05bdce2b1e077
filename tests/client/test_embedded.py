"""The client against the embedded service, in process."""

import re
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from tests.client.recorded import METHODS, PNG
from tests.client.scripted import ids
from tui.client import errors
from tui.client.answers import to_documents
from tui.client.client import Client
from tui.client.endpoints import Endpoint
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import Session
from tui.client.records.values import as_ids, as_texts
from tui.model.task import Person
from tui.service.accounts.accounts import Account, create_account
from tui.service.embedded import BASE_URL, Embedded, open_embedded
from tui.service.times import Site, utc_now

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
    async with Client(Session(BASE_URL, credentials, transport=transport)) as one:
        yield one


async def _board(client: Client) -> tuple[int, list[int]]:
    created = await client.boards.create("Plans", "<p>All of them</p>", "to-do")
    board = await client.boards.get(created.id)
    return board.id, ids(board.stages)


async def test_a_board_lives_its_life(client: Client) -> None:
    board_id, stages = await _board(client)
    board = await client.boards.get(board_id)
    assert (board.title, len(stages), board.users[0].role) == ("Plans", 3, "admin")
    await client.boards.update(board_id, title="Better plans")
    assert [b.title for b in await client.boards.list()] == ["Better plans"]
    assert (await client.boards.archive(board_id)).archived_at is not None
    assert await client.boards.list() == []
    assert ids(await client.boards.list(archived=True)) == [board_id]
    assert (await client.boards.restore(board_id)).archived_at is None
    assert [user.user_login for user in await client.boards.users(board_id)] == ["ann"]
    assert (await client.boards.activities(board_id)).records
    await client.boards.delete(board_id)
    with pytest.raises(errors.NotFound):
        await client.boards.get(board_id)


async def test_stages_are_made_renamed_ordered_and_archived(client: Client) -> None:
    board_id, stages = await _board(client)
    changed = await client.stages.create(board_id, "Review", status="closed")
    review = next(stage for stage in changed if stage.title == "Review")
    assert review.settings["default_task_status"] == "closed"
    assert (await client.stages.update(board_id, review.id, title="Check")).title == "Check"
    await client.stages.reposition(board_id, [review.id, *stages])
    board = await client.boards.get(board_id)
    in_order = sorted(board.stages, key=lambda stage: stage.position)
    assert ids(in_order) == [review.id, *stages]
    assert (await client.stages.archive(board_id, review.id)).archived_at is not None
    assert ids(await client.stages.archived(board_id)) == [review.id]
    assert (await client.stages.restore(board_id, review.id)).archived_at is None


async def test_a_task_lives_its_life(client: Client) -> None:
    board_id, (first, second, _) = await _board(client)
    made = (await client.tasks.create(board_id, first, "Write", priority="high")).task
    other = (await client.tasks.create(board_id, second, "Read")).task
    assert (made.status, made.priority, made.stage_id) == ("open", "high", first)
    await client.task_properties.set(board_id, made.id, "title", "Write it")
    await client.task_properties.set(board_id, made.id, "due_at", "2026-12-01 09:00:00")
    moved = await client.task_moves.move(board_id, made.id, second, 1)
    assert moved.stage_id == second
    assert await client.task_moves.available_positions(board_id, second) == (1, 2, 3)
    documents = await to_documents(await client.tasks.list(board_id))
    in_order = sorted(documents, key=lambda task: (task["position"], task["id"]))
    assert [task["id"] for task in in_order] == [made.id, other.id]
    assert in_order[0]["due_at"] == "2026-12-01 09:00:00"
    assert (await client.tasks.get(board_id, made.id)).title == "Write it"
    assert (await client.tasks.activities(board_id, made.id)).records
    await client.tasks.sort(board_id, second, by="title")
    await client.stages.archive_tasks(board_id, second)
    assert await client.tasks.list(board_id) == []
    await client.tasks.delete(board_id, made.id)
    with pytest.raises(errors.NotFound):
        await client.tasks.get(board_id, made.id)


async def test_comments_and_labels(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = (await client.tasks.create(board_id, first, "Write")).task
    comment = await client.comments.create(board_id, task.id, "First")
    await client.comments.update(board_id, task.id, comment.id, "First of all")
    texts = [c.description for c in await client.comments.list(board_id, task.id)]
    assert texts == ["First of all"]
    await client.comments.delete(board_id, task.id, comment.id)
    label = await client.labels.create(board_id, "Urgent", text_color="#000000", bg_color="#ffff00")
    await client.labels.attach(board_id, task.id, label.id)
    assert ids(await client.labels.of_task(board_id, task.id)) == [label.id]
    assert ids(await client.labels.used(board_id)) == [label.id]
    renamed = await client.labels.update(
        board_id, label.id, title="Later", text_color="#000000", bg_color="#00ff00"
    )
    assert renamed.title == "Later"
    await client.labels.detach(board_id, task.id, label.id)
    await client.labels.delete(board_id, label.id)
    assert label.id not in ids(await client.labels.list(board_id))


async def test_news_are_noticed(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    synced_at = (await client.boards.get(board_id)).synced_at
    before = await client.boards.ask_changes(board_id, synced_at or "")
    assert before.has_changes is False
    await client.tasks.create(board_id, first, "News")
    after = await client.boards.ask_changes(board_id, before.synced_at or "")
    assert after.has_changes is True


async def test_a_thread_with_a_picture(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = (await client.tasks.create(board_id, first, "Write")).task
    image = await client.comments.upload_image(board_id, task.id, "dot.png", PNG)
    assert (image.object_id, image.attachment_type) == (0, "image/png")
    comment = await client.comments.create(board_id, task.id, "", image_ids=[image.id])
    ann = Person(1, "Ann", "ann")
    reply = await client.comments.create(
        board_id, task.id, "Thanks @ann", parent_id=comment.id, mentions=[ann]
    )
    assert (reply.type, reply.parent_id) == ("reply", comment.id)
    assert as_ids(reply.settings["mentioned_id"]) == [1]
    (found,) = await client.comments.list(board_id, task.id)
    assert (ids(found.images), ids(found.replies)) == ([image.id], [reply.id])


async def test_subtasks_live_in_groups(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    parent, other = [
        (await client.tasks.create(board_id, first, title)).task.id for title in ("Big", "Small")
    ]
    group = await client.subtasks.create_group(board_id, parent, "Steps")
    later = await client.subtasks.create_group(board_id, parent, "Later")
    assert (await client.subtasks.rename_group(board_id, parent, later.id, "Last")).value == "Last"
    one = await client.subtasks.create(board_id, parent, group.id, "One")
    two = await client.subtasks.create(board_id, parent, group.id, "Two", on_top=True)
    assert (one.parent_id, one.meta["subtask_group_id"]) == (parent, group.id)
    await client.subtasks.reposition(board_id, two.id, 0, 2)
    copy = await client.subtasks.clone(board_id, one.id)
    assert copy.title.endswith("(cloned)")
    moved = await client.subtasks.move(board_id, parent, later.id, [two.id, copy.id])
    assert ids(moved) == [two.id, copy.id]
    assert (await client.subtasks.convert(board_id, other, parent, group_id=group.id)).id == parent
    found = await client.subtasks.list(board_id, parent)
    assert [ids(each.subtasks) for each in found] == [[one.id, other], [two.id, copy.id]]
    freed = await client.subtasks.move_to_board(board_id, other, first)
    assert (freed.parent_id, freed.stage_id) == (None, first)
    await client.subtasks.delete(board_id, one.id)
    await client.subtasks.delete_group(board_id, parent, later.id)
    assert ids(await client.subtasks.list(board_id, parent)) == [group.id]


async def test_custom_fields_and_their_values(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = (await client.tasks.create(board_id, first, "Write")).task
    size = await client.fields.create(board_id, "Size & more", "select", options=["S", "M"])
    done = await client.fields.create(board_id, "Done", "checkbox")
    when = await client.fields.create(board_id, "When", "date")
    assert size.title == "Size & more"
    assert as_texts(size.settings["select_options"]) == ["S", "M"]
    for field, value in ((size, "M"), (done, False), (when, date(2026, 12, 1))):
        await client.fields.set_value(board_id, task.id, field.id, value)
    values = await client.fields.values(board_id, task.id)
    assert {value.foreign_id: value.settings["value"] for value in values} == {
        size.id: "M",
        done.id: False,
        when.id: "2026-12-01 00:00:00",
    }
    await client.fields.set_value(board_id, task.id, size.id, None)
    await client.fields.reposition(board_id, when.id, 1)
    await client.fields.update(board_id, done.id, title="Finished", field_type="checkbox")
    await client.fields.delete(board_id, size.id)
    fields = await client.fields.list(board_id)
    in_order = sorted(fields, key=lambda field: field.position)
    assert [field.title for field in in_order] == ["When", "Finished"]


async def test_folders_hold_boards(client: Client) -> None:
    board_id, _ = await _board(client)
    folder = await client.folders.create("Work")
    await client.folders.add_boards(folder.id, [board_id])
    inside = await client.boards.create("Inside", "", "to-do", folder_id=folder.id)
    await client.folders.rename(folder.id, "Ongoing work")
    await client.folders.remove_board(folder.id, board_id)
    (found,) = await client.folders.list()
    assert (found.title, found.boards_ids) == ("Ongoing work", [inside.id])
    await client.folders.delete(folder.id)
    assert await client.folders.list() == []


async def test_people_and_their_roles(embedded: Embedded, client: Client) -> None:
    bob = _account(embedded, "bob").id
    board_id, _ = await _board(client)
    assert (await client.people.add_member(board_id, bob, viewer_only=True)).role == "viewer"
    assert (await client.people.make_member(board_id, bob)).is_admin is False
    assert (await client.people.make_manager(board_id, bob)).is_board_admin is True
    assert (await client.people.remove_manager(board_id, bob)).is_admin is False
    assert (await client.people.make_viewer(board_id, bob)).id == bob
    assignees = await client.people.assignees(board_id)
    assert [user.pivot.settings_flags["is_admin"] for user in assignees if user.pivot] == [
        True,
        False,
    ]
    everybody = await client.people.list()
    assert {user.user_login or user.display_name for user in everybody} >= {"Bob"}
    (found,) = await client.people.search("bob")
    assert ids(found.which_boards) == [board_id]
    await client.people.sync_roles(bob, {board_id: "admin"})
    roles = {user.id: user.role for user in await client.boards.users(board_id)}
    assert roles[bob] == "admin"
    await client.people.sync_roles(bob, {board_id: ""})
    await client.people.add_member(board_id, bob)
    await client.people.remove_member(board_id, bob)
    await client.people.add_member(board_id, bob)
    await client.people.remove_from_board(board_id, bob)
    assert bob not in ids(await client.boards.users(board_id))


def _account(embedded: Embedded, login: str) -> Account:
    """A new account that nobody can log in to."""
    with embedded.database.transaction(writing=True) as db:
        return create_account(db, Site(utc_now, None), login=login, display_name=login.title())


async def test_webhooks_are_made_and_deleted(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    made = await client.webhooks.create("Form", board_id, first)
    assert (made.target.board, made.target.stage) == (board_id, first)
    found = await client.webhooks.list("Form")
    assert ids(found.webhooks) == [made.webhook_id]
    assert [field.key for field in found.fields if field.is_required] == ["title"]
    assert (await client.webhooks.delete(found.webhooks[0].id)) == []


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
        await client.tasks.create(board_id, first, " ")
    assert caught.value.params
    assert not caught.value.may_have_happened


async def test_a_wrong_password_is_said_so(embedded: Embedded) -> None:
    transport = InProcessTransport(embedded.application)
    session = Session(BASE_URL, Credentials(embedded.login, "wrong"), transport=transport)
    async with Client(session) as one:
        with pytest.raises(errors.WrongCredentials):
            await one.boards.list()
