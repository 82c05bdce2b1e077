"""What is known of the things that changes are about, when these are about to be sent.

What was heard in the last seconds is not asked for again, and where many changes wait the whole
board is asked for once instead of each of its tasks.
"""

from tui.client.errors import Nonsense
from tui.model.board import Board, BoardView
from tui.model.ids import Kind
from tui.store.cache.sections import Kind as Section
from tui.store.core import Core
from tui.store.operations.base import News, Operation
from tui.store.outbox.entry import Entry
from tui.store.remote import Document, Remote
from tui.store.sync.reload import Reloading
from tui.store.views.board_updates import BoardUpdates

_WORTH_A_LIST = 4
"""So many waiting changes make asking for the whole board the shorter way."""


_LISTED: dict[Kind, str] = {"stage": "stages", "label": "labels"}
"""What the document of a board lists, and under which name."""
_SECTIONS: dict[Kind, Section] = {
    "subtask_group": "subtask_group",
    "comment": "comment",
    "field_value": "field_value",
}
"""What the cache keeps around tasks."""


class KnownState:
    """What the service has, as far as it is known or can be asked for."""

    def __init__(self, core: Core, updates: BoardUpdates, reloading: Reloading) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._queue = core.queue
        self._reloading = reloading
        self._last_heard = core.last_heard
        self._cache = core.cache
        self._disk = core.disk

    async def of(self, entry: Entry, remote: Remote) -> Document | None:
        """The subject of an entry as the service has it now; None if it is gone.

        Raises `tui.client.errors.ApiError`.
        """
        subject, board_id = entry.subject, entry.board_id
        if subject.kind == "task" and not self._is_known(entry):
            waiting = self._queue.count(board_id)
            if waiting >= _WORTH_A_LIST and not self._last_heard.is_fresh(board_id):
                await self._reloading.reload_unless_told(board_id, instead_of=waiting)
        if subject.kind == "task" and self._is_known(entry):
            known = await self._disk.run(self._cache.task, subject.id)
            if known is not None and _is_whole(known):
                return self._with_stage(board_id, known)
        now = await entry.operation.fetch(remote)
        self._last_heard.saw(subject)
        if subject.kind == "task":
            await self._updates.absorb(board_id, (News("task", subject.id, now),))
        return now and self._with_stage(board_id, now)

    def _with_stage(self, board_id: int, task: Document) -> Document:
        """A task with the stage it is in, if that is known, to be told in words."""
        truth = self._boards.truth(board_id)
        stages = () if truth is None else truth.view.stages
        stage = next((one for one in stages if one.id == task.get("stage_id")), None)
        if stage is None:
            return task
        settings = {"default_task_status": stage.default_status.value}
        return {**task, "stage": {"title": stage.title, "settings": settings}}

    def _is_known(self, entry: Entry) -> bool:
        """Whether a task was heard of in the last seconds, by itself or on its board."""
        if self._last_heard.is_fresh(entry.subject):
            return True
        truth = self._boards.truth(entry.board_id)
        is_on_board = truth is not None and truth.task(entry.subject.id) is not None
        return is_on_board and self._last_heard.is_fresh(entry.board_id)

    async def truth_for(self, entry: Entry) -> BoardView:
        """The board as the service last said it, asked for if it is not known here.

        What is about the board itself needs no more than its name. Raises
        `tui.client.errors.ApiError`.
        """
        board_id = entry.board_id
        if entry.subject.kind == "board":
            truth = self._boards.truth(board_id)
            return BoardView(Board(board_id, "")) if truth is None else truth.view
        if await self._updates.load(board_id) is None:
            await self._reloading.reload(board_id)
        truth = self._boards.truth(board_id)
        if truth is None:
            raise Nonsense("The service's answer about this board cannot be understood.")
        return truth.view

    async def document(self, operation: Operation) -> Document | None:
        """What an operation changes, as the service last said it."""
        kind, some_id = operation.subject
        if some_id < 0:
            return None
        if kind == "task":
            return await self._task(operation.board_id, some_id)
        if kind == "board":
            return await self._updates.board_document(some_id)
        if kind in _LISTED:
            listed = await self._listed(operation)
            return next((one for one in listed if one.get("id") == some_id), None)
        section = _SECTIONS.get(kind)
        if section is None:
            return None
        task_id = operation.task_id if kind == "field_value" else None
        return await self._disk.run(self._cache.sections.find, section, some_id, task_id)

    async def _task(self, board_id: int, task_id: int) -> Document | None:
        """A task, or a subtask as it was last seen in its parent."""
        known = await self._disk.run(self._cache.task, task_id)
        if known is not None and _is_whole(known):
            return self._with_stage(board_id, known)
        return await self._disk.run(self._cache.sections.find, "subtask", task_id) or known

    async def newest_id(self, operation: Operation) -> int:
        """The highest id that is known of things like the one an operation makes."""
        kind = operation.subject.kind
        if kind == "board":
            return max((board.id for board in self._boards.all()), default=0)
        if kind in _LISTED:
            return max((int(one["id"]) for one in await self._listed(operation)), default=0)
        section: Section | None = "subtask" if kind == "task" else _SECTIONS.get(kind)
        if section is None:
            return 0
        newest = await self._disk.run(self._cache.sections.newest_id, section)
        truth = self._boards.truth(operation.board_id) if kind == "task" else None
        return newest if truth is None else max(newest, truth.newest_id)

    async def _listed(self, operation: Operation) -> list[Document]:
        """The stages, or labels, of a board as the service last said them."""
        board = await self._updates.board_document(operation.board_id) or {}
        return board.get(_LISTED[operation.subject.kind]) or []


def _is_whole(task: Document) -> bool:
    """Whether more is known of a task than a short reply told.

    What such a reply leaves out is not known, which is not the same as empty.
    """
    return "title" in task and "status" in task
