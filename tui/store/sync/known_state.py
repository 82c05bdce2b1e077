"""The current state of subjects of changes, from memory or from the service.

Things fetched within the last seconds are not fetched again, and where many changes are pending the
board is fetched once instead of each of its tasks.
"""

from tui.client.documents import Document
from tui.client.errors import UnexpectedAnswer
from tui.model.board import Board, BoardView
from tui.store.cache.board_writer import AROUND_TASKS, LISTED
from tui.store.core import Core
from tui.store.operations.base import Operation, ReplyPart
from tui.store.outbox.entry import OutboxEntry
from tui.store.remote import Remote
from tui.store.sync.reload import Reloading
from tui.store.views.board_updates import BoardUpdates

_WORTH_A_LIST = 4
"""From this many pending changes on, fetching the whole board costs less than each task."""


class KnownState:
    """Current documents, known or fetched."""

    def __init__(self, core: Core, updates: BoardUpdates, reloading: Reloading) -> None:
        self._boards = updates.boards
        self._updates = updates
        self._queue = core.queue
        self._reloading = reloading
        self._last_seen = core.last_seen
        self._cache = core.cache
        self._disk = core.disk

    async def fetch(self, entry: OutboxEntry, remote: Remote) -> Document | None:
        """The subject of an entry as the service has it now; None if it does not exist any more.

        Raises `tui.client.errors.ApiError`.
        """
        subject, board_id = entry.subject, entry.board_id
        if subject.kind == "task" and not self._is_known(entry):
            waiting = self._queue.count(board_id)
            # A list fetched a moment ago that lacks the task is not fetched again.
            if waiting >= _WORTH_A_LIST and not self._last_seen.is_fresh(board_id):
                await self._reloading.reload_unless_reported(board_id, instead_of=waiting)
        # Asked again, as the board may have been fetched in between. A list without the task does
        # not say whether it was archived, moved or deleted: it is then fetched by itself.
        if subject.kind == "task" and self._is_known(entry):
            cached = await self._disk.run(self._cache.task, subject.id)
            # Nothing is cached if the cache was lost since.
            if cached is not None and _is_whole(cached):
                return self._with_stage(board_id, cached)
        asked_at = self._updates.frame_replies(board_id)
        now = await entry.operation.fetch(remote)
        self._last_seen.mark(subject)
        if subject.kind == "task":
            # Drawn at its known place: the reply has the new position of this card alone, and the
            # others of its stage may have been renumbered.
            task = now and self._updates.without_old_labels(board_id, now, asked_at)
            parts = self._updates.in_known_order(board_id, [ReplyPart("task", subject.id, task)])
            await self._updates.apply_reply(board_id, parts)
        return now and self._with_stage(board_id, now)

    def _with_stage(self, board_id: int, task: Document) -> Document:
        # A conflict names the stage that the task is in now, and says whether it closes cards. The
        # document of a task has only the id of the stage.
        truth = self._boards.truth(board_id)
        stages = () if truth is None else truth.view.stages
        stage = next((stage for stage in stages if stage.id == task.get("stage_id")), None)
        if stage is None:
            return task
        settings = {"default_task_status": stage.default_status.value}
        return {**task, "stage": {"title": stage.title, "settings": settings}}

    def _is_known(self, entry: OutboxEntry) -> bool:
        if self._last_seen.is_fresh(entry.subject):
            return True
        truth = self._boards.truth(entry.board_id)
        is_on_board = truth is not None and truth.task(entry.subject.id) is not None
        return is_on_board and self._last_seen.is_fresh(entry.board_id)

    async def truth_for(self, entry: OutboxEntry) -> BoardView:
        """The board without pending changes, fetched if it is not cached or may be out of date.

        For operations on boards themselves its summary is enough. Raises
        `tui.client.errors.ApiError`.
        """
        board_id = entry.board_id
        if entry.subject.kind == "board":
            truth = self._boards.truth(board_id)
            return BoardView(Board(board_id, "")) if truth is None else truth.view
        if await self._updates.load(board_id) is None:
            await self._reloading.reload(board_id)
        elif self._is_placed_past_unknown(entry):
            await self._reloading.reload_unless_reported(board_id)
        truth = self._boards.truth(board_id)
        if truth is None:
            raise UnexpectedAnswer("Unexpected answer of the service about this board.")
        return truth.view

    def _is_placed_past_unknown(self, entry: OutboxEntry) -> bool:
        # The service is sent an index among its cards. Which cards are there is not known while an
        # earlier change of the same container has no response: it may have taken effect.
        rows = entry.operation.arranges if entry.operation.can_be_placed_anew else frozenset()
        return any(
            pending.seq != entry.seq
            and pending.is_outstanding
            and not rows.isdisjoint(pending.operation.arranges | pending.operation.leaves)
            for pending in self._queue.of(entry.board_id)
        )

    async def document(self, operation: Operation) -> Document | None:
        """The cached document of an operation's subject: what the service said last.

        Not as drawn: pending changes have not reached the service, so that comparing with them
        would not tell whether one that is sent now has taken effect.
        """
        kind, some_id = operation.subject
        if some_id < 0:  # a local id, which only this profile knows
            return None
        if kind == "task":
            return await self._task(operation.board_id, some_id)
        if kind == "board":
            return await self._updates.board_document(some_id)
        if kind in LISTED:
            listed = await self._listed(operation)
            return next((doc for doc in listed if doc.get("id") == some_id), None)
        section = AROUND_TASKS.get(kind)
        if section is None:
            return None
        task_id = operation.task_id if kind == "field_value" else None
        return await self._disk.run(self._cache.sections.find, section, some_id, task_id)

    async def _task(self, board_id: int, task_id: int) -> Document | None:
        # A subtask that was not fetched by itself is cached in the document of its parent.
        cached = await self._disk.run(self._cache.task, task_id)
        if cached is not None and _is_whole(cached):
            return self._with_stage(board_id, cached)
        return await self._disk.run(self._cache.sections.find, "subtask", task_id) or cached

    async def newest_id(self, operation: Operation) -> int:
        """The highest known id of the kind that an operation creates.

        If the reply is lost, what was created is looked for among higher ids: too low an id would
        take an older thing with the same title for it.
        """
        kind = operation.subject.kind
        if kind == "board":
            return max((board.id for board in self._boards.all()), default=0)
        if kind in LISTED:
            return max((int(doc["id"]) for doc in await self._listed(operation)), default=0)
        section = AROUND_TASKS.get(kind)
        if section is None:
            return 0
        # A cache that was lost is empty until the board is fetched again; memory has the ids still.
        newest = await self._disk.run(self._cache.sections.newest_id, section)
        truth = self._boards.truth(operation.board_id) if kind == "task" else None
        return newest if truth is None else max(newest, truth.newest_id)

    async def _listed(self, operation: Operation) -> list[Document]:
        board = await self._updates.board_document(operation.board_id) or {}
        return board.get(LISTED[operation.subject.kind]) or []


def _is_whole(task: Document) -> bool:
    # Fields missing from a short reply are unknown, which is not the same as empty.
    return "title" in task and "status" in task
