"""Comments on tasks, replies and mentions (4.4, 2.5).

Only the author changes or deletes a comment (section 5.3), and a task's `comments_count` is the
number of its comments and replies. A comment has text or a picture. It is plain text without
markup. Addresses become links, without a trailing full stop. A mention is `@`, U+200B, the login,
U+200C, and counts only for members who are listed beside the text and named in it. A comment
notifies the task's assignees, a reply the author of the comment it replies to, and both everybody
newly mentioned. A thread has one level: replies to replies join it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from tui.schema.base import DONE, Page, filled
from tui.schema.tasks import Comment
from tui.service import values
from tui.service.call import Call, Document, answers
from tui.service.database.base import Later, Row, Written
from tui.service.documents.pages import Window, page_of, pages
from tui.service.documents.people import shown_email, user_document
from tui.service.documents.tasks import task_document
from tui.service.errors import ServiceError, forbidden, invalid, missing
from tui.service.handlers.images import image_documents, set_images
from tui.service.lookups import part_of_board, task_of
from tui.service.requests.body import optional, query, required
from tui.service.tables.changes import record
from tui.service.tables.notifications import NotificationKind, notify
from tui.text import clean

LONGEST = 65_535
_MENTION_BEGINS = "@\u200b"
_PIECE = re.compile(r"(https?://[^\s<>\"'\u200b\u200c]+)|@\u200b([^\u200c\n]{1,200})\u200c")
_TRAILING = ".,;:!?"
_LISTED = """from comment where task_id = :task
    and (type = 'reply') = (:type = 'reply')
    and (:type = '' or type = :type) and (:privacy = '' or privacy = :privacy)"""
_KIND_FILTER = values.as_sent(type="string", enum=["comment", "reply"])
_PRIVACY_FILTER = values.as_sent(type="string", enum=["private", "public"])
_ORDERS = {"latest": "id desc", "oldest": "id"}


def raw_text(typed: str) -> str:
    """The terminal-safe text; marks of mentions stay."""
    # `clean.text` removes U+200B, the mark with which a mention begins.
    pieces = typed.split(_MENTION_BEGINS)
    return _MENTION_BEGINS.join(clean.text(piece) for piece in pieces).strip()


def comment_html(raw: str, mentioned: Mapping[str, tuple[int, str]]) -> str:
    """The text as HTML; `mentioned` has the id and name of logins to link."""
    written: list[str] = []
    end = 0
    for match in _PIECE.finditer(raw):
        written.append(escape(raw[end : match.start()], quote=False))
        written.append(_link(match[1]) if match[1] else _mention(match[2], mentioned))
        end = match.end()
    written.append(escape(raw[end:], quote=False))
    return "".join(written)


def _link(address: str) -> str:
    bare = address.rstrip(_TRAILING)
    # A bracket that was not opened in the address belongs to the sentence.
    if bare.endswith(")") and "(" not in bare:
        bare = bare[:-1]
    tail = address[len(bare) :]
    return f'<a href="{escape(bare)}">{escape(bare, quote=False)}</a>{escape(tail, quote=False)}'


def _mention(login: str, mentioned: Mapping[str, tuple[int, str]]) -> str:
    if login not in mentioned:
        return escape(f"@{login}", quote=False)
    person_id, name = mentioned[login]
    return f'<a class="mention" href="#/member/{person_id}">{escape(name, quote=False)}</a>'


@dataclass(frozen=True, slots=True)
class CommentContent:
    """The text of a comment, its HTML and settings, and who is newly mentioned."""

    raw: str
    html: str
    settings: dict[str, Any]
    newly_mentioned: list[int]


@values.takes(type="string")
def comment_text(field: str, value: object) -> str:
    """The raw text of a comment. Raises 422."""
    if not isinstance(value, str):
        raise invalid(field, "must be text")
    if len(value) > LONGEST or len(value.encode(errors="replace")) > LONGEST:
        raise invalid(field, "must have at most 64 kB")
    return value


def _content(
    call: Call, text: str | None, images: list[int] | None, named: list[int] | None, old: Document
) -> CommentContent:
    mentioned_before = old.get("mentioned_id") or []
    if text is None:
        text = (old.get("raw_description") or "") if images else ""
    raw = raw_text(text)
    if not raw and not images:
        raise ServiceError(400, "comment_empty", "A comment needs text or an image.")
    # People named in an earlier version stay linked without being named again.
    mentioned = _mentioned(call, raw, [*(named or ()), *mentioned_before])
    ids = sorted(person for person, _ in mentioned.values())
    return CommentContent(
        raw=raw,
        html=comment_html(raw, mentioned),
        settings=old | {"raw_description": raw, "mentioned_id": ids},
        newly_mentioned=[person for person in ids if person not in mentioned_before],
    )


def _mentioned(call: Call, raw: str, named: list[int]) -> dict[str, tuple[int, str]]:
    logins = {match[2] for match in _PIECE.finditer(raw)}
    if not named or not logins:
        return {}
    people = call.db.all(
        """select account.* from account join membership on membership.account_id = account.id
        where membership.board_id = :board and account.id {in_ids} order by account.id""",
        board=call.board_id,
        ids=sorted(set(named)),
    )
    return {
        row["login"]: (row["id"], row["display_name"]) for row in people if row["login"] in logins
    }


@answers({"comments": Page[Comment], "total": int})
def list_comments(
    call: Call,
    part: Window = pages(10),
    kind: object = query("type", _KIND_FILTER, ""),
    privacy: object = query("privacy", _PRIVACY_FILTER, ""),
    replies: bool = query("include_replies", values.flag, True),
    images: bool = query("include_images", values.flag, True),
    order: str = query("filter", values.one_of(*_ORDERS), "latest"),
) -> Document:
    """GET /projects/{board_id}/tasks/{task_id}/comments: latest first, replies folded in.

    `filter` is `latest` or `oldest`; `type=reply` lists the replies by themselves;
    `include_replies` and `include_images` may be false. `total` counts what the pages hold.
    Raises 404, 422.
    """
    documents = partial(comment_documents, replies=replies, images=images)
    params = {"task": task_of(call)["id"], "type": kind, "privacy": privacy}
    page = page_of(call, part, _LISTED, _ORDERS[order], documents, **params)
    return {"comments": page, "total": page["total"]}


@answers({"comment": Comment} | DONE)
def create_comment(
    call: Call,
    text: str | None = optional("comment", comment_text),
    images: list[int] | None = optional("images", values.ids),
    mentioned: list[int] | None = optional("mentionData", values.ids),
    kind: str = required("comment_type", values.one_of("comment", "reply")),
    parent_id: int | None = optional("parent_id", values.identifier("comment")),
    privacy: str = optional("privacy", values.one_of("private", "public"), "private"),
    author_id: int | None = optional("comment_by", values.identifier("user")),
) -> Later[Document]:
    """POST /projects/{board_id}/tasks/{task_id}/comments: a comment, or a reply to one.

    A reply needs `parent_id`; a reply to a reply joins the same thread, and has the privacy of the
    comment that began it. `privacy` is `private` unless it is sent. `comment_by` may
    only name the caller. Raises 400 without text and pictures, 403, 404, 422.
    """
    task = task_of(call)
    answered = _parent(call, task, kind, parent_id)
    content = _content(call, text, images, mentioned, {})
    if author_id not in (None, call.user.id):
        raise forbidden("Comments can only be written in your own name.")
    row = _add(call, task, content, kind, answered, answered["privacy"] if answered else privacy)
    if images:
        set_images(call, row["id"], images)()
    document = task_document(call, task["id"])
    comments = comment_documents(call, [row])
    return lambda: {
        "message": f"{kind.capitalize()} has been added",
        "comment": comments()[0] | {"task": document()},
    }


def add_comment(call: Call, task: Row, text: str) -> None:
    """Comment on a task in the name of the caller."""
    _add(call, task, _content(call, text, None, None, {}), "comment", None, "private")


def _add(
    call: Call, task: Row, content: CommentContent, kind: str, answered: Row | None, privacy: object
) -> Written:
    row = call.add(
        "comment",
        board_id=call.board_id,
        task_id=task["id"],
        parent_id=answered and (answered["parent_id"] or answered["id"]),
        type=kind,
        privacy=privacy,
        status="published",
        author_name=call.user.display_name,
        author_email=call.user.email,
        description=content.html,
        settings=json.dumps(content.settings),
        created_by=call.user.id,
    )
    _count(call, task["id"])
    record(call, "added", kind, task_id=task["id"], new=content.raw)
    _tell(call, task["id"], content, answered)
    return row


@answers({"comment": Comment} | DONE)
def update_comment(
    call: Call,
    text: str | None = optional("comment", comment_text),
    images: list[int] | None = optional("images", values.ids),
    mentioned: list[int] | None = optional("mentionData", values.ids),
) -> Document:
    """PUT /projects/{board_id}/tasks/{task_id}/comments/{comment_id}: by its author only.

    `images` is the whole list of its pictures from now on; without it they stay, and without
    `comment` the text does. People mentioned before need not be named again. Raises 400, 403, 404.
    """
    task = task_of(call)
    row = _own_comment(call)
    if row["task_id"] != task["id"]:
        raise missing("comment")
    old: dict[str, Any] = json.loads(row["settings"])
    content = _content(call, text, images, mentioned, old)
    settings = json.dumps(content.settings)
    changed = call.change("comment", row["id"], description=content.html, settings=settings)
    # As a new comment does: the programs of others read what is said on a card once it changes.
    call.change("task", task["id"])
    check = set_images(call, row["id"], images) if images is not None else None
    previous_text = old.get("raw_description") or ""
    record(call, "changed", row["type"], task_id=task["id"], old=previous_text, new=content.raw)
    kinds = dict.fromkeys(content.newly_mentioned, NotificationKind.MENTION)
    notify(call, task["id"], kinds, text=content.raw)
    comments = comment_documents(call, [changed])()
    if check is not None:
        check()
    return {
        "message": f"{row['type'].capitalize()} has been updated",
        "comment": comments[0],
    }


@answers(DONE)
def delete_comment(call: Call) -> Document:
    """DELETE /projects/{board_id}/tasks/comments/{comment_id}: by its author, with its replies.

    Its pictures and those of its replies go with it, their files too.
    """
    row = _own_comment(call)
    call.db.delete("comment", id=row["id"])
    _count(call, row["task_id"])
    old = json.loads(row["settings"]).get("raw_description")
    record(call, "deleted", row["type"], task_id=row["task_id"], old=old)
    return {"message": f"{row['type'].capitalize()} has been deleted"}


def _parent(call: Call, task: Row, kind: str, parent_id: int | None) -> Row | None:
    if kind == "comment":
        if parent_id:
            raise invalid("parent_id", "is for replies only")
        return None
    if parent_id is None:
        raise invalid("parent_id", "is required")
    parent = call.db.find("comment", id=parent_id, board_id=call.board_id)
    if parent is None or parent["task_id"] != task["id"]:
        raise missing("comment")
    return parent


def _tell(call: Call, task_id: int, content: CommentContent, answered: Row | None) -> None:
    # A mention takes precedence.
    kinds: dict[int, NotificationKind] = {}
    if answered is not None:
        kinds[answered["created_by"]] = NotificationKind.REPLY
    kinds |= dict.fromkeys(content.newly_mentioned, NotificationKind.MENTION)
    for_assignees = NotificationKind.COMMENT if answered is None else None
    notify(call, task_id, kinds, assignees=for_assignees, text=content.raw)


def _count(call: Call, task_id: int) -> None:
    call.db.run(
        """update task set updated_at = :now,
            comments_count = (select count(*) from comment where task_id = :task)
        where id = :task""",
        now=call.stamp,
        task=task_id,
    )


def _own_comment(call: Call) -> Row:
    row = part_of_board(call, "comment", call.ids["comment_id"])
    if row is None:
        raise missing("comment")
    if row["created_by"] != call.user.id:
        raise forbidden("Only the author of a comment may change or delete it.")
    return row


def comment_documents(
    call: Call, rows: Sequence[Written], *, replies: bool = True, images: bool = True
) -> Later[list[Document]]:
    """Comment records; `replies` and `images` say whether these are included.

    `replies_count` is always included.
    """
    ids = [row["id"] for row in rows]
    below = call.db.select("comment", parent_id=ids)
    authors = call.db.all(
        """select * from account
        where id in (select created_by from comment where id {in_ids} or parent_id {in_ids})""",
        ids=ids,
    )
    pictures_of = image_documents(call, ids)

    def comments() -> list[Document]:
        shown = [*rows, *below] if replies else rows
        people = {row["id"]: user_document(call, row) for row in authors}
        pictures = pictures_of() if images else {}
        documents = {
            row["id"]: filled(
                Comment,
                row,
                author_email=shown_email(call, row["author_email"], row["created_by"]),
                author_ip="",
                settings=json.loads(row["settings"]),
                replies=[],
                replies_count=0,
                avatar="",
                user=people.get(row["created_by"]),
                images=pictures.get(row["id"], []),
            )
            for row in shown
        }
        for reply in below:
            parent = documents[reply["parent_id"]]
            parent["replies_count"] += 1
            # They are counted in any case.
            if replies:
                parent["replies"].append(documents[reply["id"]])
        return [documents[row["id"]] for row in rows]

    return comments
