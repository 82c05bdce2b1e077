"""What the service last said, kept on disk.

The cache holds nothing of what is still on its way, and can be thrown away at any time, because the
service will say it again.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from tui.store.cache import freshness, polling_turns, revisions, sections
from tui.store.cache.eviction import Upkeep
from tui.store.cache.polling_turns import PollTable
from tui.store.cache.revisions import Asked, Revisions
from tui.store.cache.sections import NO_PARENT, Section, Sections
from tui.store.documents.shapes import Document, FirstPaint
from tui.store.files.database import (
    DamagedFileError,
    NewerFileError,
    forget_old_set_aside,
    open_database,
    set_aside,
    transaction,
    version_of_others,
)
from tui.store.protocol import FIRST_CARDS

_TABLES = (
    *sections.TABLES,
    *revisions.TABLES,
    *polling_turns.TABLES,
    *freshness.TABLES,
)
_EARLIER = 5
"""How many versions had other tables: theirs are dropped, for the service says it all again."""
_DROPPED = (
    "document",
    "detail",
    "section",
    *("total", "freshness", "asking", "counter"),
    "forgotten",
)
_MIGRATIONS = (
    *[()] * _EARLIER,
    (*[f"drop table if exists {table}" for table in _DROPPED], *_TABLES),
)
_CHECKPOINT_PAGES = 4_000
"""A board of thousands of tasks is written once, not twice as it comes: 16 MB of journal."""
_IS_CARD = "kind = 'task' and is_card = 1 and parent = :board_id"


class Cache:
    """Documents by kind and id; `number` is how often it went on with another file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.number = 0
        self._use(connection)

    def _use(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.revisions = Revisions(connection)
        self.polls = PollTable(connection)
        self.freshness = freshness.FreshnessTable(connection)
        self.upkeep = Upkeep(connection)
        self.sections = Sections(connection, self.revisions)

    def go_on_with(self, path: Path, now: datetime) -> None:
        """Leave the file, which was deleted or is damaged, and go on with the one at `path`."""
        connection, _ = _opened(path, now)
        self.number += 1
        self._connection.close()
        self._use(connection)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, with a number if anything changes in it; or a part of the outer one."""
        if self._connection.in_transaction:
            yield
            return
        with transaction(self._connection):
            self.revisions.begin()
            self.sections.begin()
            yield

    @property
    def replaced(self) -> dict[int, str]:
        """The bodies that the last write did away with, by id."""
        return self.sections.replaced

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def version_of_others(self) -> int:
        """A number that is another one once somebody else wrote to the file."""
        return version_of_others(self._connection)

    def revision(self) -> int:
        """The number of the last write that changed something, by whichever program."""
        return self.revisions.last()

    def board_summaries(self) -> list[Document]:
        """The boards as the list of boards last had them, newest first."""
        rows = self._connection.execute(
            "select body from section where kind = 'summary' order by id desc"
        )
        return [json.loads(body) for (body,) in rows]

    def put_board_summaries(self, boards: Sequence[Document], asked_at: int) -> bool:
        """Keep the list as it was at that revision, forget all others; whether anything changed."""
        with self.writing():
            newer = self.revisions.summaries_written_after(asked_at)
            known = {int(board["id"]) for board in self.board_summaries()} - newer
            listed = [board for board in boards if int(board["id"]) not in newer]
            changed = self.sections.put("summary", NO_PARENT, listed)
            for summary in changed:
                self._call_board(int(summary["id"]), summary.get("title"))
            gone = known - {int(board["id"]) for board in listed}
            for board_id in gone:
                self.sections.forget_board(board_id)
        return bool(changed or gone)

    def put_board_summary(self, board: Document) -> bool:
        """Keep one board of the list, merged into what is known of it."""
        with self.writing():
            old = self.sections.find("summary", int(board["id"]))
            return bool(self.sections.put("summary", NO_PARENT, [{**(old or {}), **board}]))

    def _call_board(self, board_id: int, title: object) -> None:
        """Have a board called as the list calls it."""
        board = self.board(board_id)
        if board is not None and board.get("title") != title:
            self.sections.put("board", NO_PARENT, [{**board, "title": title}])

    def board(self, board_id: int) -> Document | None:
        """A board with stages, labels and users."""
        return self.sections.find("board", board_id)

    def put_board(self, board: Document) -> bool:
        """Keep a board with stages, labels and users; says whether it changed."""
        with self.writing():
            return bool(self.sections.put("board", NO_PARENT, [board]))

    def relabel(self, board_id: int, labels: Mapping[int, Document | None]) -> list[Document]:
        """Give the tasks of a board labels as they are now, or take off those that are None.

        Returns the tasks that are different now.
        """
        rows = self._connection.execute(
            """select body from section where kind = 'task' and parent = ?
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
        with self.writing():
            return self.sections.put_tasks(changed)

    def forget_board(self, board_id: int) -> None:
        """Forget a board and its tasks."""
        with self.writing():
            self.sections.forget_board(board_id)

    def task(self, task_id: int) -> Document | None:
        """One task, archived or not."""
        return self.sections.find("task", task_id)

    def put_tasks(self, tasks: Iterable[Document], asked: Asked | None = None) -> list[Document]:
        """Keep these tasks, unless a newer one is here; returns those that differ from before."""
        with self.writing():
            newer = self.revisions.written_after(*asked) if asked else set()
            told = [task for task in tasks if task["id"] not in newer]
            return self.sections.put_tasks(told)

    def forget_tasks(self, task_ids: Iterable[int], asked: Asked) -> list[Document]:
        """Forget tasks that a list lacks, unless it is older; returns what they were."""
        with self.writing():
            gone = sorted(set(task_ids) - self.revisions.written_after(*asked))
            before = [self.task(task_id) or {"id": task_id} for task_id in gone]
            for task_id in gone:
                self.sections.forget_task(task_id)
        return before

    def merge_task(self, task: Document) -> Document:
        """Keep a task from a reply, which may lack what a list has; returns it complete."""
        with self.writing():
            merged = {**(self.task(int(task["id"])) or {}), **task}
            self.sections.put_tasks([merged])
        return merged

    def forget_task(self, task_id: int) -> None:
        """Forget a task."""
        with self.writing():
            self.sections.forget_task(task_id)

    def write(self, written: Sequence[Section]) -> None:
        """Keep or forget what belongs to tasks, all or none of it."""
        with self.writing():
            self.sections.write(written)

    def active_task_ids(self, board_id: int) -> set[int]:
        """The ids of the active tasks of a board."""
        rows = self._connection.execute(
            f"select id from section where {_IS_CARD}",  # noqa: S608  a constant
            {"board_id": board_id},
        )
        return {task_id for (task_id,) in rows}

    def newest_task_id(self, board_id: int) -> int:
        """The highest task id ever seen on a board."""
        (newest,) = self._connection.execute(
            "select max(id) from section where kind = 'task' and parent = ?", (board_id,)
        ).fetchone()
        return int(newest or 0)

    def first_paint(self, board_id: int, per_stage: int = FIRST_CARDS) -> FirstPaint | None:
        """The board, how many tasks each stage has, and the first of each; None if unknown."""
        revision, board = self.revision(), self.board(board_id)
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
                f"""select coalesce(card, body) from section indexed by card_by_place
                    where {_IS_CARD} and stage_id = :stage_id
                    order by position, id limit :limit""",  # noqa: S608  a constant
                {"board_id": board_id, "stage_id": stage_id, "limit": per_stage},
            )
            tasks += _all(card for (card,) in rows)
        return FirstPaint(board, tuple(tasks), totals, revision)

    def whole(self, board_id: int, slice_size: int = 256) -> Iterator[list[Document]]:
        """The cards of all active tasks of a board, in order, a slice at a time."""
        after: tuple[int, float, int] = (-1, 0.0, 0)
        while True:
            place = dict(zip(("stage_id", "position", "id"), after, strict=True))
            rows = self._connection.execute(
                f"""select stage_id, position, id, coalesce(card, body)
                    from section indexed by card_by_place
                    where {_IS_CARD} and stage_id is not null
                    and (stage_id, position, id) > (:stage_id, :position, :id)
                    order by stage_id, position, id limit :limit""",  # noqa: S608  a constant
                {"board_id": board_id, "limit": slice_size, **place},
            ).fetchall()
            if not rows:
                return
            yield _all(row[3] for row in rows)
            after = rows[-1][:3]


def _all(cards: Iterable[str]) -> list[Document]:
    """Many cards, decoded at once."""
    documents: list[Document] = json.loads(f"[{','.join(cards)}]")
    return documents


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
