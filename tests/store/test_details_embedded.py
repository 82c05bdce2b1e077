"""Everything that can be done to boards, stages and opened tasks, at the embedded service.

Each is done twice: once as it should be, and once with the reply to every request lost that writes.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from tests.store.assigning import toggled
from tests.store.party import new_board, until
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.model.board import BoardView, Place
from tui.model.custom_field import FieldType
from tui.model.detail import Reminder, SubtaskGroup, TaskDetail
from tui.model.task import Status, Task
from tui.service.embedded import BASE_URL, open_embedded
from tui.store import operations as change
from tui.store.clock import SystemClock
from tui.store.events import PendingState
from tui.store.operations.base import Operation
from tui.store.pictures import Uploads
from tui.store.store import LocalStore

pytestmark = pytest.mark.long

_AT = datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  wall clock
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
_PAUSE = 5.0
_ON_THEIR_WAY = (PendingState.WAITING, PendingState.SENDING)


class LosingReplies(InProcessTransport):
    """Loses every reply to a write, unless the service says that it is a repetition."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Have the service answer, and drop the answer."""
        response = await super().handle_async_request(request)
        is_keyed = "idempotency-key" in request.headers
        if is_keyed and response.is_success and "idempotent-replayed" not in response.headers:
            raise httpx.ReadError("the connection broke", request=request)
        return response


class ShortPauses(SystemClock):
    """A clock on which a pause before a repetition takes no time, and any other never ends."""

    async def sleep(self, seconds: float) -> None:
        """Come back at once, or never."""
        await asyncio.sleep(0 if seconds <= _PAUSE else 3600)


class Desk:
    """A board at the embedded service with one of its tasks opened."""

    def __init__(
        self, store: LocalStore, client: Client, board_id: int, *, loses_replies: bool
    ) -> None:
        self.loses_replies = loses_replies
        self.store = store
        self.client = client
        self.board_id = board_id
        self.task_id = 0

    @property
    def view(self) -> BoardView:
        view = self.store.board(self.board_id)
        assert view is not None
        return view

    @property
    def detail(self) -> TaskDetail:
        detail = self.store.detail(self.task_id)
        assert detail is not None
        return detail

    @property
    def task(self) -> Task:
        return self.detail.task

    def group(self, title: str) -> SubtaskGroup:
        return next(one for one in self.detail.groups or () if one.title == title)

    def subtask(self, title: str) -> Task:
        return next(one for one in self.detail.subtasks() if one.title == title)

    def groups(self) -> dict[str, list[str]]:
        """The titles of subtasks by group, as drawn."""
        return {
            group.title: [one.title for one in group.subtasks] for group in self.detail.groups or ()
        }

    def said(self) -> list[tuple[str, list[str]]]:
        """Comments with their replies, as drawn."""
        return [
            (one.text, [reply.text for reply in one.replies]) for one in self.detail.comments or ()
        ]

    def titles(self) -> dict[str, list[str]]:
        return {
            s.title: [task.title for task in self.view.in_stage(s.id)] for s in self.view.stages
        }

    async def submit(self, *operations: Operation) -> None:
        """Submit, and see that the service has it."""
        await self.store.submit(*operations)
        await self._delivered()

    async def hear(self) -> None:
        """Ask for what a reply told beside what was asked, if it was lost."""
        if self.loses_replies:
            await self.store.refresh(self.board_id)

    async def undo(self, times: int = 1) -> None:
        """Take back, and see that the service has what is drawn."""
        for _ in range(times):
            await self.store.undo(self.board_id)
            await self._delivered()
        await self.settled()

    async def _delivered(self) -> None:
        def is_delivered() -> bool:
            return not any(one.state in _ON_THEIR_WAY for one in self.store.pending())

        await until(self.store, is_delivered)
        assert [(one.operation.describe(), one.reason) for one in self.store.pending()] == []

    async def settled(self) -> None:
        """What is drawn is what the service says when it is asked again."""
        await self._delivered()
        drawn = (self.groups(), self.said(), self.detail.values, self.titles(), _card(self.task))
        await self.store.refresh(self.board_id)
        await self.store.refresh_task(self.task_id)
        assert drawn == (
            self.groups(),
            self.said(),
            self.detail.values,
            self.titles(),
            _card(self.task),
        )


def _card(task: Task) -> tuple[object, ...]:
    return (
        task.title,
        task.status,
        task.due_at,
        task.started_at,
        task.comments_count,
        {label.title for label in task.labels},
        {person.login for person in task.assignees},
    )


@pytest.fixture(params=[InProcessTransport, LosingReplies])
async def desk(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    embedded = open_embedded(tmp_path / "boards.sqlite3", login="ann", display_name="Ann Ex")
    transport = request.param(embedded.application)
    session = HttpSession(
        BASE_URL, Credentials(embedded.login, embedded.password), transport=transport
    )
    async with client_for(session) as client:
        clock = ShortPauses()
        store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default", clock=clock)
        store.connect(client)
        board_id = await new_board(store, "Website")
        await client.create_field(board_id, "Customer", "text")
        await client.create_field(board_id, "Size", "select", options=["S", "M"])
        await store.open_board(board_id)
        is_losing = request.param is LosingReplies
        desk = Desk(store, client, board_id, loses_replies=is_losing)
        first = desk.view.stages[0].id
        made = [change.CreateTask.new(board_id, first, title) for title in ("A", "B", "C")]
        await store.submit(*made)
        await until(store, lambda: not store.pending())
        desk.task_id = next(task.id for task in desk.view.all_tasks() if task.title == "A")
        await store.open_task(board_id, desk.task_id)
        await until(store, lambda: desk.detail.values is not None)
        await store.refresh(board_id)
        yield desk
        await store.aclose()
    embedded.close()


async def test_subtasks(desk: Desk) -> None:
    await desk.submit(change.CreateGroup.new(desk.task, "Before"))
    await desk.submit(change.CreateGroup.new(desk.task, "After"))
    before = desk.group("Before")
    await desk.submit(
        *(change.CreateSubtask.new(desk.task, before, title) for title in ("X", "Y", "Z"))
    )
    await desk.submit(change.CreateSubtask.new(desk.task, before, "W", on_top=True))
    assert desk.groups() == {"Before": ["W", "X", "Y", "Z"], "After": []}
    await desk.submit(change.set_status(desk.subtask("X"), Status.CLOSED))
    await desk.submit(change.set_due(desk.subtask("X"), _AT))
    await desk.submit(toggled(desk.subtask("X"), desk.view.people[0]))
    assert desk.detail.progress == (1, 4)
    await desk.hear()
    card = desk.view.task(desk.task_id)
    assert card is not None
    assert (card.subtasks_done, card.subtasks_total) == (1, 4)
    top = Place(below=desk.subtask("W").id)
    await desk.submit(change.MoveSubtask.on(desk.detail, desk.subtask("Z"), before.id, top))
    after = desk.group("After").id
    await desk.submit(change.MoveSubtask.on(desk.detail, desk.subtask("X"), after, Place()))
    await desk.submit(change.CloneSubtask.on(desk.detail, desk.subtask("W")))
    assert desk.groups() == {"Before": ["Z", "W", "W (cloned)", "Y"], "After": ["X"]}
    await desk.settled()
    await desk.submit(change.rename_group(desk.task, desk.group("Before"), "First"))
    await desk.submit(change.DeleteSubtask.on(desk.detail, desk.subtask("W")))
    assert desk.groups() == {"First": ["Z", "W (cloned)", "Y"], "After": ["X"]}
    await desk.undo(3)
    assert desk.groups() == {"Before": ["Z", "W", "Y"], "After": ["X"]}
    await desk.submit(change.DeleteGroup.on(desk.task, desk.group("After")))
    await desk.undo()
    again = desk.subtask("X")
    assert (again.status, again.due_at, len(again.assignees)) == (Status.CLOSED, _AT, 1)


async def test_conversions(desk: Desk) -> None:
    await desk.submit(change.CreateGroup.new(desk.task, "Group"))
    group, first = desk.group("Group"), desk.view.stages[0]
    other = next(task for task in desk.view.in_stage(first.id) if task.title == "B")
    await desk.submit(change.ConvertToSubtask.on(other, desk.task, group.id))
    assert (desk.groups(), desk.titles()[first.title]) == ({"Group": ["B"]}, ["A", "C"])
    await desk.undo()
    assert (desk.groups(), desk.titles()[first.title]) == ({"Group": []}, ["A", "B", "C"])
    await desk.store.redo(desk.board_id)
    await desk.settled()
    await desk.submit(
        change.ConvertToTask.on(desk.detail, desk.subtask("B"), desk.view.stages[1].id)
    )
    assert desk.titles()[desk.view.stages[1].title] == ["B"]
    await desk.undo()
    assert desk.groups() == {"Group": ["B"]}


async def test_comments(desk: Desk, tmp_path: Path) -> None:
    author = desk.view.people[0]
    picture = Uploads(tmp_path / "data" / "default" / "uploads").keep("dot.png", _PIXEL)
    upload = change.UploadImage.of(desk.task, picture)
    comment = change.CreateComment.new(
        desk.task,
        "Hello @ann & <all>",
        author=author,
        mentions=[author],
        images=[upload.image],
    )
    await desk.submit(upload, comment)
    (shown,) = desk.detail.comments or ()
    assert (shown.text, shown.mentions) == ("Hello @ann & <all>", (author.id,))
    assert [image.title for image in shown.images] == ["dot.png"]
    assert await desk.store.picture(desk.task_id, shown.images[0].id) == _PIXEL
    await desk.submit(change.CreateComment.new(desk.task, to=shown, text="Yes", author=author))
    await desk.submit(change.EditComment.on(desk.task, shown, "Hello @ann again"))
    assert desk.said() == [("Hello @ann again", ["Yes"])]
    (shown,) = desk.detail.comments or ()
    assert (shown.mentions, len(shown.images)) == ((author.id,), 1)
    await desk.settled()
    await desk.submit(change.CreateComment.new(desk.task, "Second"))
    await desk.submit(change.DeleteComment.on(desk.task, shown))
    assert desk.said() == [("Second", [])]
    await desk.undo()
    assert desk.said() == [("Hello @ann again", []), ("Second", [])]
    assert desk.task.comments_count == 2


async def test_labels(desk: Desk) -> None:
    label = change.CreateLabel.new(desk.board_id, "urgent", "#c0392b")
    await desk.submit(label, change.add_label(desk.task, label.label))
    assert [one.title for one in desk.task.labels] == ["urgent"]
    made = desk.task.labels[0]
    await desk.submit(change.edit_label(desk.board_id, made, title="now", color="#27ae60"))
    assert [(one.title, one.color) for one in desk.task.labels] == [("now", "#27ae60")]
    await desk.settled()
    await desk.submit(change.remove_label(desk.task, desk.task.labels[0]))
    await desk.undo()
    await desk.submit(change.DeleteLabel.on(desk.view, desk.task.labels[0]))
    assert [one.title for one in desk.task.labels] == []
    await desk.undo()
    assert [one.title for one in desk.task.labels] == ["now"]


async def test_what_is_set_on_a_task(desk: Desk) -> None:
    customer, size = desk.view.fields
    assert (customer.title, size.type, size.options) == ("Customer", FieldType.SELECT, ("S", "M"))
    before = desk.detail
    await desk.submit(change.set_custom_field(desk.detail, customer, "ACME"))
    await desk.submit(change.set_custom_field(desk.detail, size, "M"))
    await desk.submit(change.set_start(desk.task, _AT))
    await desk.submit(change.set_reminder(desk.detail, Reminder("once", _AT)))
    await desk.submit(change.set_plain(desk.detail, "cover", "#123456"))
    await desk.submit(change.set_plain(desk.detail, "template", True))
    await desk.submit(change.set_watching(desk.task, on=not desk.detail.watching))
    await desk.submit(toggled(desk.task, desk.view.people[0]))
    await desk.settled()
    detail = desk.detail
    assert [value.value for value in detail.values or ()] == ["ACME", "M"]
    assert (detail.task.started_at, detail.reminder) == (_AT, Reminder("once", _AT))
    assert (detail.cover, detail.is_template) == ("#123456", True)
    assert detail.watching is not before.watching
    assert len(detail.task.assignees) == 1
    await desk.undo(8)
    after = desk.detail
    assert (after.values, after.reminder, after.cover, after.is_template, after.watching) == (
        before.values,
        before.reminder,
        before.cover,
        before.is_template,
        before.watching,
    )
    assert _card(after.task) == _card(before.task)


async def test_stages(desk: Desk) -> None:
    first, *_, last = desk.view.stages
    titles = [stage.title for stage in desk.view.stages]
    await desk.submit(change.CreateStage.new(desk.board_id, "Later", Status.CLOSED))
    await desk.submit(change.rename_stage(first, "Now"))
    await desk.submit(change.set_setting(desk.view.stages[1], "status", Status.CLOSED))
    await desk.submit(change.MoveStage.on(last, Place(below=first.id)))
    assert [stage.title for stage in desk.view.stages] == [
        last.title,
        "Now",
        titles[1],
        "Later",
    ]
    assert desk.view.stages[2].default_status is Status.CLOSED
    await desk.settled()
    await desk.submit(change.ArchiveStage.on(desk.view, first.id))
    assert "Now" not in desk.titles()
    await desk.undo(5)
    assert [stage.title for stage in desk.view.stages] == titles
    assert desk.titles()[titles[0]] == ["A", "B", "C"]


async def test_copies_and_other_boards(desk: Desk) -> None:
    first = desk.view.stages[0]
    await desk.submit(change.CloneTask.of(desk.task, title="A again"))
    assert desk.titles()[first.title] == ["A", "A again", "B", "C"]
    await desk.undo()
    assert desk.titles()[first.title] == ["A", "B", "C"]
    other = await desk.client.create_board("Other", "", "to-do")
    stages = (await desk.client.board(other["id"]))["stages"]
    moved = next(task for task in desk.view.in_stage(first.id) if task.title == "C")
    await desk.submit(change.MoveTaskToBoard(moved, other["id"], stages[1]["id"], "Other"))
    assert desk.titles()[first.title] == ["A", "B"]
    tasks = await desk.client.tasks(other["id"])
    assert [(task["title"], task["stage_id"]) for task in tasks] == [("C", stages[1]["id"])]


async def test_boards(desk: Desk) -> None:
    board = desk.view.board
    await desk.submit(change.rename_board(board, "Site", "All of it"))
    assert [(one.title, one.description) for one in desk.store.boards()] == [("Site", "All of it")]
    await desk.settled()
    await desk.submit(change.archive_board(desk.view.board))
    assert all(one.archived_at for one in desk.store.boards())
    await desk.undo(2)
    assert [(one.title, one.archived_at) for one in desk.store.boards()] == [("Website", None)]
    activities = desk.detail.activities
    await desk.store.older_activities(desk.task_id)
    assert (activities, bool(desk.detail.activities)) == (None, True)
    await desk.store.submit(change.DeleteBoard.on(desk.view.board))
    await until(desk.store, lambda: not desk.store.pending())
    assert desk.store.boards() == ()
    assert await desk.client.list_boards() == []
