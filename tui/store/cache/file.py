"""What the service last said, kept on disk.

The rule it keeps: the cache holds documents as they came and nothing of what is still on its way;
it can be thrown away at any time, because the service will say it again.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from tui.store.cache import freshness, task_sections as detail_cache
from tui.store.cache.documents import DocumentTable
from tui.store.cache.polling_turns import Asking
from tui.store.cache.revisions import Asked, Revisions
from tui.store.cache.tables import DOCUMENTS, SHARING
from tui.store.cache.upkeep import Upkeep
from tui.store.documents.shapes import Document, KeptBoardDocuments
from tui.store.files.database import (
    DamagedFileError,
    NewerFileError,
    forget_old_set_aside,
    open_database,
    set_aside,
    transaction,
)

_MIGRATIONS = (DOCUMENTS, SHARING, detail_cache.TABLES, freshness.TABLES)
_CHECKPOINT_PAGES = 4_000
"""A board of thousands of tasks is written once, not twice as it comes: 16 MB of journal."""
_IS_ACTIVE_TASK = "kind = 'task' and is_active = 1 and board_id = :board_id"


class Cache:
    """Documents by kind and id; `number` is how often it went on with another file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.number = 0
        self._use(connection)

    def _use(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.revisions = Revisions(connection)
        self.asking = Asking(connection)
        self.freshness = freshness.FreshnessTable(connection)
        self.upkeep = Upkeep(connection)
        self._documents = DocumentTable(connection, self.revisions)
        self.details = detail_cache.DetailDocuments(connection)

    def go_on_with(self, path: Path, now: datetime) -> None:
        """Leave the file, which was deleted or is damaged, and go on with the one at `path`."""
        connection, _ = _opened(path, now)
        self.number += 1
        self._connection.close()
        self._use(connection)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, with a number if anything changes in it."""
        with transaction(self._connection):
            self.revisions.begin()
            self._documents.begin()
            yield

    @property
    def replaced(self) -> dict[int, str]:
        """The bodies that the last write did away with, by id."""
        return self._documents.replaced

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def revision(self) -> int:
        """The number of the last write that changed something, by whichever program."""
        return self.revisions.last()

    def board_summaries(self) -> list[Document]:
        """The boards as the list of boards last had them, newest first."""
        rows = self._connection.execute(
            "select body from document where kind = 'summary' order by id desc"
        )
        return [json.loads(body) for (body,) in rows]

    def put_board_summaries(self, boards: Sequence[Document], asked_at: int) -> bool:
        """Keep the list as it was at that revision, forget all others; whether anything changed."""
        with self._writing():
            newer = self.revisions.summaries_written_after(asked_at)
            known = {int(board["id"]) for board in self.board_summaries()} - newer
            listed = [board for board in boards if int(board["id"]) not in newer]
            changed = self._documents.put_all("summary", listed)
            for summary in changed:
                self._call_board(int(summary["id"]), summary.get("title"))
            gone = known - {int(board["id"]) for board in listed}
            for board_id in gone:
                self._forget_board(board_id)
        return bool(changed or gone)

    def put_board_summary(self, board: Document) -> bool:
        """Keep one board of the list, merged into what is known of it."""
        with self._writing():
            old = self._document("summary", int(board["id"]))
            return self._documents.put("summary", {**(old or {}), **board})

    def _call_board(self, board_id: int, title: object) -> None:
        """Have a board called as the list calls it."""
        board = self.board(board_id)
        if board is not None and board.get("title") != title:
            self._documents.put("board", {**board, "title": title})

    def board(self, board_id: int) -> Document | None:
        """A board with stages, labels and users."""
        return self._document("board", board_id)

    def put_board(self, board: Document) -> bool:
        """Keep a board with stages, labels and users; says whether it changed."""
        with self._writing():
            return self._documents.put("board", board)

    def relabel(self, board_id: int, labels: Mapping[int, Document | None]) -> None:
        """Give the tasks of a board labels as they are now, or take off those that are None."""
        rows = self._connection.execute(
            """select body from document where kind = 'task' and board_id = ?
               and body like '%"labels":[{%'""",
            (board_id,),
        )
        changed = []
        for (body,) in rows:
            task: Document = json.loads(body)
            listed = [_relabelled(label, labels) for label in task["labels"]]
            told = [label for label in listed if label is not None]
            if told != task["labels"]:
                changed.append({**task, "labels": told})
        with self._writing():
            self._documents.put_all("task", changed)

    def forget_board(self, board_id: int) -> None:
        """Forget a board and its tasks."""
        with self._writing():
            self._forget_board(board_id)

    def task(self, task_id: int) -> Document | None:
        """One task, archived or not."""
        return self._document("task", task_id)

    def put_tasks(self, tasks: Iterable[Document], asked: Asked | None = None) -> list[Document]:
        """Keep these tasks, unless a newer one is here; returns those that differ from before."""
        with self._writing():
            newer = self.revisions.written_after(*asked) if asked else set()
            told = [task for task in tasks if task["id"] not in newer]
            return self._documents.put_all("task", told)

    def forget_tasks(self, task_ids: Iterable[int], asked: Asked) -> list[Document]:
        """Forget tasks that a list lacks, unless it is older; returns what they were."""
        with self._writing():
            gone = sorted(set(task_ids) - self.revisions.written_after(*asked))
            before = [self.task(task_id) or {"id": task_id} for task_id in gone]
            for task_id in gone:
                self._forget_task(task_id)
        return before

    def merge_task(self, task: Document) -> Document:
        """Keep a task from a reply, which may lack what a list has; returns it complete."""
        with self._writing():
            merged = {**(self.task(int(task["id"])) or {}), **task}
            self._documents.put("task", merged)
        return merged

    def forget_task(self, task_id: int) -> None:
        """Forget a task."""
        with self._writing():
            self._forget_task(task_id)

    def _forget_task(self, task_id: int) -> None:
        row = self._connection.execute(
            "delete from document where kind = 'task' and id = ? returning board_id", (task_id,)
        ).fetchone()
        if row is not None:
            self.revisions.forgot("task", task_id, row[0])

    def active_task_ids(self, board_id: int) -> set[int]:
        """The ids of the active tasks of a board."""
        rows = self._connection.execute(
            f"select id from document where {_IS_ACTIVE_TASK}",  # noqa: S608  a constant
            {"board_id": board_id},
        )
        return {task_id for (task_id,) in rows}

    def newest_task_id(self, board_id: int) -> int:
        """The highest task id ever seen on a board."""
        (newest,) = self._connection.execute(
            "select max(id) from document where kind = 'task' and board_id = ?", (board_id,)
        ).fetchone()
        return int(newest or 0)

    def first_paint(self, board_id: int, per_stage: int = 40) -> KeptBoardDocuments | None:
        """The board, how many tasks each stage has, and the first of each; None if unknown."""
        board = self.board(board_id)
        if board is None:
            return None
        totals = dict(
            self._connection.execute(
                "select stage_id, tasks from total where board_id = ? and tasks > 0", (board_id,)
            ).fetchall()
        )
        tasks: list[Document] = []
        for stage_id in totals:
            rows = self._connection.execute(
                f"""select body from document indexed by document_by_place
                    where {_IS_ACTIVE_TASK} and stage_id = :stage_id
                    order by position, id limit :limit""",  # noqa: S608  a constant
                {"board_id": board_id, "stage_id": stage_id, "limit": per_stage},
            )
            tasks.extend(json.loads(body) for (body,) in rows)
        return KeptBoardDocuments(board, tuple(tasks), totals)

    def whole(self, board_id: int, slice_size: int = 256) -> Iterator[list[str]]:
        """The bodies of all active tasks of a board, in order, a slice at a time."""
        after: tuple[int, float, int] = (-1, 0.0, 0)
        while True:
            place = dict(zip(("stage_id", "position", "id"), after, strict=True))
            rows = self._connection.execute(
                f"""select stage_id, position, id, body from document indexed by document_by_place
                    where {_IS_ACTIVE_TASK} and stage_id is not null
                    and (stage_id, position, id) > (:stage_id, :position, :id)
                    order by stage_id, position, id limit :limit""",  # noqa: S608  a constant
                {"board_id": board_id, "limit": slice_size, **place},
            ).fetchall()
            if not rows:
                return
            yield [row[3] for row in rows]
            after = rows[-1][:3]

    def _document(self, kind: str, document_id: int) -> Document | None:
        row = self._connection.execute(
            "select body from document where kind = ? and id = ?", (kind, document_id)
        ).fetchone()
        if row is None:
            return None
        document: Document = json.loads(row[0])
        return document

    def _forget_board(self, board_id: int) -> None:
        self._connection.execute(
            "delete from document where kind in ('summary', 'board') and id = ?", (board_id,)
        )
        self._connection.execute(
            "delete from document where kind = 'task' and board_id = ?", (board_id,)
        )
        self.revisions.forgot("summary", board_id, board_id)


def _relabelled(label: Document, labels: Mapping[int, Document | None]) -> Document | None:
    """A label of a task as it is now; None if it is gone."""
    if label["id"] not in labels:
        return label
    now = labels[label["id"]]
    return None if now is None else {**label, **{n: now[n] for n in label.keys() & now.keys()}}


def open_cache(path: Path, now: datetime) -> tuple[Cache, str]:
    """Open the cache, or a new one where it cannot be used; with a message then, else empty."""
    connection, message = _opened(path, now)
    return Cache(connection), message


def renewed_cache(path: Path, now: datetime) -> tuple[Cache, Path]:
    """Set the cache aside and open a new one."""
    connection, aside = _renewed(path, now)
    return Cache(connection), aside


def _opened(path: Path, now: datetime) -> tuple[sqlite3.Connection, str]:
    try:
        return _connected(path), ""
    except DamagedFileError:
        reason = "was damaged"
    except NewerFileError:
        reason = "was written by a newer version"
    connection, aside = _renewed(path, now)
    return connection, (
        f"The cache {reason} and was set aside as {aside.name}; it fills again from the service."
    )


def _renewed(path: Path, now: datetime) -> tuple[sqlite3.Connection, Path]:
    aside = set_aside(path, now)
    forget_old_set_aside(path)
    return _connected(path), aside


def _connected(path: Path) -> sqlite3.Connection:
    connection = open_database(path, _MIGRATIONS, synchronous="normal", shrinks=True)
    connection.execute(f"pragma wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    return connection
