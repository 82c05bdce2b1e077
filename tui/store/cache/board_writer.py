"""Writes a response about one board to the cache, and finds what differs from before.

It compares with what the cache had when the list was requested; the user's own changes are in there
from their replies, so they do not count as changes of others. It runs on the disk thread, since it
may have to compare a whole board.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tui.model.remote_changes import ChangeKind
from tui.store.cache.file import Cache
from tui.store.cache.reply_sections import list_name, sections_of, summary_of, with_listed
from tui.store.cache.revisions import ListRequest
from tui.store.documents.assemble import wall_clock
from tui.store.documents.shapes import Document, is_same
from tui.store.operations.base import ReplyPart

_COUNTED = {
    ChangeKind.SUBTASKS: ("subtask_count", "subtask_completed_count"),
    ChangeKind.FILES: ("attachment_count",),
}
COUNTS = frozenset({ChangeKind.COMMENTED, ChangeKind.SUBTASKS, ChangeKind.FILES})
"""Changes that show on a card when something belonging to the task changes."""


class ChangedTask(NamedTuple):
    """A task that differs from the cached one, or its last document if it is gone.

    `kinds` say what differs, the most important first.
    """

    document: Document
    kinds: tuple[ChangeKind, ...]

    @property
    def task_id(self) -> int:
        """The id of the task."""
        return int(self.document["id"])


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
            changed = cache.put_tasks(tasks, asked)
            before = cache.replaced
        self.tasks += changed
        changed_tasks = []
        for task in changed:
            body = before.get(task["id"])
            kinds = differences(None if body is None else json.loads(body), task)
            if kinds:
                changed_tasks.append(ChangedTask(task, kinds))
        return changed_tasks

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
        parts = tuple(parts)
        with self._writing() as cache:
            for one in parts:
                if one.kind == "task":
                    self._keep_task(one)
                elif one.kind == "board":
                    self._keep_board(one)
                elif list_name(one):
                    self._keep_listed(one)
            cache.write(sections_of(parts))

    def _keep_task(self, part: ReplyPart) -> None:
        if part.document is None:
            self._cache.forget_task(part.id)
            self.gone.append(part.id)
        else:
            self.tasks.append(self._cache.merge_task({"board_id": self.board_id, **part.document}))

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


def differences(before: Document | None, now: Document) -> tuple[ChangeKind, ...]:
    """What differs between two documents of a task, the most important first.

    Positions do not count: services renumber every card of a stage when one moves.
    """
    was_card = before is not None and _is_card(before)
    if not _is_card(now):
        return (ChangeKind.GONE,) if was_card else ()
    if before is None or not was_card:
        return (ChangeKind.NEW,)
    return (*_changes(before, now), *_counts_that_differ(before, now))


def _changes(before: Document, now: Document) -> Iterator[ChangeKind]:
    if _differ(before, now, "stage_id"):
        yield ChangeKind.MOVED
    if _differ(before, now, "status"):
        is_closed = now.get("status") == "closed"
        yield ChangeKind.CLOSED if is_closed else ChangeKind.REOPENED
    if _differ(before, now, "title"):
        yield ChangeKind.RENAMED
    if _ids(before, "assignees") != _ids(now, "assignees"):
        yield ChangeKind.PEOPLE
    if wall_clock(before.get("due_at")) != wall_clock(now.get("due_at")):
        yield ChangeKind.DUE
    if _differ(before, now, "priority"):
        yield ChangeKind.PRIORITY
    if _differ(before, now, "description"):
        yield ChangeKind.DESCRIBED
    if _ids(before, "labels") != _ids(now, "labels"):
        yield ChangeKind.LABELS


def _is_card(task: Document) -> bool:
    return not task.get("archived_at") and not task.get("parent_id")


def _counts_that_differ(before: Document, now: Document) -> Iterator[ChangeKind]:
    if _differ(before, now, "comments_count"):
        yield ChangeKind.COMMENTED
    old, new = _settings(before), _settings(now)
    for kind, names in _COUNTED.items():
        if any(_differ(old, new, name) for name in names):
            yield kind


def _differ(before: Document, now: Document, name: str) -> bool:
    """Whether a value differs; replies lack some, and numbers may be text."""
    return name in before and str(before[name] or "0") != str(now.get(name) or "0")


def _ids(document: Document, name: str) -> frozenset[str]:
    listed = document.get(name)
    if not isinstance(listed, list):
        return frozenset()
    return frozenset(str(one.get("ID", one.get("id"))) for one in listed if isinstance(one, dict))


def _settings(document: Document) -> dict[str, Any]:
    settings = document.get("settings")
    return settings if isinstance(settings, dict) else {}
