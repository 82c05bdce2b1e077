"""Writes a response about one board to the cache, and finds what differs from before.

It compares with what the cache had when the list was requested; the user's own changes are in there
from their replies, so they do not count as changes of others. It runs on the disk thread, since it
may have to compare a whole board.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from tui.model.remote_changes import ChangeKind
from tui.store.cache.file import Cache
from tui.store.cache.observer import ChangedTask
from tui.store.cache.reply_sections import LISTED, sections_of, summary_of, with_listed
from tui.store.cache.revisions import ListRequest
from tui.store.documents.shapes import Document, is_same
from tui.store.operations.base import ReplyPart


class BoardWriter:
    """Writes to one board, collecting what memory has to merge.

    Memory is at `revision`; `tasks`, `gone` and `frame` bring it up to date as long as the writer
    `is_alone`: no other program has written to the board since.
    """

    def __init__(self, cache: Cache, board_id: int, revision: int) -> None:
        self._cache = cache
        self.board_id = board_id
        self.revision = revision
        self.is_alone = True
        self.tasks: list[Document] = []
        self.gone: list[int] = []
        self.frame: Document | None = None
        self.lists_boards = False

    def taken(self) -> list[Document]:
        """Return and clear the collected tasks."""
        taken, self.tasks = self.tasks, []
        return taken

    @contextmanager
    def _writing(self) -> Iterator[Cache]:
        with self._cache.writing():
            revisions = self._cache.revisions
            self.is_alone &= not revisions.has_changes(self.board_id, self.revision)
            yield self._cache
            self.revision = revisions.last()

    def put_tasks(self, tasks: Sequence[Document], asked: ListRequest) -> list[ChangedTask]:
        """Replace tasks; returns those that differ in a way that shows."""
        with self._writing() as cache:
            self.tasks += cache.put_tasks(tasks, asked)
        return cache.observer.changed

    def merge_tasks(self, tasks: Iterable[Document], asked: ListRequest) -> list[ChangedTask]:
        """Merge partial tasks; returns those that differ."""
        merged = [{**(self._cache.task(int(task["id"])) or {}), **task} for task in tasks]
        return self.put_tasks(merged, asked)

    def forget_tasks(self, task_ids: Iterable[int], asked: ListRequest) -> list[ChangedTask]:
        """Remove tasks; returns them."""
        with self._writing() as cache:
            gone = cache.forget_tasks(task_ids, asked)
        self.gone += [int(task["id"]) for task in gone]
        return [ChangedTask(task, (ChangeKind.GONE,)) for task in gone]

    def put_frame(self, frame: Document, *, with_tasks: bool) -> None:
        """Replace the board; labels on its tasks are updated, unless these are written too.

        The list of boards takes over its title.
        """
        kept = {name: value for name, value in frame.items() if name != "synced_at"}
        with self._writing() as cache:
            before = cache.board(self.board_id) or {}
            self._put_board(kept, before=before, with_tasks=with_tasks)
            if "title" in frame:
                title = {"id": frame["id"], "title": frame["title"]}
                self.lists_boards |= cache.put_board_summary(title)

    def _put_board(self, board: Document, *, before: Document, with_tasks: bool) -> None:
        self._cache.put_board(board)
        self.frame = board
        old, now = before.get("labels") or (), {one["id"]: one for one in board.get("labels") or ()}
        changed = {one["id"]: now.get(one["id"]) for one in old if now.get(one["id"]) != one}
        if changed and not with_tasks:
            self.tasks += self._cache.relabel(self.board_id, changed)

    def keep_reply(self, parts: Iterable[ReplyPart]) -> None:
        """Merge the parts of a reply."""
        with self._writing() as cache:
            for one in parts:
                if one.kind == "task" and one.document is not None:
                    task = {"board_id": self.board_id, **one.document}
                    self.tasks.append(cache.merge_task(task))
                elif one.kind == "task":
                    cache.forget_task(one.id)
                    self.gone.append(one.id)
                elif one.kind == "board":
                    self._keep_board(one)
                elif one.kind in LISTED:
                    self._keep_listed(one)
                cache.sections.write(sections_of(one))

    def _keep_board(self, part: ReplyPart) -> None:
        self.lists_boards = True
        if part.document is None:
            self._cache.forget_board(part.id)
            return
        self._cache.put_board_summary(summary_of(part.id, part.document))
        known = self._cache.board(part.id)
        if known is not None:
            self.frame = {**known, **part.document, "id": part.id}
            self._cache.put_board(self.frame)

    def _keep_listed(self, part: ReplyPart) -> None:
        board = self._cache.board(self.board_id)
        if board is not None:
            self._put_board(with_listed(board, part), before=board, with_tasks=False)


def new_or_changed(cache: Cache, tasks: Iterable[Document]) -> list[Document]:
    """The tasks that differ from the cached ones.

    A subtask is included only if it was a card before.
    """
    found = []
    for task in tasks:
        known = cache.task(int(task["id"]))
        is_card = not task.get("parent_id") or known is not None
        if is_card and not is_same(known, task):
            found.append(task)
    return found
