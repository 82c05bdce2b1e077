"""What is known of the things that changes are about, when these are about to be sent.

What was heard in the last seconds is not asked for again, and where many changes wait the whole
board is asked for once instead of each of its tasks.
"""

from tui.client.errors import Nonsense
from tui.model.board import Board, BoardView
from tui.store.core import Core
from tui.store.operations.base import Baseline, News, Operation
from tui.store.outbox.entry import Entry
from tui.store.remote import Document, Remote
from tui.store.sync.reload import Reloading
from tui.store.views.board_updates import BoardUpdates
from tui.store.views.details import Details

_WORTH_A_LIST = 4
"""So many waiting changes make asking for the whole board the shorter way."""


class KnownState:
    """What the service has, as far as it is known or can be asked for."""

    def __init__(
        self,
        core: Core,
        updates: BoardUpdates,
        details: Details,
        reloading: Reloading,
    ) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._queue = core.queue
        self._reloading = reloading
        self._details = details
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
            if waiting >= _WORTH_A_LIST and not self._last_heard.is_board_fresh(board_id):
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
        return is_on_board and self._last_heard.is_board_fresh(entry.board_id)

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

    async def baseline_for(self, entry: Entry) -> Baseline:
        """What is known now, to tell after a lost reply whether a change took effect."""
        operation = entry.operation
        return Baseline(
            before=await self.document(operation), newest_id=await self._newest_id(operation)
        )

    async def document(self, operation: Operation) -> Document | None:
        """What an operation changes, as the service last said it."""
        subject = operation.subject
        if subject.id < 0:
            return None
        if subject.kind == "task":
            known = await self._disk.run(self._cache.task, subject.id)
            if known is not None and _is_whole(known):
                return self._with_stage(operation.board_id, known)
            return await self._details.document(operation) or known
        if subject.kind == "board":
            return await self._updates.board_document(subject.id)
        if subject.kind in ("stage", "label"):
            board = await self._updates.board_document(operation.board_id)
            listed = (board or {}).get(f"{subject.kind}s") or []
            return next((one for one in listed if one.get("id") == subject.id), None)
        return await self._details.document(operation)

    async def _newest_id(self, operation: Operation) -> int:
        kind = operation.subject.kind
        if kind == "board":
            return max((board.id for board in self._boards.all()), default=0)
        if kind in ("stage", "label"):
            board = await self._updates.board_document(operation.board_id) or {}
            return max((int(one["id"]) for one in board.get(f"{kind}s") or []), default=0)
        newest = await self._details.newest_id(kind)
        if kind == "task":
            truth = self._boards.truth(operation.board_id)
            newest = max(newest, 0 if truth is None else truth.newest_id)
        return newest


def _is_whole(task: Document) -> bool:
    """Whether more is known of a task than a short reply told.

    What such a reply leaves out is not known, which is not the same as empty.
    """
    return "title" in task and "status" in task
