"""The store through the client, against the own service and one that does all that others do."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from tests.fakes.boards import titles_of
from tests.quirky.application import QuirkyService, base_url
from tests.quirky.quirks import Quirks
from tests.store.lanes import lanes
from tests.store.party import new_board, step_of, until
from tui.client.capabilities import UNKNOWN, Capabilities
from tui.client.client import Client
from tui.client.editions.client import client_for
from tui.client.errors import NotFound
from tui.client.http.credentials import Credentials
from tui.client.http.inprocess import InProcessTransport
from tui.client.http.session import HttpSession
from tui.model.board import BoardView, Place
from tui.model.task import Priority, Status, Task
from tui.service.embedded import BASE_URL, open_embedded
from tui.store.documents.assemble import Assembler
from tui.store.operations import (
    ArchiveStage,
    ArchiveTask,
    CreateStage,
    CreateTask,
    DeleteBoard,
    DeleteTask,
    MoveStage,
    MoveTask,
    Operation,
    archive_board,
    rename_board,
    rename_stage,
    restore_board,
    set_description,
    set_due,
    set_priority,
    set_status,
    set_title,
)
from tui.store.store import LocalStore

pytestmark = pytest.mark.long

_CANNOT = frozenset({"no_news", "coarse_news", "task_delete_fails"})
"""What no client can make good."""
_QUIRKY = Quirks.all(but=_CANNOT)
_NEVER = 1_000_000


@pytest.fixture(params=["known", "faulty"])
async def remote(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    """A service, reached: the own one, known or not, and quirky ones.

    The faulty one is quirky too, and fails every third time after it has written.
    """
    embedded = open_embedded(tmp_path / "boards.sqlite3", login="ann", display_name="Ann Ex")
    application: ASGIApp = embedded.application
    capabilities, address = UNKNOWN, BASE_URL
    if request.param == "known":
        capabilities = Capabilities.embedded()
    if request.param in {"quirky", "faulty"}:
        every = 3 if request.param == "faulty" else _NEVER
        application = QuirkyService(application, _QUIRKY, every=every)
        address = base_url(_QUIRKY)
    session = HttpSession(
        address,
        Credentials(embedded.login, embedded.password),
        transport=InProcessTransport(application),
    )
    async with client_for(session, capabilities=capabilities) as client:
        yield client
    embedded.close()


class Desk:
    """A board of three tasks at the embedded service, looked at through a store."""

    def __init__(self, store: LocalStore, remote: Client, board_id: int) -> None:
        self.store = store
        self.remote = remote
        self.board_id = board_id

    @property
    def view(self) -> BoardView:
        view = self.store.board(self.board_id)
        assert view is not None
        return view

    def titles(self) -> list[list[str]]:
        """The titles drawn, stage by stage."""
        return titles_of(self.view)

    def task(self, title: str) -> Task:
        return next(task for task in self.view.all_tasks() if task.title == title)

    def place(self, title: str) -> Place:
        found = self.view.place_of(self.task(title).id)
        assert found is not None
        return found[1]

    async def submit(self, *operations: Operation) -> None:
        """Submit and wait until the service has it."""
        await self.store.submit(*operations)
        await self.delivered()

    async def delivered(self) -> None:
        await until(self.store, lambda: not self.store.pending())

    async def titles_at_the_service(self) -> list[list[str]]:
        documents = await self.remote.tasks(self.board_id)
        made = (Assembler().task(document) for document in documents)
        by_stage = lanes(task for task in made if task is not None)
        return [[task.title for task in by_stage.get(s.id, ())] for s in self.view.stages]


@pytest.fixture
async def desk(tmp_path: Path, remote: Client) -> AsyncIterator[Desk]:
    store = LocalStore.open(tmp_path / "cache", tmp_path / "data", "default")
    store.connect(remote)
    board_id = await new_board(store, "Website")
    await store.open_board(board_id)
    desk = Desk(store, remote, board_id)
    first = desk.view.stages[0].id
    await desk.submit(*(CreateTask.new(board_id, first, title) for title in ("A", "B", "C")))
    yield desk
    await store.aclose()


async def test_new_tasks_have_ids_of_the_service(desk: Desk) -> None:
    assert all(task.id > 0 for task in desk.view.all_tasks())
    assert desk.titles() == [["A", "B", "C"], [], []]
    assert await desk.titles_at_the_service() == desk.titles()


async def test_a_move_lands_where_it_was_dropped(desk: Desk) -> None:
    stage = desk.view.stages[0]
    above = Place(above=desk.task("A").id, below=desk.task("B").id)
    await desk.submit(MoveTask.on(desk.task("C"), stage.id, above))
    assert desk.titles() == [["A", "C", "B"], [], []]
    assert await desk.titles_at_the_service() == desk.titles()


async def test_a_move_into_the_last_stage_closes_and_undo_reopens(desk: Desk) -> None:
    await desk.submit(MoveTask.on(desk.task("B"), desk.view.stages[2].id, Place()))
    assert desk.task("B").status is Status.CLOSED
    assert step_of(await desk.store.undo(desk.board_id)) == "Move “B” to “Completed”"
    await desk.delivered()
    assert desk.titles() == [["A", "B", "C"], [], []]
    assert desk.task("B").status is Status.OPEN
    assert await desk.titles_at_the_service() == desk.titles()


async def test_every_property_is_set(desk: Desk) -> None:
    task, due = desk.task("A"), datetime(2026, 12, 1, 17, 30)  # noqa: DTZ001  wall-clock time
    await desk.submit(
        set_title(task, "[b]Ä“ title"),
        set_priority(task, Priority.HIGH),
        set_due(task, due),
        set_description(task, "<p>Why</p>"),
        set_status(task, Status.CLOSED),
    )
    drawn = desk.task("[b]Ä“ title")
    assert (drawn.priority, drawn.due_at, drawn.description, drawn.status) == (
        Priority.HIGH,
        due,
        "<p>Why</p>",
        Status.CLOSED,
    )


@pytest.mark.parametrize("remote", ["unknown", "faulty"], indirect=True)
async def test_many_tasks_are_put_to_one_place(desk: Desk) -> None:
    first = desk.view.stages[0].id
    for _ in range(9):
        top, middle, last = desk.view.in_stage(first)
        await desk.submit(MoveTask.on(last, first, Place(above=top.id, below=middle.id)))
        wanted = [top.title, last.title, middle.title]
        assert await desk.titles_at_the_service() == [wanted, [], []] == desk.titles()


async def test_an_archived_task_comes_back_to_its_place(desk: Desk) -> None:
    await desk.submit(ArchiveTask.on(desk.task("B"), desk.place("B")))
    assert await desk.titles_at_the_service() == [["A", "C"], [], []] == desk.titles()
    await desk.store.undo(desk.board_id)
    await desk.delivered()
    assert await desk.titles_at_the_service() == [["A", "B", "C"], [], []] == desk.titles()
    await desk.store.redo(desk.board_id)
    await desk.delivered()
    assert await desk.titles_at_the_service() == [["A", "C"], [], []] == desk.titles()


async def test_a_deleted_task_is_made_again_by_undo(desk: Desk) -> None:
    old = desk.task("B")
    await desk.submit(set_priority(old, Priority.HIGH))
    await desk.submit(DeleteTask(desk.task("B"), desk.place("B")))
    with pytest.raises(NotFound):
        await desk.remote.task(desk.board_id, old.id)
    await desk.store.undo(desk.board_id)
    await desk.delivered()
    assert await desk.titles_at_the_service() == [["A", "B", "C"], [], []] == desk.titles()
    assert desk.task("B").priority is Priority.HIGH
    assert desk.task("B").id not in (old.id, 0)


async def test_deleting_what_is_gone_is_a_success(desk: Desk) -> None:
    task = desk.task("A")
    await desk.remote.delete_task(desk.board_id, task.id)
    await desk.remote.delete_task(desk.board_id, task.id)
    await desk.store.refresh(desk.board_id)
    assert desk.titles() == [["B", "C"], [], []]


async def test_whether_a_board_has_changed(desk: Desk) -> None:
    board = await desk.remote.board(desk.board_id)
    unchanged = await desk.remote.changes_since(desk.board_id, board["synced_at"])
    assert unchanged is not None
    assert not unchanged.has_changes
    task = desk.task("A")
    await desk.remote.delete_task(desk.board_id, task.id)
    changed = await desk.remote.changes_since(desk.board_id, board["synced_at"])
    assert changed is not None
    assert changed.gone == {task.id}


@pytest.mark.parametrize("remote", ["known", "unknown", "quirky"], indirect=True)
async def test_boards_and_stages_are_changed_at_once(desk: Desk) -> None:
    store, board_id = desk.store, desk.board_id
    await store.submit(rename_board(desk.view.board, "New site"))
    await store.submit(CreateStage.new(board_id, "Later"))
    await desk.delivered()
    stages = desk.view.stages
    await store.submit(rename_stage(stages[0], "Backlog"))
    await store.submit(MoveStage.on(stages[3], Place(below=stages[0].id)))
    await store.submit(ArchiveStage.on(desk.view, stages[1].id))
    assert [stage.title for stage in desk.view.stages] == ["Later", "Backlog", "Completed"]
    await store.submit(archive_board(desk.view.board))
    await desk.delivered()
    await store.refresh()
    await store.refresh(board_id)
    assert [stage.title for stage in desk.view.stages] == ["Later", "Backlog", "Completed"]
    (board,) = store.boards()
    assert board.title == "New site"
    assert board.archived_at is not None
    await store.submit(restore_board(board))
    await desk.delivered()
    assert store.boards()[0].archived_at is None
    await store.submit(DeleteBoard.on(store.boards()[0]))
    assert store.boards() == ()
    await desk.delivered()
    await store.refresh()
    assert store.boards() == ()
