"""Idempotency keys: requests repeated under the same key are carried out once.

The reply is stored in the transaction of its change. Only successful replies are stored: a refused
request may be sent again under its key. Tasks, boards and comments, whose texts may be long, are
stored as their ids and made anew for a repetition, as they are then, if the caller may still see
them; of one that is gone, or may not be seen, the reply has the id. What is still too long loses
its lists and, of its records, all but the ids.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response

from tui.schema.boards import Board
from tui.schema.tasks import Comment, Task
from tui.service.accounts.accounts import role_of
from tui.service.call import Call, Document, Route
from tui.service.database.base import Later, Row, first
from tui.service.documents.boards import board_document, full_board_document
from tui.service.documents.tasks import full_task_document, task_document
from tui.service.errors import ServiceError
from tui.service.handlers.comments import comment_documents
from tui.service.requests.forms import UploadedFile
from tui.service.requests.replies import json_reply
from tui.service.times import iso

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
KEY_PATTERN = "[!-~]{1,128}"

_KEPT_FOR = timedelta(days=2)
_ROWS_BETWEEN_CLEANINGS = 64
MOST_KEPT = 10_000
"""Replies of an account: more than a person or an import makes while a request may be repeated.

They take about 4 MB, and at most 25.
"""
_INSERT = """insert into idempotent_reply
    (account_id, idempotency_key, digest, status, body, created_at, number)
    values (:account, :key, :digest, :status, :body, :now, (
        select coalesce(max(number), 0) + 1 from idempotent_reply where account_id = :account))"""
_DELETE_BEYOND = """delete from idempotent_reply where account_id = :account and number <=
    (select max(number) from idempotent_reply where account_id = :account) - :kept"""
_LONGEST_KEPT = 2_000
_PARTS = "parts"
"""The name, in a stored record, of the fields that its reply has beyond those of every record."""


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request's idempotency key, and a digest of its content."""

    key: str
    digest: str

    @classmethod
    def of(cls, request: Request, raw: bytes, upload: UploadedFile | None) -> "KeyedRequest | None":
        """The key of a request and its digest; None without a key.

        The digest covers method, path, query and body; of an upload, its name and content, because
        the boundary of a multipart form differs each time. Raises 422 for a malformed key.
        """
        keys = request.headers.getlist(KEY_HEADER)
        if not keys:
            return None
        if len(keys) > 1 or not re.fullmatch(KEY_PATTERN, keys[0]):
            raise ServiceError(
                422,
                "invalid_idempotency_key",
                f"{KEY_HEADER} must be 1 to 128 printable ASCII characters without spaces.",
            )
        digest = hashlib.sha256()
        # The NUL separates name and content, which could be divided differently otherwise.
        body = raw if upload is None else upload.title.encode() + b"\0" + upload.content
        for part in (request.method, request.url.path, request.url.query):
            digest.update(part.encode() + b"\0")
        digest.update(body)
        return cls(keys[0], digest.hexdigest())

    def stored_reply(self, call: Call, route: Route) -> Later[Response | None]:
        """The stored reply to an earlier request of the same account with this key.

        Raises 422, when it is looked at, if the earlier request had another content.
        """
        own = {"account_id": call.user.id, "idempotency_key": self.key}
        rows = call.db.select("idempotent_reply", **own)

        def stored() -> Response | None:
            row = first(rows)
            if row is None:
                return None
            if row["digest"] != self.digest:
                raise ServiceError(
                    422,
                    "idempotency_key_reused",
                    f"This {KEY_HEADER} was used for a different request; nothing was changed.",
                )
            reply = _made_anew(call, route, json.loads(row["body"]))
            return json_reply(reply, row["status"], {REPLAYED_HEADER: "true"})

        return stored

    def store(self, call: Call, route: Route, document: Document) -> None:
        """Store a reply for two days, as one of the newest of its account.

        Every 64th one of all accounts deletes what is older.
        """
        call.db.run(
            _INSERT,
            account=call.user.id,
            key=self.key,
            digest=self.digest,
            status=route.status,
            body=_shortened(route, document),
            now=call.stamp,
        )
        call.db.run(_DELETE_BEYOND, account=call.user.id, kept=MOST_KEPT)
        call.db.run(
            """delete from idempotent_reply where created_at < :limit
                and (select max(id) from idempotent_reply) % :rows = 0""",
            limit=iso(call.now - _KEPT_FOR),
            rows=_ROWS_BETWEEN_CLEANINGS,
        )


def _shortened(route: Route, document: Document) -> str:
    short = {}
    for name, value in document.items():
        record = _record_of(route, name)
        if record is None:
            short[name] = value
        elif isinstance(value, list):
            short[name] = [_reference(record, item) for item in value]
        else:
            short[name] = _reference(record, value)
    if len(text := json.dumps(short)) <= _LONGEST_KEPT:
        return text
    short = {name: [] if isinstance(value, list) else value for name, value in short.items()}
    if len(text := json.dumps(short)) <= _LONGEST_KEPT:
        return text
    return json.dumps(
        {
            name: {"id": item["id"]}
            for name, item in short.items()
            if isinstance(item, dict) and isinstance(item.get("id"), int)
        }
    )


def _record_of(route: Route, name: str) -> Any:
    kind = route.handler.reply[name] if isinstance(route.handler.reply, dict) else None
    record = next(iter(get_args(kind)), kind)
    return record if record in _DOCUMENTS else None


def _reference(record: Any, document: Document) -> Document:
    parts = [name for name in document if name not in record.__required_keys__]
    return {"id": document["id"], **({_PARTS: parts} if parts else {})}


def _made_anew(call: Call, route: Route, short: Document) -> Document:
    reply = dict(short)
    records = {name: record for name in short if (record := _record_of(route, name)) is not None}
    # In rounds, since each takes one round trip: first all rows, then all that their documents
    # need.
    rows = {
        name: [_rows(call, record, item) for item in _items(short[name])]
        for name, record in records.items()
    }
    documents = {name: [ask() for ask in asked] for name, asked in rows.items()}
    for name, later in documents.items():
        values = [document() for document in later]
        reply[name] = values if isinstance(short[name], list) else values[0]
    return reply


def _items(value: Any) -> list[Document]:
    return value if isinstance(value, list) else [value]


def _rows(call: Call, record: Any, reference: Document) -> Later[Later[Document]]:
    table, document_of = _DOCUMENTS[record]
    rows = call.db.select(table, id=reference["id"])
    board = "id" if record is Board else "board_id"
    memberships = call.db.all(
        f"""select * from membership where account_id = :person
            and board_id = (select {board} from {table} where id = :id)""",
        person=call.user.id,
        id=reference["id"],
    )

    def asked() -> Later[Document]:
        row = first(rows)
        # The caller may have lost the board since the first request.
        if row is None or role_of(call.user, memberships) is None:
            return lambda: {"id": reference["id"]}
        parts = reference.get(_PARTS, ())
        names = record.__required_keys__.union(parts)
        document = document_of(call, row, is_full=bool(parts))
        return lambda: {name: value for name, value in document().items() if name in names}

    return asked


def _task(call: Call, row: Row, *, is_full: bool) -> Later[Document]:
    return full_task_document(call, row["id"]) if is_full else task_document(call, row["id"])


def _board(call: Call, row: Row, *, is_full: bool) -> Later[Document]:
    return full_board_document(call, row) if is_full else board_document(call, row)


def _comment(call: Call, row: Row, *, is_full: bool) -> Later[Document]:
    comments = comment_documents(call, [row])
    if not is_full:
        return lambda: comments()[0]
    task = task_document(call, row["task_id"])
    return lambda: comments()[0] | {"task": task()}


_DOCUMENTS = {Task: ("task", _task), Board: ("board", _board), Comment: ("comment", _comment)}
"""The table of each record that is stored as its id, and the function that makes its document."""
