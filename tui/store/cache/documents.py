"""How documents are written to the cache.

The rule it keeps: what is already here is not written again, and what a write does away with is
known after it. Many are read and written at once, because each statement costs as much as a page.
"""

import json
import sqlite3
from collections.abc import Sequence

from tui.store.cache.revisions import Revisions
from tui.store.documents.shapes import Document

_PUT = """
    insert into document (kind, id, board_id, stage_id, position, is_active, body, revision)
    values (?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (kind, id) do update set
        board_id = excluded.board_id, stage_id = excluded.stage_id,
        position = excluded.position, is_active = excluded.is_active,
        body = excluded.body, revision = excluded.revision"""
_as_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


class DocumentTable:
    """The documents; `replaced` are the bodies that the last write did away with."""

    def __init__(self, connection: sqlite3.Connection, revisions: Revisions) -> None:
        self._connection = connection
        self._revisions = revisions
        self.replaced: dict[int, str] = {}

    def begin(self) -> None:
        """A transaction begins; nothing was done away with in it."""
        self.replaced = {}

    def put(self, kind: str, document: Document) -> bool:
        """Write a document if it differs from what is here; whether it does."""
        return bool(self.put_all(kind, (document,)))

    def put_all(self, kind: str, documents: Sequence[Document]) -> list[Document]:
        """Write the documents that differ from what is here; returns them."""
        known = self._known(kind, documents)
        changed: list[Document] = []
        rows: list[tuple[object, ...]] = []
        for document in documents:
            document_id, board_id = document["id"], document.get("board_id")
            body = _as_text(document)
            old_body, old_board_id = known.get(document_id, (None, board_id))
            if old_body == body:
                continue
            if old_body is not None:
                self.replaced[document_id] = old_body
            if old_board_id != board_id:
                self._revisions.forgot(kind, document_id, old_board_id)
            known[document_id] = (body, board_id)
            changed.append(document)
            rows.append(self._row(kind, document, body))
        self._connection.executemany(_PUT, rows)
        return changed

    def _known(
        self, kind: str, documents: Sequence[Document]
    ) -> dict[int, tuple[str | None, int | None]]:
        """What is here under the same ids: the body, and the board it is on."""
        rows = self._connection.execute(
            """select id, body, board_id from document
               where kind = ? and id in (select value from json_each(?))""",
            (kind, json.dumps([document["id"] for document in documents])),
        )
        return {document_id: (body, board_id) for document_id, body, board_id in rows}

    def _row(self, kind: str, document: Document, body: str) -> tuple[object, ...]:
        is_card = not document.get("archived_at") and document.get("parent_id") is None
        return (
            kind,
            document["id"],
            document.get("board_id"),
            document.get("stage_id"),
            document.get("position") or 0.0,
            is_card or kind != "task",
            body,
            self._revisions.mine(),
        )
