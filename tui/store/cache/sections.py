"""The sections of the cache: one document each by kind, parent and id.

Replies are stored beside their comments, subtasks beside their groups. With a task, the row of its
card is written. Unchanged documents are not written. Sections are read and written in batches,
because each statement costs as much as reading a page.
"""

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from tui.model.task import Task
from tui.store.cache.cards import CardCache
from tui.store.cache.observer import Observer
from tui.store.cache.revisions import Revisions
from tui.store.documents.assemble import Assembler
from tui.store.documents.shapes import Document

Kind = Literal[
    "summary",
    "board",
    "task",
    "subtask_group",
    "subtask",
    "comment",
    "image",
    "field_value",
    "activity",
    "state",
]
"""What a section is of.

`summary` is a board as the list of boards has it, `board` one with its stages and labels; `task` is
any task by itself, `subtask` one as its parent has it. `image` is a picture that was uploaded and
may not be in a comment yet; `state` is what is known about the other sections of a task.
"""

NO_PARENT = 0
"""The parent of boards; a task's parent is its board, and that of anything else its task."""

_PUT = """
    insert into section (kind, id, parent, body, revision) values (?, ?, ?, ?, ?)
    on conflict do update set body = excluded.body, revision = excluded.revision"""
# Keys are sorted, so that equal documents have equal texts whatever order the service sent.
_as_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


class CachedSection(NamedTuple):
    """A section to write, or to remove if there is no document."""

    parent: int
    kind: Kind
    id: int
    document: Document | None


class Sections:
    """The sections on one connection; callers open the transaction for every write."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        revisions: Revisions,
        observer: Observer,
        cards: CardCache,
    ) -> None:
        self._connection = connection
        self._revisions = revisions
        self._observer = observer
        self._cards = cards
        self._assembler = Assembler()

    def put(self, kind: Kind, parent: int, documents: Sequence[Document]) -> list[Document]:
        """Write the documents that differ from the stored ones; returns them."""
        stored = self._stored(kind, documents)
        changed: list[Document] = []
        rows: list[tuple[object, ...]] = []
        for document in documents:
            document_id, body = document["id"], _as_text(document)
            if stored.get((document_id, parent)) == body:
                continue
            stored[document_id, parent] = body
            changed.append(document)
            rows.append((kind, document_id, parent, body, self._revisions.current()))
        self._connection.executemany(_PUT, rows)
        return changed

    def put_tasks(self, documents: Sequence[Document]) -> list[Document]:
        """Like `put` for tasks, each on the board it names; of duplicates the last one counts."""
        documents = list({document["id"]: document for document in documents}.values())
        stored = {
            task_id: (body, parent)
            for (task_id, parent), body in self._stored("task", documents).items()
        }
        changed: list[Document] = []
        tasks: dict[int, Task | None] = {}
        rows: list[tuple[object, ...]] = []
        for document in documents:
            task_id, board_id = document["id"], document.get("board_id") or NO_PARENT
            body = _as_text(document)
            old_body, old_board_id = stored.get(task_id, (None, board_id))
            if old_body == body:
                continue
            tasks[task_id] = task = self._assembler.task(document)
            self._observer.replaced(old_body, old_board_id, document, task)
            # The board is part of the primary key: without this the task would be there twice.
            if old_board_id != board_id:
                self._move(task_id, old_board_id, board_id)
            stored[task_id] = (body, board_id)
            changed.append(document)
            rows.append(("task", task_id, board_id, body, self._revisions.current()))
        # Cards follow in the same transaction, so that no reader sees one without its task.
        self._connection.executemany(_PUT, rows)
        self._cards.put(tasks, self._observer.moment)
        return changed

    def _move(self, task_id: int, old_board_id: int, board_id: int) -> None:
        # Other programs that show the old board have to drop the task.
        self._revisions.record_removal("task", task_id, old_board_id)
        self._connection.execute(
            "update section set parent = ? where kind = 'task' and id = ?", (board_id, task_id)
        )

    def _stored(self, kind: Kind, documents: Sequence[Document]) -> dict[tuple[int, int], str]:
        rows = self._connection.execute(
            """select id, parent, body from section
               where kind = ? and id in (select value from json_each(?))""",
            (kind, json.dumps([document["id"] for document in documents])),
        )
        return {(document_id, parent): body for document_id, parent, body in rows}

    def tasks_with_ids(self, ids: Iterable[int]) -> list[Document]:
        """Those of these tasks that are known, also archived ones."""
        rows = self._connection.execute(
            """select body from section
               where kind = 'task' and id in (select value from json_each(?))""",
            (json.dumps([*ids]),),
        )
        return [json.loads(body) for (body,) in rows]

    def write(self, sections: Sequence[CachedSection]) -> None:
        """Write or remove sections of tasks."""
        for parent, kind, document_id, document in sections:
            if document is None:
                self._connection.execute(
                    "delete from section where kind = ? and id = ? and parent = ?",
                    (kind, document_id, parent),
                )
            else:
                self.put(kind, parent, (document,))

    def forget_task(self, task_id: int) -> Document | None:
        """Remove a task with all its sections; returns it."""
        row = self._connection.execute(
            "delete from section where kind = 'task' and id = ? returning parent, body", (task_id,)
        ).fetchone()
        if row is None:
            return None
        board_id = row[0]
        task: Document = json.loads(row[1])
        self._observer.removed(board_id, task)
        self._revisions.record_removal("task", task_id, board_id)
        return task

    def forget_board(self, board_id: int) -> None:
        """Remove a board with its tasks."""
        self._connection.execute(
            "delete from section where kind in ('summary', 'board') and id = ?", (board_id,)
        )
        self._connection.execute(
            "delete from section where kind = 'task' and parent = ?", (board_id,)
        )
        self._revisions.record_removal("summary", board_id, board_id)

    def find(self, kind: Kind, document_id: int, parent: int | None = None) -> Document | None:
        """A document by id; of a certain parent unless that is None."""
        row = self._connection.execute(
            """select body from section
               where kind = ? and id = ? and (? is null or parent = ?)""",
            (kind, document_id, parent, parent),
        ).fetchone()
        if row is None:
            return None
        document: Document = json.loads(row[0])
        return document

    def of_task(self, task_id: int) -> dict[str, list[Document]]:
        """All sections of a task by kind, without the task itself."""
        rows = self._connection.execute(
            """select kind, body from section indexed by section_of_task
               where parent = ? and kind not in ('summary', 'board', 'task')
               order by kind, id""",
            (task_id,),
        )
        documents: dict[str, list[Document]] = {}
        for kind, body in rows:
            documents.setdefault(kind, []).append(json.loads(body))
        return documents

    def newest_first(self, kind: Kind, slice_size: int) -> Iterator[list[Document]]:
        """All documents of a kind, in slices."""
        # Each slice is a query of its own that continues by key: a cursor that stays open would
        # keep an old snapshot, and the journal from being emptied.
        bound = (sys.maxsize, 0)
        while rows := self._connection.execute(
            """select id, parent, body from section
               where kind = ? and (id, parent) < (?, ?) order by id desc, parent desc limit ?""",
            (kind, *bound, slice_size),
        ).fetchall():
            yield decoded(row[2] for row in rows)
            bound = rows[-1][:2]

    def tasks_newest_first(
        self, but_cards_of: Iterable[int], slice_size: int
    ) -> Iterator[list[Task]]:
        """All tasks, archived or not, without the cards of some boards; in slices."""
        boards, bound = json.dumps(list(but_cards_of)), (sys.maxsize, 0)
        while rows := self._connection.execute(
            """select section.id, parent, stage_id, card.body,
                   iif(card.id is null, section.body, null)
               from section left join card on card.id = section.id
               where kind = 'task' and (section.id, parent) < (?, ?)
               and (card.id is null or board_id not in (select value from json_each(?)))
               order by section.id desc limit ?""",
            (*bound, boards, slice_size),
        ).fetchall():
            # Cards are stored ready to use; only tasks without one are assembled from their
            # document.
            tasks: list[Task | None] = []
            for _, board_id, stage_id, card, body in rows:
                if card is None:
                    tasks.append(self._assembler.task(json.loads(body)))
                else:
                    tasks += self._cards.unpacked(board_id, stage_id, card)
            yield [task for task in tasks if task is not None]
            bound = rows[-1][:2]

    def comments_on(self, board_id: int) -> dict[int, dict[int, Document]]:
        """The comments and replies on the cards of a board, by task and id."""
        rows = self._connection.execute(
            # By kind alone SQLite would read the comments of every board.
            """select parent, id, body from section indexed by section_of_task
               where kind = 'comment' and kind not in ('summary', 'board', 'task') and parent in
               (select id from card where board_id = ?)""",
            (board_id,),
        )
        comments: dict[int, dict[int, Document]] = {}
        for task_id, comment_id, body in rows:
            comments.setdefault(task_id, {})[comment_id] = json.loads(body)
        return comments

    def newest_id(self, kind: Kind) -> int:
        """The highest id ever seen of a kind; ids are unique over all parents."""
        (newest,) = self._connection.execute(
            "select max(id) from section where kind = ?", (kind,)
        ).fetchone()
        return int(newest or 0)


def decoded(bodies: Iterable[str]) -> list[Document]:
    """Many documents, decoded in one call."""
    documents: list[Document] = json.loads(f"[{','.join(bodies)}]")
    return documents
