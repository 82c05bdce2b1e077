"""Writing what is new of one board to the cache, and telling what is different from before.

What is compared is what the cache had when a list came, so that a change of the person's own, which
the cache learnt from its reply, is never taken for somebody else's. It runs on the disk's thread,
because a whole board may have changed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tui.model.remote_changes import ChangeKind
from tui.store.cache.file import Cache
from tui.store.cache.news import listed_as, sections_of, summary_of, with_listed
from tui.store.cache.revisions import Asked
from tui.store.documents.assemble import wall_clock
from tui.store.documents.shapes import Document, is_same
from tui.store.operations.base import News

_COUNTED = {
    ChangeKind.SUBTASKS: ("subtask_count", "subtask_completed_count"),
    ChangeKind.FILES: ("attachment_count",),
}
COUNTS = frozenset({ChangeKind.COMMENTED, ChangeKind.SUBTASKS, ChangeKind.FILES})
"""What changes of a card when something is done to what belongs to it."""


class Exchanged(NamedTuple):
    """A task as the service says it now, or said it before it was gone, and what differs.

    `kinds` are in the order of what matters most.
    """

    document: Document
    kinds: tuple[ChangeKind, ...]

    @property
    def task_id(self) -> int:
        """The id of the task."""
        return int(self.document["id"])


class BoardWriter:
    """Writes to one board, noting what memory has to take over to be where the cache is.

    Memory is at `revision`, and `tasks`, `gone` and `frame` bring it there, as long as it
    `is_alone`: no other program wrote anything of the board since what memory had at first.
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
        """The tasks that were not taken over yet."""
        taken, self.tasks = self.tasks, []
        return taken

    @contextmanager
    def _writing(self) -> Iterator[Cache]:
        with self._cache.writing():
            revisions = self._cache.revisions
            self.is_alone &= not revisions.has_news(self.board_id, self.revision)
            yield self._cache
            self.revision = revisions.last()

    def put_tasks(self, tasks: Sequence[Document], asked: Asked) -> list[Exchanged]:
        """Keep these tasks as they are, and tell which differ in what a person would care about."""
        with self._writing() as cache:
            changed = cache.put_tasks(tasks, asked)
            before = cache.replaced
        self.tasks += changed
        exchanged = []
        for task in changed:
            body = before.get(task["id"])
            kinds = differences(None if body is None else json.loads(body), task)
            if kinds:
                exchanged.append(Exchanged(task, kinds))
        return exchanged

    def merge_tasks(self, tasks: Iterable[Document], asked: Asked) -> list[Exchanged]:
        """Keep what news tell of tasks, on top of what is known, and tell what differs."""
        merged = [{**(self._cache.task(int(task["id"])) or {}), **task} for task in tasks]
        return self.put_tasks(merged, asked)

    def forget_tasks(self, task_ids: Iterable[int], asked: Asked) -> list[Exchanged]:
        """Forget tasks that are gone, and tell what they were."""
        with self._writing() as cache:
            gone = cache.forget_tasks(task_ids, asked)
        self.gone += [int(task["id"]) for task in gone]
        return [Exchanged(task, (ChangeKind.GONE,)) for task in gone]

    def put_frame(self, frame: Document, *, with_tasks: bool) -> None:
        """Keep the board; its tasks follow its labels unless they come with it.

        The list calls it as it is called itself from then on.
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

    def keep_news(self, news: Iterable[News]) -> None:
        """Keep what a reply said, of the board and of what stands around its tasks."""
        news = tuple(news)
        with self._writing() as cache:
            for one in news:
                if one.kind == "task":
                    self._keep_task(one)
                elif one.kind == "board":
                    self._keep_board(one)
                elif listed_as(one):
                    self._keep_listed(one)
            cache.write(sections_of(news))

    def _keep_task(self, news: News) -> None:
        if news.document is None:
            self._cache.forget_task(news.id)
            self.gone.append(news.id)
        else:
            self.tasks.append(self._cache.merge_task({"board_id": self.board_id, **news.document}))

    def _keep_board(self, news: News) -> None:
        self.lists_boards = True
        if news.document is None:
            self._cache.forget_board(news.id)
            return
        self._cache.put_board_summary(summary_of(news.id, news.document))
        known = self._cache.board(news.id)
        if known is not None:
            self.frame = {**known, **news.document, "id": news.id}
            self._cache.put_board(self.frame)

    def _keep_listed(self, news: News) -> None:
        board = self._cache.board(self.board_id)
        if board is not None:
            self._put_board(with_listed(board, news), before=board, with_tasks=False)


def new_or_changed(cache: Cache, tasks: Iterable[Document]) -> list[Document]:
    """Those of the tasks that news tell of which are not kept as they are told.

    A subtask is no card, and is only told of if it was one.
    """
    found = []
    for task in tasks:
        known = cache.task(int(task["id"]))
        is_card = not task.get("parent_id") or known is not None
        if is_card and not is_same(known, task):
            found.append(task)
    return found


def differences(before: Document | None, now: Document) -> tuple[ChangeKind, ...]:
    """What differs between a task before and now, the most important first.

    Positions do not count: a service writes them anew for every card of a stage when one moves.
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
    """Whether a value differs; replies lack some, and numbers may come as text."""
    return name in before and str(before[name] or "0") != str(now.get(name) or "0")


def _ids(document: Document, name: str) -> frozenset[str]:
    listed = document.get(name)
    if not isinstance(listed, list):
        return frozenset()
    return frozenset(str(one.get("ID", one.get("id"))) for one in listed if isinstance(one, dict))


def _settings(document: Document) -> dict[str, Any]:
    settings = document.get("settings")
    return settings if isinstance(settings, dict) else {}
