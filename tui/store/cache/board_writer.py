"""Writes a response about one board to the cache, and finds what differs from before.

It compares with what the cache had when the list was requested; the user's own changes are in there
from their replies, so they do not count as changes of others. It runs on the disk thread, since it
may have to compare a whole board.

Stages, labels and custom fields are part of their board's document; what belongs to a task is
stored flat. A part about a task that is not cached is dropped: it is fetched when the task is
opened.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from tui.model.ids import Kind as Subject
from tui.model.task import Task
from tui.store.cache.file import Cache
from tui.store.cache.observer import ChangedTask
from tui.store.cache.revisions import ListRequest
from tui.store.cache.sections import CachedSection, Kind
from tui.store.documents.flat import flat, group_of, ungrouped
from tui.store.documents.shapes import Document, is_same
from tui.store.operations.base import ReplyPart

AROUND_TASKS: dict[Subject, Kind] = {
    "task": "subtask",
    "subtask_group": "subtask_group",
    "comment": "comment",
    "field_value": "field_value",
    "image": "image",
}
"""Parts stored as sections of a task, and the kind of section; a “task” here is a subtask."""
LISTED: dict[Subject, str] = {"stage": "stages", "label": "labels", "field": "custom_fields"}
"""Parts stored in a list within the document of their board, and the name of that list."""
_PLACE = {"id", "board_id", "stage_id", "position"}
"""What a reply says of a stage or card past which others were moved."""
_SUMMARISED = (
    "id", "title", "description", "archived_at", "type", "settings", "created_at", "users",
)  # fmt: skip


class BoardWriter:
    """Writes to one board, collecting what memory has to merge.

    Memory is at `revision`; `tasks`, `gone` and `frame` bring it up to date as long as the writer
    `is_alone`: no other program has written to the board since. `changed` are the tasks that look
    different.
    """

    def __init__(self, cache: Cache, board_id: int, revision: int) -> None:
        self._cache = cache
        self.board_id = board_id
        self.revision = revision
        self.is_alone = True
        self.tasks: list[Task] = []
        self.gone: list[int] = []
        self.changed: list[ChangedTask] = []
        self.frame: Document | None = None
        self.lists_boards = False

    @contextmanager
    def _writing(self) -> Iterator[Cache]:
        revisions, observer = self._cache.revisions, self._cache.observer
        with self._cache.writing():
            # Asked within the transaction: no other program can write between this and the commit.
            self.is_alone &= not revisions.has_changes(self.board_id, self.revision)
            yield self._cache
            self.revision = revisions.last()
        # Only after the commit, so that memory never gets what was rolled back.
        self.tasks += observer.written
        self.gone += observer.gone
        self.changed += observer.changed

    def put_tasks(self, tasks: Sequence[Document], request: ListRequest) -> None:
        """Replace tasks not written since the request."""
        with self._writing() as cache:
            cache.put_tasks(tasks, request)

    def merge_tasks(self, tasks: Iterable[Document], request: ListRequest) -> None:
        """Like `put_tasks`, but merge partial tasks into the cached ones."""
        with self._writing() as cache:
            cache.put_tasks(
                [{**(cache.task(int(task["id"])) or {}), **task} for task in tasks], request
            )

    def forget_tasks(self, task_ids: Iterable[int], request: ListRequest) -> None:
        """Remove tasks not written since the request."""
        with self._writing() as cache:
            cache.forget_tasks(task_ids, request)

    def put_frame(self, frame: Document, *, with_tasks: bool) -> None:
        """Replace the board; labels on its tasks are updated, unless these are written too.

        The list of boards takes over its title.
        """
        # A new time stamp alone would be a change that every program has to merge and draw.
        board = {name: value for name, value in frame.items() if name != "synced_at"}
        with self._writing() as cache:
            self._put_board(board, cache.board(self.board_id) or {}, with_tasks=with_tasks)
            if "title" in frame:
                title = {"id": frame["id"], "title": frame["title"]}
                self.lists_boards |= cache.put_board_summary(title)

    def _put_board(self, board: Document, previous: Document, *, with_tasks: bool = False) -> None:
        self._cache.put_board(board)
        self.frame = board
        now = {label["id"]: label for label in board.get("labels") or ()}
        old = {label["id"]: label for label in previous.get("labels") or ()}
        changed = {id_: now.get(id_) for id_, label in old.items() if now.get(id_) != label}
        if changed and not with_tasks:
            self._cache.relabel(self.board_id, changed)

    def keep_reply(self, parts: Iterable[ReplyPart]) -> None:
        """Merge the parts of a reply."""
        with self._writing() as cache:
            for part in parts:
                if part.kind == "task" and part.document is not None:
                    # One that somebody added meanwhile is fetched with its title.
                    if not part.document.keys() <= _PLACE or cache.task(part.id) is not None:
                        cache.merge_task({"board_id": self.board_id, **part.document})
                elif part.kind == "task":
                    cache.forget_task(part.id)
                elif part.kind == "board":
                    self._keep_board(part)
                elif part.kind in LISTED and (board := cache.board(self.board_id)) is not None:
                    self._put_board(_with_listed(board, part), board)
                cache.sections.write([*sections_of(part), *_below_gone_group(cache, part)])

    def _keep_board(self, part: ReplyPart) -> None:
        self.lists_boards = True
        document = part.document
        if document is None:
            self._cache.forget_board(part.id)
            return
        summary = {name: document[name] for name in _SUMMARISED if name in document}
        self._cache.put_board_summary({**summary, "id": part.id})
        cached = self._cache.board(part.id)
        if cached is not None:
            self._put_board({**cached, **document, "id": part.id}, cached)


def _with_listed(board: Document, part: ReplyPart) -> Document:
    name = LISTED[part.kind]
    listed: list[Document] = board.get(name) or []
    documents = [document for document in listed if document.get("id") != part.id]
    if part.document is not None:
        previous = next((document for document in listed if document.get("id") == part.id), {})
        if not previous and part.document.keys() <= _PLACE:
            return board  # somebody added it meanwhile; it is fetched with its title
        documents.append({**previous, **part.document, "id": part.id})
    return {**board, name: documents}


def _below_gone_group(cache: Cache, part: ReplyPart) -> list[CachedSection]:
    if part.kind != "subtask_group" or part.document is not None or not part.task_id:
        return []
    subtasks = cache.sections.of_task(part.task_id).get("subtask", ())
    gone = (subtask["id"] for subtask in subtasks if group_of(subtask) == part.id)
    return [CachedSection(part.task_id, "subtask", subtask_id, None) for subtask_id in gone]


def sections_of(part: ReplyPart) -> list[CachedSection]:
    """The sections around tasks to write.

    Partial documents, such as a subtask's labels, are merged in memory only: the next fetch brings
    them complete.
    """
    task_id, document = part.task_id, part.document
    if part.kind == "task" and document is not None:
        task_id = document.get("parent_id") if "title" in document else None
    kind = AROUND_TASKS.get(part.kind)
    if kind is None or not task_id:
        return []
    if document is None:
        return [CachedSection(task_id, kind, part.id, None)]
    if kind == "comment":
        return [
            CachedSection(task_id, kind, item["id"], item) for item in flat([document], task_id)
        ]
    if kind == "subtask_group":
        groups, subtasks = ungrouped([document], task_id)
        return [
            *(CachedSection(task_id, kind, part.id, group) for group in groups),
            *(CachedSection(task_id, "subtask", subtask["id"], subtask) for subtask in subtasks),
        ]
    return [CachedSection(task_id, kind, part.id, {**document, "id": part.id})]


def new_or_changed(cache: Cache, tasks: Iterable[Document]) -> list[Document]:
    """The tasks that differ from the cached ones.

    A subtask is included only if it was a card before.
    """
    changed = []
    for task in tasks:
        cached = cache.task(int(task["id"]))
        is_card = not task.get("parent_id") or cached is not None
        if is_card and not is_same(cached, task):
            changed.append(task)
    return changed
