"""The client against the embedded service, in process."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.recorded import METHODS
from tests.api.scripted import ids
from tui.api import errors
from tui.api.client import Client
from tui.api.credentials import Credentials
from tui.api.endpoints import Endpoint
from tui.api.inprocess import InProcessTransport
from tui.api.listing import gather
from tui.api.session import Session
from tui.service.embedded import BASE_URL, Embedded, open_embedded

_GONE = {"board_id": 999, "stage_id": 999, "task_id": 999, "comment_id": 999, "label_id": 999}


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
    created = await client.boards.create("Plans", "to-do", description="<p>All of them</p>")
    board = await client.boards.get(created.id)
    return board.id, ids(board.stages)


async def test_a_board_lives_its_life(client: Client) -> None:
    board_id, stages = await _board(client)
    board = await client.boards.get(board_id)
    assert (board.title, len(stages), board.users[0].role) == ("Plans", 3, "admin")
    await client.boards.update(board_id, title="Better plans")
    assert [b.title for b in (await client.boards.list()).records] == ["Better plans"]
    assert (await client.boards.archive(board_id)).archived_at is not None
    assert (await client.boards.list()).records == []
    assert ids((await client.boards.list(archived=True)).records) == [board_id]
    assert (await client.boards.restore(board_id)).archived_at is None
    assert [user.user_login for user in (await client.boards.users(board_id)).records] == ["ann"]
    assert (await gather(client.boards.activities(board_id))).records
    await client.boards.delete(board_id)
    with pytest.raises(errors.NotThere):
        await client.boards.get(board_id)


async def test_stages_are_made_renamed_ordered_and_archived(client: Client) -> None:
    board_id, stages = await _board(client)
    changed = await client.stages.create(board_id, "Review", status="closed")
    review = next(stage for stage in changed.records if stage.title == "Review")
    assert review.settings["default_task_status"] == "closed"
    assert (await client.stages.update(board_id, review.id, title="Check")).title == "Check"
    await client.stages.reposition(board_id, [review.id, *stages])
    board = await client.boards.get(board_id)
    in_order = sorted(board.stages, key=lambda stage: stage.position)
    assert ids(in_order) == [review.id, *stages]
    assert (await client.stages.archive(board_id, review.id)).archived_at is not None
    assert ids((await client.stages.archived(board_id)).records) == [review.id]
    assert (await client.stages.restore(board_id, review.id)).archived_at is None


async def test_a_task_lives_its_life(client: Client) -> None:
    board_id, (first, second, _) = await _board(client)
    made = (await client.tasks.create(board_id, first, "Write", priority="high")).task
    other = (await client.tasks.create(board_id, second, "Read")).task
    assert (made.status, made.priority, made.stage_id) == ("open", "high", first)
    await client.tasks.update(board_id, made.id, "title", "Write it")
    await client.tasks.update(board_id, made.id, "due_at", "2026-12-01 09:00:00")
    moved = (await client.tasks.move(board_id, made.id, second, 1)).task
    assert moved.stage_id == second
    assert await client.stages.available_positions(board_id, second) == (1, 2, 3)
    documents = await (await client.tasks.list(board_id)).documents()
    in_order = sorted(documents, key=lambda task: (task["position"], task["id"]))
    assert [task["id"] for task in in_order] == [made.id, other.id]
    assert in_order[0]["due_at"] == "2026-12-01 09:00:00"
    assert (await client.tasks.get(board_id, made.id)).title == "Write it"
    assert (await gather(client.tasks.activities(board_id, made.id))).records
    await client.stages.sort_tasks(board_id, second, by="title")
    await client.stages.archive_tasks(board_id, second)
    assert (await client.tasks.list(board_id)).records == []
    await client.tasks.delete(board_id, made.id)
    with pytest.raises(errors.NotThere):
        await client.tasks.get(board_id, made.id)


async def test_comments_and_labels(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    task = (await client.tasks.create(board_id, first, "Write")).task
    comment = await client.comments.create(board_id, task.id, "First")
    await client.comments.update(board_id, task.id, comment.id, "First of all")
    texts = [c.description for c in (await client.comments.list(board_id, task.id)).records]
    assert texts == ["First of all"]
    await client.comments.delete(board_id, comment.id)
    label = await client.labels.create(board_id, "Urgent", color="#000000", bg_color="#ffff00")
    await client.labels.attach(board_id, task.id, label.id)
    assert ids((await client.labels.of_task(board_id, task.id)).records) == [label.id]
    assert ids((await client.labels.used(board_id)).records) == [label.id]
    renamed = await client.labels.update(
        board_id, label.id, title="Later", color="#000000", bg_color="#00ff00"
    )
    assert renamed.title == "Later"
    await client.labels.detach(board_id, task.id, label.id)
    await client.labels.delete(board_id, label.id)
    assert label.id not in ids((await client.labels.list(board_id)).records)


async def test_news_are_noticed(client: Client) -> None:
    board_id, (first, *_) = await _board(client)
    synced_at = (await client.boards.get(board_id)).synced_at
    before = await client.boards.has_data_changed(board_id, synced_at or "")
    assert before.has_changes is False
    await client.tasks.create(board_id, first, "News")
    after = await client.boards.has_data_changed(board_id, before.synced_at or "")
    assert after.has_changes is True


@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in Endpoint if "{" in endpoint.path],
    ids=lambda endpoint: endpoint.name,
)
async def test_what_is_not_there_is_said_so(client: Client, endpoint: Endpoint) -> None:
    gone = {name: number for name, number in _GONE.items() if f"{{{name}}}" in endpoint.path}
    with pytest.raises((errors.NotThere, errors.NotOffered)):
        await METHODS[endpoint](client, **gone)


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
