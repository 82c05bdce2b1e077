"""The archive of a board: its stages, and its tasks as far as the service tells them."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from tui.client.documents import Document
from tui.client.errors import NotOffered
from tui.model.board import Stage
from tui.model.task import Task
from tui.runtime.slices import Slicer
from tui.store.documents.assemble import Assembler, stage_of, wall_clock
from tui.store.documents.assemble_detail import DetailAssembler
from tui.store.reading import read_archived
from tui.store.remote import Remote

_MOST_PAGES = 4
_MOST_READ = 50
"""Upper limit of tasks that are fetched one by one."""
_SLICE = 128


class ArchivedStage(NamedTuple):
    """A stage in the archive; `archived_at` is a wall-clock time."""

    stage: Stage
    archived_at: datetime | None


class ArchivedTasks(NamedTuple):
    """Archived tasks, last archived first, and whether they are all of the board's.

    `read` are the ids of all tasks that were read one by one.
    """

    tasks: tuple[Task, ...] = ()
    is_complete: bool = True
    read: frozenset[int] = frozenset()


_NONE = ArchivedTasks()


async def archived_stages(remote: Remote, board_id: int) -> tuple[ArchivedStage, ...]:
    """The archived stages of a board, last archived first."""
    documents = await remote.archived_stages(board_id)
    stages = (
        ArchivedStage(stage_of(document, board_id), wall_clock(document.get("archived_at")))
        for document in documents
    )
    return tuple(sorted(stages, key=lambda stage: str(stage.archived_at), reverse=True))


async def archived_tasks(
    remote: Remote,
    board_id: int,
    *,
    known: Iterable[Task] = (),
    active: Collection[int] = (),
    previous: ArchivedTasks = _NONE,
) -> ArchivedTasks:
    """The archived tasks of a board.

    A service without a list of them is asked for the tasks that are `known` to be archived, and for
    those in the latest activities that are not `active`; the `previous` ones are not read again.
    """
    try:
        return ArchivedTasks(await _tasks_of(await remote.archived_tasks(board_id)))
    except NotOffered:
        ids = [task.id for task in known]
        ids += await _in_activities(remote, board_id)
    skipped = previous.read.union(active)
    wanted = list(dict.fromkeys(task_id for task_id in ids if task_id not in skipped))[:_MOST_READ]
    tasks = await _tasks_of(await read_archived(remote, board_id, wanted))
    tasks += tuple(task for task in previous.tasks if task.id in previous.read)
    return ArchivedTasks(in_order(tasks), is_complete=False, read=previous.read.union(wanted))


def in_order(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Tasks, last archived first."""
    return tuple(sorted(tasks, key=lambda task: (str(task.archived_at), task.id), reverse=True))


async def _tasks_of(documents: list[Document]) -> tuple[Task, ...]:
    # The list is emptied in slices, as freeing thousands takes long.
    assembler, slicer = Assembler(), Slicer()
    tasks: list[Task] = []
    while documents:
        part = documents[:_SLICE]
        del documents[:_SLICE]
        tasks += filter(None, map(assembler.task, part))
        await slicer.yield_if_over()
    return tuple(tasks)


async def _in_activities(remote: Remote, board_id: int) -> list[int]:
    task_ids: list[int] = []
    assembler = DetailAssembler(Assembler())
    for number in range(1, _MOST_PAGES + 1):
        page = await remote.activity_page(board_id, number)
        activities = assembler.activities(page.documents)
        task_ids += [activity.task_id for activity in activities if activity.task_id is not None]
        if page.is_last:
            break
    return task_ids
