"""Comments on tasks (4.4).

The rule it keeps: only the author changes or deletes a comment (section 5.3), and a task's
`comments_count` is the number of its comments.
"""

import json
from typing import Any

from tui.service import values
from tui.service.accounts import Role, role_on, user_documents
from tui.service.activity import record
from tui.service.assignees import member_ids
from tui.service.call import Call, Document
from tui.service.comment_text import LONGEST, comment_html, mentioned_logins, raw_text
from tui.service.database import Row
from tui.service.errors import ServiceError, forbidden, invalid, missing
from tui.service.found import task_of
from tui.service.pages import envelope, window
from tui.service.task_documents import task_document

_PAGE = 10
_LISTED = """from comment where task_id = :task and parent_id is null
    and (:type = '' or type = :type) and (:privacy = '' or privacy = :privacy)"""
_ORDERS = {"latest": "order by id desc", "oldest": "order by id"}


def list_comments(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/comments: latest first.

    `filter` is `latest` or `oldest`. Raises 404, 422.
    """
    task = task_of(call)
    part = window(call, _PAGE)
    order = call.query.get("filter") or "latest"
    if order not in _ORDERS:
        raise invalid("filter", f"must be one of: {', '.join(_ORDERS)}")
    params = {
        "task": task["id"],
        "type": call.query.get("type", ""),
        "privacy": call.query.get("privacy", ""),
    }
    total = call.db.value("select count(*) " + _LISTED, **params)
    rows = call.db.all(
        " ".join(("select *", _LISTED, _ORDERS[order], "limit :size offset :offset")),
        **params,
        size=part.size,
        offset=part.offset,
    )
    return {"comments": envelope(call, part, _documents(call, rows), total), "total": total}


def create_comment(call: Call) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/comments: a comment of the caller.

    An admin may give another member as `comment_by`. Raises 400 without text, 403, 404, 422.
    """
    task = task_of(call)
    call.body.required("comment_type", values.one_of("comment"))
    raw = _text(call)
    author = _author(call)
    settings, html = _rendered(call, raw, {})
    comment_id = call.db.value(
        """insert into comment (board_id, task_id, type, privacy, status, author_name,
            author_email, description, settings, created_by, created_at, updated_at)
        values (:board, :task, 'comment', 'private', 'published', :name, :email, :html,
            :settings, :by, :now, :now) returning id""",
        board=call.board_id,
        task=task["id"],
        name=author["display_name"],
        email=author["user_email"],
        html=html,
        settings=json.dumps(settings),
        by=author["ID"],
        now=call.stamp,
    )
    _count(call, task["id"])
    record(call, "added", "comment", task_id=task["id"], new=raw)
    comment = _documents(call, [_comment(call, comment_id)])[0]
    return {
        "message": "Comment has been added",
        "comment": comment | {"task": task_document(call, task["id"])},
    }


def update_comment(call: Call) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/comments/{comment_id}: by its author only."""
    task = task_of(call)
    row = _own_comment(call)
    if row["task_id"] != task["id"]:
        raise missing("comment")
    raw = _text(call)
    old: dict[str, Any] = json.loads(row["settings"])
    settings, html = _rendered(call, raw, old)
    call.db.run(
        """update comment set description = :html, settings = :settings, updated_at = :now
        where id = :comment""",
        html=html,
        settings=json.dumps(settings),
        now=call.stamp,
        comment=row["id"],
    )
    record(call, "changed", "comment", task_id=task["id"], old=old.get("raw_description"), new=raw)
    comment = _documents(call, [_comment(call, row["id"])])[0]
    return {"message": "Comment has been updated", "comment": comment}


def delete_comment(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/comments/{comment_id}: by its author, with its replies."""
    row = _own_comment(call)
    call.db.run("delete from comment where id = :comment", comment=row["id"])
    _count(call, row["task_id"])
    old = json.loads(row["settings"]).get("raw_description")
    record(call, "deleted", "comment", task_id=row["task_id"], old=old)
    return {"message": "Comment has been deleted"}


def _text(call: Call) -> str:
    """The text that was typed. Raises 400 when there is none, 404 for images not uploaded."""
    if call.body.optional("images", values.ids, list[int]()):
        raise missing("image")
    raw = raw_text(call.body.optional("comment", _typed, ""))
    if not raw:
        raise ServiceError(400, "comment_empty", "A comment needs text or an image.")
    return raw


def _typed(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise invalid(field, "must be text")
    if len(value.encode(errors="replace")) > LONGEST:
        raise invalid(field, "must have at most 64 kB")
    return value


def _author(call: Call) -> Document:
    """The user record of the caller, or of the member an admin writes for."""
    person = call.body.optional("comment_by", values.identifier("user"), call.user.id)
    if person != call.user.id:
        if role_on(call.db, call.board_id, call.user) is not Role.ADMIN:
            raise forbidden("Only an admin may write in the name of others.")
        if person not in member_ids(call, call.board_id):
            raise missing("member")
    return user_documents(call.db, [person])[person]


def _rendered(call: Call, raw: str, settings: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The settings with the text and whom it mentions, and the text as HTML."""
    named = call.body.optional("mentionData", values.ids, list[int]())
    members = member_ids(call, call.board_id)
    people = user_documents(call.db, (person for person in named if person in members))
    logins = mentioned_logins(raw)
    mentioned = {
        user["user_login"]: (user["ID"], user["display_name"])
        for user in people.values()
        if user["user_login"] in logins
    }
    ids = sorted(person for person, _ in mentioned.values())
    kept = settings | {"raw_description": raw, "mentioned_id": ids}
    return kept, comment_html(raw, mentioned)


def _count(call: Call, task_id: int) -> None:
    """Bring a task's `comments_count` up to date."""
    call.db.run(
        """update task set updated_at = :now,
            comments_count = (select count(*) from comment where task_id = :task)
        where id = :task""",
        now=call.stamp,
        task=task_id,
    )


def _comment(call: Call, comment_id: int) -> Row:
    row = call.db.one(
        "select * from comment where id = :comment and board_id = :board",
        comment=comment_id,
        board=call.board_id,
    )
    if row is None:
        raise missing("comment")
    return row


def _own_comment(call: Call) -> Row:
    """The comment of the path, if the caller wrote it. Raises 404, 403."""
    row = _comment(call, call.ids["comment_id"])
    if row["created_by"] != call.user.id:
        raise forbidden("Only the author of a comment may change or delete it.")
    return row


def _documents(call: Call, rows: list[Row]) -> list[Document]:
    people = user_documents(call.db, (row["created_by"] for row in rows))
    return [_document(row, people) for row in rows]


def _document(row: Row, people: dict[int, Document]) -> Document:
    return {
        "id": row["id"],
        "board_id": row["board_id"],
        "task_id": row["task_id"],
        "parent_id": row["parent_id"],
        "type": row["type"],
        "privacy": row["privacy"],
        "status": row["status"],
        "author_name": row["author_name"],
        "author_email": row["author_email"],
        "author_ip": "",
        "description": row["description"],
        "created_by": row["created_by"],
        "settings": json.loads(row["settings"]),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "replies": [],
        "replies_count": 0,
        "avatar": "",
        "user": people.get(row["created_by"]),
        "images": [],
    }
