"""What stands around tasks, as the service last said it, kept on disk.

The rule it keeps: the same as the cache it is a part of: documents as they came, which the service
will say again. Comments lie flat, replies beside what they answer. What belongs to a task goes with
the task.
"""

import json
import sqlite3
from collections.abc import Iterable
from typing import Literal, NamedTuple

from tui.store.documents.shapes import Document
from tui.store.files.database import transaction

Section = Literal[
    "subtask_group", "subtask", "comment", "image", "field_value", "activity", "state"
]
"""What a document that belongs to a task is of.

`image` is a picture that was uploaded and may not be in a comment yet; `state` is what is known
about the other sections.
"""

TABLES = (
    """create table detail (
           task_id integer not null,
           section text not null,
           id integer not null,
           body text not null,
           primary key (task_id, section, id)
       ) without rowid""",
    "create index detail_by_id on detail (section, id)",
    """create trigger task_detail_removed after delete on document
       when old.kind = 'task'
       begin
           delete from detail where task_id = old.id;
       end""",
)


class Write(NamedTuple):
    """One document of a task's to be kept, or forgotten where there is None."""

    task_id: int
    section: Section
    id: int
    document: Document | None


class DetailDocuments:
    """Documents by the task they belong to, on the cache's connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def of_task(self, task_id: int) -> dict[str, list[Document]]:
        """Everything known of a task, by section."""
        rows = self._connection.execute(
            "select section, body from detail where task_id = ? order by section, id", (task_id,)
        )
        documents: dict[str, list[Document]] = {}
        for section, body in rows:
            documents.setdefault(section, []).append(json.loads(body))
        return documents

    def write(self, writes: Iterable[Write]) -> None:
        """Keep or forget documents, all or none of them."""
        with transaction(self._connection):
            for task_id, section, document_id, document in writes:
                if document is None:
                    self._connection.execute(
                        "delete from detail where task_id = ? and section = ? and id = ?",
                        (task_id, section, document_id),
                    )
                else:
                    self._put(task_id, section, document)

    def _put(self, task_id: int, section: Section, document: Document) -> None:
        body = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        self._connection.execute(
            "replace into detail values (?, ?, ?, ?)", (task_id, section, document["id"], body)
        )

    def find(self, section: Section, document_id: int, task_id: int | None) -> Document | None:
        """One by its id; of a certain task unless that is None."""
        row = self._connection.execute(
            """select body from detail
               where section = ? and id = ? and (? is null or task_id = ?)""",
            (section, document_id, task_id, task_id),
        ).fetchone()
        if row is None:
            return None
        document: Document = json.loads(row[0])
        return document

    def parent_of(self, subtask_id: int) -> int | None:
        """The task that a subtask was last seen in."""
        row = self._connection.execute(
            "select task_id from detail where section = 'subtask' and id = ?", (subtask_id,)
        ).fetchone()
        return None if row is None else int(row[0])

    def newest_id(self, section: Section) -> int:
        """The highest id ever seen, of any task: ids are given out over all of them."""
        (newest,) = self._connection.execute(
            "select max(id) from detail where section = ?", (section,)
        ).fetchone()
        return int(newest or 0)
