"""The cache file: the service's state as last received.

It holds no pending changes and can be deleted at any time, because everything in it can be fetched
again, except the observed times of changes that no activity log records.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from tui.store.cache import schema
from tui.store.cache.cards import CardCache
from tui.store.cache.history import HistoryTable, LogPage, Reach
from tui.store.cache.observer import Observer
from tui.store.cache.revisions import ListRequest, Revisions
from tui.store.cache.sections import NO_PARENT, CachedSection, Sections
from tui.store.documents.shapes import Document, FirstPaint, WholeBoard
from tui.store.files.database import transaction, version_of_others
from tui.store.protocol import FIRST_CARDS


class Cache:
    """Documents by kind and id; `number` counts how often the file was replaced.

    `clock` tells when changes of cards are seen.
    """

    def __init__(self, connection: sqlite3.Connection, clock: Callable[[], datetime]) -> None:
        self.number = 0
        self._clock = clock
        self._use(connection)

    def _use(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.revisions = Revisions(connection)
        self.history = HistoryTable(connection)
        self.observer = Observer(connection, self._clock)
        self.cards = CardCache(connection)
        self.sections = Sections(connection, self.revisions, self.observer, self.cards)

    def switch_to(self, path: Path, now: datetime) -> None:
        """Switch to the file at `path`; the current one was deleted or is damaged."""
        # Opened before the old one is closed: if that fails, the cache stays as it was.
        connection, _ = schema.opened(path, now)
        self.number += 1
        self.connection.close()
        self._use(connection)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction, which gets a revision if it changes anything; nested ones join it."""
        if self.connection.in_transaction:
            yield
            return
        with transaction(self.connection):
            self.revisions.begin()
            self.observer.begin()
            yield

    def execute(self, statement: str, values: Mapping[str, object]) -> None:
        """Execute a statement that writes to the tables beside the sections."""
        self.connection.execute(statement, values)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def version_of_others(self) -> int:
        """A number that changes when another connection writes to the file."""
        return version_of_others(self.connection)

    def revision(self) -> int:
        """The revision of the last write by any program."""
        return self.revisions.last()

    def board_summaries(self) -> list[Document]:
        """The list of boards, newest first."""
        rows = self.connection.execute(
            "select body from section where kind = 'summary' order by id desc"
        )
        return [json.loads(body) for (body,) in rows]

    def put_board_summaries(self, boards: Sequence[Document], asked_at: int) -> bool:
        """Replace the list requested at that revision; returns whether anything changed.

        Boards take over their titles from it.
        """
        with self.writing():
            # A board created or changed after the request is newer than this list, which may lack
            # it.
            newer = self.revisions.summaries_written_after(asked_at)
            previous_ids = {int(board["id"]) for board in self.board_summaries()} - newer
            listed = [board for board in boards if int(board["id"]) not in newer]
            changed = self.sections.put("summary", NO_PARENT, listed)
            for summary in changed:
                board, title = self.board(int(summary["id"])), summary.get("title")
                if board is not None and board.get("title") != title:
                    self.put_board({**board, "title": title})
            gone_ids = previous_ids - {int(board["id"]) for board in listed}
            for board_id in gone_ids:
                self.forget_board(board_id)
        return bool(changed or gone_ids)

    def put_board_summary(self, board: Document) -> bool:
        """Merge one board into the list; returns whether it changed."""
        with self.writing():
            old = self.sections.find("summary", int(board["id"]))
            return bool(self.sections.put("summary", NO_PARENT, [{**(old or {}), **board}]))

    def board(self, board_id: int) -> Document | None:
        """A board with stages, labels and users."""
        return self.sections.find("board", board_id)

    def newer_boards(
        self, board_ids: Iterable[int], known: Mapping[int, int]
    ) -> Iterator[tuple[int, int, Document | None]]:
        """The boards that were written since the `known` revisions: id, revision, document.

        None for one that is not cached any more. They lack the palette of the service, which is
        half of a board. Each is decoded when its turn comes: a hundred at once are so many objects
        that the garbage collector looks at them twice.
        """
        ids = [*board_ids]
        rows = self.connection.execute(
            """select id, revision from section
               where kind = 'board' and id in (select value from json_each(?))""",
            (json.dumps(ids),),
        ).fetchall()
        newer = [board_id for board_id, number in rows if known.get(board_id) != number]
        gone = set(ids) - {board_id for board_id, _ in rows}
        bodies = self.connection.execute(
            """select id, revision, json_remove(body, '$.labelColor', '$.labelColorText')
               from section
               where kind = 'board' and id in (select value from json_each(?))""",
            (json.dumps(newer),),
        ).fetchall()
        for board_id in gone & known.keys():
            yield board_id, 0, None
        for board_id, number, body in bodies:
            yield board_id, number, json.loads(body)

    def put_board(self, board: Document) -> None:
        """Replace a board with stages, labels and users."""
        with self.writing():
            self.sections.put("board", NO_PARENT, [board])

    def relabel(self, board_id: int, labels: Mapping[int, Document | None]) -> None:
        """Replace labels on the tasks of a board, or remove those that are None."""
        # Matches tasks that have labels, in the compact form in which sections are written. It
        # spares decoding the others.
        rows = self.connection.execute(
            """select body from section where kind = 'task' and parent = ?
               and body like '%"labels":[{%'""",
            (board_id,),
        )
        changed = []
        for (body,) in rows:
            task: Document = json.loads(body)
            current = []
            for label in task["labels"]:
                replacement = labels.get(label["id"], label)
                if replacement is not None:
                    # Only the fields that the task's copy of the label has.
                    current.append(
                        label
                        | {name: replacement[name] for name in label.keys() & replacement.keys()}
                    )
            if current != task["labels"]:
                changed.append({**task, "labels": current})
        with self.writing():
            self.sections.put_tasks(changed)

    def forget_board(self, board_id: int) -> None:
        """Remove a board and its tasks."""
        with self.writing():
            self.sections.forget_board(board_id)
            self.history.forget_board(board_id)

    def put_log_page(self, board_id: int, page: LogPage) -> Reach:
        """Store a page of a board's activities; returns how far back they are stored now."""
        with transaction(self.connection):
            return self.history.put_page(board_id, page)

    def task(self, task_id: int) -> Document | None:
        """A task, archived or not."""
        return self.sections.find("task", task_id)

    def put_tasks(
        self, tasks: Iterable[Document], request: ListRequest | None = None
    ) -> list[Document]:
        """Replace tasks not written since the request; returns those that changed."""
        with self.writing():
            newer = self.revisions.written_after(*request) if request else set()
            older = [task for task in tasks if task["id"] not in newer]
            return self.sections.put_tasks(older)

    def forget_tasks(self, task_ids: Iterable[int], request: ListRequest) -> list[Document]:
        """Remove tasks not written since the request; returns their documents."""
        with self.writing():
            gone = sorted(set(task_ids) - self.revisions.written_after(*request))
            return [self.sections.forget_task(task_id) or {"id": task_id} for task_id in gone]

    def merge_task(self, task: Document) -> Document:
        """Merge a task from a reply, which may be partial; returns it complete."""
        with self.writing():
            # Read within the transaction, so that no other program writes the task in between.
            merged = {**(self.task(int(task["id"])) or {}), **task}
            self.sections.put_tasks([merged])
        return merged

    def forget_task(self, task_id: int) -> None:
        """Remove a task."""
        with self.writing():
            self.sections.forget_task(task_id)

    def write(self, written: Sequence[CachedSection]) -> None:
        """Write or remove sections of tasks in one transaction."""
        with self.writing():
            self.sections.write(written)

    def archived_tasks(self, board_id: int) -> list[Document]:
        """The archived tasks of a board that are known, without subtasks."""
        rows = self.connection.execute(
            """select body from section where kind = 'task' and parent = ?
               and id not in (select id from card where board_id = ?)""",
            (board_id, board_id),
        )
        tasks = (json.loads(body) for (body,) in rows)
        return [task for task in tasks if task.get("archived_at") and not task.get("parent_id")]

    def newest_task_id(self, board_id: int) -> int:
        """The highest task id ever seen on a board."""
        (newest,) = self.connection.execute(
            "select max(id) from section where kind = 'task' and parent = ?", (board_id,)
        ).fetchone()
        return int(newest or 0)

    def first_paint(self, board_id: int, per_stage: int = FIRST_CARDS) -> FirstPaint | None:
        """The board, the number of tasks in each stage, and the first of each.

        None if not cached.
        """
        # The revision is read first: what is written in between is then read again, not missed.
        revision, board = self.revision(), self.board(board_id)
        if board is None:
            return None
        totals = self.cards.totals(board_id)
        tasks = (self.cards.first(board_id, stage_id, per_stage) for stage_id in totals)
        return FirstPaint(board, tuple(chain.from_iterable(tasks)), totals, revision)

    def whole(self, board_id: int, pause: Callable[[], object] = lambda: None) -> WholeBoard | None:
        """A board with all cards as of one moment; None if not cached. See `CardCache.lanes`."""
        # Other programs may write meanwhile: the revision must be that of exactly these cards.
        with transaction(self.connection, only_reads=True):
            revision, board = self.revision(), self.board(board_id)
            if board is None:
                return None
            newest_id, lanes = self.newest_task_id(board_id), self.cards.lanes(board_id, pause)
            return WholeBoard(board, newest_id, lanes, revision)


def open_cache(
    path: Path, now: datetime, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> tuple[Cache, str]:
    """Open the cache, or a new one if it cannot be used; with a message for the user then."""
    connection, message = schema.opened(path, now)
    return Cache(connection, clock), message
