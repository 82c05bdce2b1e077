"""The texts that edits start from.

An edit starts from what is stored and not from what is shown, so that saving rewrites nothing the
person did not touch; what is on its way already counts as stored.
"""

from collections.abc import Iterable

from tui.store import operations as change
from tui.store.core import Core
from tui.store.documents.assemble_detail import typed_comment
from tui.store.documents.shapes import Document
from tui.store.operations.base import Operation, Subject
from tui.store.views.boards import Boards
from tui.store.views.details import Details


class Sources:
    """Descriptions and comments as they are stored, with pending changes of them."""

    def __init__(self, core: Core, boards: Boards, details: Details) -> None:
        self._queue = core.queue
        self._details = details
        self._boards = boards
        self._cache = core.cache
        self._disk = core.disk

    async def description(self, task_id: int) -> str:
        """The description of a task or subtask, HTML."""
        pending = _described(self._pending(Subject("task", task_id)))
        if pending is not None:
            return pending
        document = self._details.subtask_document(task_id)
        if document is None:
            document = await self._disk.run(self._cache.task, task_id)
        if document is None:
            return self._drawn_description(task_id)
        later = _described(self._pending(Subject("task", task_id)))
        return str(document.get("description") or "") if later is None else later

    async def comment(self, task_id: int, comment_id: int) -> str:
        """What was typed into a comment or reply, with people mentioned as `@login`."""
        pending = _said(self._pending(Subject("comment", comment_id)))
        if pending is not None:
            return pending
        document: Document | None = await self._disk.run(
            self._cache.sections.find, "comment", comment_id, task_id
        )
        later = _said(self._pending(Subject("comment", comment_id)))
        if later is not None:
            return later
        return "" if document is None else typed_comment(document)

    def _pending(self, subject: Subject) -> list[Operation]:
        """What is drawn of the changes of a thing, oldest first."""
        entries = self._queue.about(subject)
        return [entry.operation for entry in entries if entry.is_drawn]

    def _drawn_description(self, task_id: int) -> str:
        """That of a task that the service does not have yet, such as a copy."""
        around = self._details.around(task_id)
        found = None if around is None else around.find(task_id)
        views = (self._boards.view(board_id) for board_id in self._boards.in_memory())
        for view in views:
            found = found or (None if view is None else view.task(task_id))
        return "" if found is None else found.description


def _described(pending: Iterable[Operation]) -> str | None:
    texts = [one.text for one in change.edits(pending, "description")]
    return texts[-1] if texts else None


def _said(pending: Iterable[Operation]) -> str | None:
    sayings = change.CreateComment | change.EditComment
    texts = [one.text for one in pending if isinstance(one, sayings)]
    return texts[-1] if texts else None
