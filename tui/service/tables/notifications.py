"""Notifications of changes (6.3): a record for each person, and an e-mail.

The author of a change is never notified, and only members of the board are; their preferences
decide about records and e-mails, both of which are on by default. E-mails are queued after the
commit.
"""

from collections.abc import Mapping
from enum import Enum

from tui.service.call import Call
from tui.service.database.base import Row
from tui.service.documents.people import preferences
from tui.service.mail import Email
from tui.text import clean


class Kind(Enum):
    """Kinds of notifications: the preference for their e-mails, and the sentence."""

    MENTION = ("email_after_comment", "mentioned you in a comment on")
    REPLY = ("email_after_comment", "replied to your comment on")
    COMMENT = ("email_after_comment", "commented on")
    ASSIGNMENT = ("email_after_task_assign", "assigned you to")
    REMOVAL = ("email_after_remove_from_task", "took you off")
    STAGE_CHANGE = ("email_after_task_stage_change", "moved to another stage:")
    DUE_DATE_CHANGE = ("email_after_task_due_date_change", "changed the due date of")
    ARCHIVE = ("email_after_task_archive", "archived")

    def __init__(self, flag: str, words: str) -> None:
        self.flag = flag
        self.words = words


_OF_CHANGES = {
    ("moved", "stage"): Kind.STAGE_CHANGE,
    ("changed", "due_at"): Kind.DUE_DATE_CHANGE,
    ("archived", "task"): Kind.ARCHIVE,
}


def notify_of_change(call: Call, action: str, column: str, task_id: int) -> None:
    """Notify assignees and watchers of a recorded change, if it is of a kind to notify of."""
    kind = _OF_CHANGES.get((action, column))
    if kind is None:
        return
    rows = call.db.all(
        """select account_id from task_assignee where task_id = :task
        union select account_id from task_watcher where task_id = :task""",
        task=task_id,
    )
    notify(call, task_id, dict.fromkeys((row["account_id"] for row in rows), kind))


def notify(
    call: Call,
    task_id: int,
    kinds: Mapping[int, Kind],
    *,
    text: str = "",
    comment_id: int | None = None,
) -> None:
    """Notify people, by id with the kind, about a task.

    `text` is the text of a comment. The caller is not notified.
    """
    told = set(kinds) - {call.user.id}
    if not told:
        return
    task = call.db.find("task", id=task_id)
    if task is None:
        return
    members = call.db.all(
        """select membership.account_id, membership.preferences, account.email, board.title
        from membership
        join account on account.id = membership.account_id
        join board on board.id = membership.board_id
        where membership.board_id = :board and membership.account_id {in_ids}
        order by membership.account_id""",
        board=task["board_id"],
        ids=sorted(told),
    )
    for member in members:
        kind = kinds[member["account_id"]]
        chosen = preferences(member)
        if chosen["dashboard_notification"]:
            _record(call, task, member, kind, text=text, comment_id=comment_id)
        if chosen[kind.flag] and member["email"]:
            _queue_email(call, task, member, kind, text)


def _record(
    call: Call, task: Row, member: Row, kind: Kind, *, text: str, comment_id: int | None
) -> None:
    call.db.insert(
        "notification",
        account_id=member["account_id"],
        board_id=task["board_id"],
        task_id=task["id"],
        comment_id=comment_id,
        kind=kind.name.lower(),
        actor_id=call.user.id,
        text=text,
        created_at=call.stamp,
    )


def _queue_email(call: Call, task: Row, member: Row, kind: Kind, text: str) -> None:
    mail = call.service.mail
    if mail is None:
        return
    who, title = clean.line(call.user.display_name), clean.line(task["title"])
    news = f"{who} {kind.words} “{title}”"
    body = f"{news}\nBoard: {clean.line(member['title'])}\n"
    letter = Email(
        to=member["email"],
        subject=f"[{clean.line(member['title'])}] {news}"[:200],
        text=body + (f"\n{text}\n" if text else ""),
    )
    call.db.after_commit.append(lambda: mail.post(letter))
