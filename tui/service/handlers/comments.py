"""Comments on tasks and the replies to them (4.4).

Only the author changes or deletes a comment (section 5.3), and a task's `comments_count` is the
number of its comments and replies. A comment has text or a picture. Those it is for are told: of a
comment the task's assignees, of a reply the author of what it answers, and everybody who is newly
mentioned.
"""

import json
from typing import Any, Literal

from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Row
from tui.service.documents.comments import comment_documents
from tui.service.documents.pages import envelope, window
from tui.service.documents.tasks import task_document
from tui.service.errors import forbidden, invalid, missing
from tui.service.handlers.comment_images import set_images
from tui.service.handlers.comment_text import Said, WriteComment, read_comment
from tui.service.lookups import task_of
from tui.service.records.base import DONE, Page, Paged
from tui.service.records.tasks import Comment
from tui.service.requests.body import optional, required
from tui.service.tables.activity import record
from tui.service.tables.notifications import Kind, notify

_PAGE = 10
_LISTED = """from comment where task_id = :task
    and (type = 'reply') = (:type = 'reply')
    and (:type = '' or type = :type) and (:privacy = '' or privacy = :privacy)"""
_ORDERS = {"latest": "order by id desc", "oldest": "order by id"}
_PRIVACY = values.one_of("private", "public")


class _CommentQuery(Paged, total=False):
    type: Literal["comment", "reply"]
    privacy: Literal["private", "public"]
    include_replies: bool
    include_images: bool
    filter: Literal["latest", "oldest"]


@answers({"comments": Page[Comment], "total": int}, query=_CommentQuery)
def list_comments(call: Call) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/comments: latest first, replies folded in.

    `filter` is `latest` or `oldest`; `type=reply` lists the replies by themselves;
    `include_replies` and `include_images` may be false. `total` counts what the pages hold.
    Raises 404, 422.
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
    documents = comment_documents(
        call,
        rows,
        replies=values.flag("include_replies", call.query.get("include_replies") or "true"),
        images=values.flag("include_images", call.query.get("include_images") or "true"),
    )
    return {"comments": envelope(call, part, documents, total), "total": total}


class _CreateComment(WriteComment):
    kind = required("comment_type", values.one_of("comment", "reply"))
    parent_id = optional("parent_id", values.whole_number)
    privacy = optional("privacy", _PRIVACY, "private")
    author_id = optional("comment_by", values.identifier("user"))


@answers({"comment": Comment} | DONE, _CreateComment)
def create_comment(call: Call, asked: _CreateComment) -> Document:
    """POST /projects/{board_id}/tasks/{task_id}/comments: a comment, or a reply to one.

    A reply needs `parent_id`; a reply to a reply joins the same thread, and has the privacy of the
    comment that began it. `privacy` is `private` unless it is sent. `comment_by` may
    only name the caller. Raises 400 without text and pictures, 403, 404, 422.
    """
    task = task_of(call)
    kind = asked.kind
    answered = _answered(call, task, asked)
    said = read_comment(call, asked, "", {}, [])
    comment_id = _insert(call, asked, answered, said)
    set_images(call, comment_id, said.images or [])
    _count(call, task["id"])
    record(call, "added", kind, task_id=task["id"], new=said.raw)
    _tell(call, comment_id, said, answered)
    comment = comment_documents(call, [_comment(call, comment_id)])[0]
    return {
        "message": f"{kind.capitalize()} has been added",
        "comment": comment | {"task": task_document(call, task["id"])},
    }


@answers({"comment": Comment} | DONE, WriteComment)
def update_comment(call: Call, asked: WriteComment) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/comments/{comment_id}: by its author only.

    `images` is the whole list of its pictures from now on; without it they stay, and without
    `comment` the text does. People mentioned before need not be named again. Raises 400, 403, 404.
    """
    task = task_of(call)
    row = _own_comment(call)
    if row["task_id"] != task["id"]:
        raise missing("comment")
    old: dict[str, Any] = json.loads(row["settings"])
    before = old.get("raw_description") or ""
    said = read_comment(call, asked, before, old, old.get("mentioned_id") or [])
    call.change("comment", row["id"], description=said.html, settings=json.dumps(said.settings))
    if said.images is not None:
        set_images(call, row["id"], said.images)
    record(call, "changed", row["type"], task_id=task["id"], old=before, new=said.raw)
    _tell_mentioned(call, row["id"], said)
    comment = comment_documents(call, [_comment(call, row["id"])])[0]
    return {"message": f"{row['type'].capitalize()} has been updated", "comment": comment}


@answers(DONE)
def delete_comment(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/comments/{comment_id}: by its author, with its replies.

    Its pictures and those of its replies go with it, their files too.
    """
    row = _own_comment(call)
    call.db.run("delete from comment where id = :comment", comment=row["id"])
    _count(call, row["task_id"])
    old = json.loads(row["settings"]).get("raw_description")
    record(call, "deleted", row["type"], task_id=row["task_id"], old=old)
    return {"message": f"{row['type'].capitalize()} has been deleted"}


def _answered(call: Call, task: Row, asked: _CreateComment) -> Row | None:
    """The comment or the reply that a reply answers. Raises 422, 404."""
    if asked.kind == "comment":
        if asked.parent_id:
            raise invalid("parent_id", "is for replies only")
        return None
    parent = _comment(call, call.body.required("parent_id", values.identifier("comment")))
    if parent["task_id"] != task["id"]:
        raise missing("comment")
    return parent


def _insert(call: Call, asked: _CreateComment, answered: Row | None, said: Said) -> int:
    """Add the comment, or the reply to the thread of what it answers; returns its id."""
    if asked.author_id not in (None, call.user.id):
        raise forbidden("Nobody may write in the name of others.")
    privacy = asked.privacy
    made: int = call.add(
        "comment",
        board_id=call.board_id,
        task_id=call.ids["task_id"],
        parent_id=answered and (answered["parent_id"] or answered["id"]),
        type=asked.kind,
        privacy=answered["privacy"] if answered else privacy,
        status="published",
        author_name=call.user.display_name,
        author_email=call.user.email,
        description=said.html,
        settings=json.dumps(said.settings),
        created_by=call.user.id,
    )["id"]
    return made


def _tell(call: Call, comment_id: int, said: Said, answered: Row | None) -> None:
    """Tell those a new comment or reply is for; a mention comes before everything else."""
    row = _comment(call, comment_id)
    kinds: dict[int, Kind] = {}
    if answered is not None:
        kinds[answered["created_by"]] = Kind.REPLY
    else:
        assigned = call.db.all(
            "select account_id from task_assignee where task_id = :task", task=row["task_id"]
        )
        kinds |= dict.fromkeys((one["account_id"] for one in assigned), Kind.COMMENT)
    kinds |= dict.fromkeys(said.newly_mentioned, Kind.MENTION)
    notify(
        call,
        row["task_id"],
        kinds,
        text=said.raw,
        comment_id=comment_id,
    )


def _tell_mentioned(call: Call, comment_id: int, said: Said) -> None:
    """Tell those whom a change of a comment mentions for the first time."""
    notify(
        call,
        call.ids["task_id"],
        dict.fromkeys(said.newly_mentioned, Kind.MENTION),
        text=said.raw,
        comment_id=comment_id,
    )


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
