"""Notifications of changes (6.3), by e-mail.

The author of a change is never notified, and only members of the board are; their preferences
decide, and are on by default. Without a mail server nobody is looked up. The interface has no
endpoint that reads notifications, so none are stored: the preference `dashboard_notification` is
kept for other clients and decides nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from tui.service.call import Call
from tui.service.database.base import Row, Rows, listed
from tui.service.documents.people import preferences
from tui.service.mail import Email, MailQueue
from tui.text import clean


class NotificationKind(Enum):
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


KINDS_OF_CHANGES = {
    ("moved", "stage"): NotificationKind.STAGE_CHANGE,
    ("changed", "due_at"): NotificationKind.DUE_DATE_CHANGE,
    ("archived", "task"): NotificationKind.ARCHIVE,
}
"""The recorded changes of which assignees and watchers are notified, by action and column."""

_MEMBER = """select membership.account_id, membership.preferences, account.email,
        board.title as board_title, task.title as task_title"""
_CHOSEN = f"""{_MEMBER}
    from {{pairs}} as chosen
    join task on task.id = chosen.one
    join board on board.id = task.board_id
    join membership on membership.board_id = board.id and membership.account_id = chosen.other
    join account on account.id = membership.account_id
    where membership.account_id <> :caller and account.email <> ''
    order by chosen.place"""
_AUDIENCE = f"""{_MEMBER}, task_assignee.account_id is not null as is_assigned
    from {{pairs}} as changed
    join task on task.id = changed.other
    join board on board.id = task.board_id
    join membership on membership.board_id = board.id
    join account on account.id = membership.account_id
    left join task_assignee on task_assignee.task_id = task.id
        and task_assignee.account_id = membership.account_id and :assignees = 1
    left join task_watcher on task_watcher.task_id = task.id
        and task_watcher.account_id = membership.account_id and :watchers = 1
    where membership.account_id <> :caller and account.email <> ''
        and (membership.account_id {{in_ids}} or task_assignee.account_id is not null
            or task_watcher.account_id is not null)
    order by changed.place, membership.account_id"""


def ask_for_audience(call: Call, task_id: int) -> None:
    """Prefetch who is to be notified of the next change of a task, which saves a round trip."""
    if call.service.mail is not None:
        call.ahead["audience", task_id] = _audience(
            call, [task_id], (), assignees=True, watchers=True
        )


def _audience(
    call: Call, tasks: Sequence[int], ids: Iterable[int], *, assignees: bool, watchers: bool
) -> Rows:
    return call.db.all(
        _AUDIENCE,
        pairs=listed(enumerate(tasks)),
        caller=call.user.id,
        ids=sorted(ids),
        assignees=int(assignees),
        watchers=int(watchers),
    )


def notify(
    call: Call,
    task_id: int,
    kinds: Mapping[int, NotificationKind],
    *,
    assignees: NotificationKind | None = None,
    watchers: NotificationKind | None = None,
    text: str = "",
) -> None:
    """Notify people about a task: those in `kinds` by id, others as assignees or watchers.

    `text` is the text of a comment. The caller is not notified.
    """
    mail = call.service.mail
    if mail is None or not (kinds or assignees or watchers):
        return
    members = call.ahead.pop(("audience", task_id), None)
    if members is None:
        members = _audience(
            call, [task_id], kinds, assignees=assignees is not None, watchers=watchers is not None
        )

    def post() -> None:
        for member in members:
            # What concerns somebody by name, as a mention, precedes what all assignees are told.
            kind = kinds.get(member["account_id"], assignees if member["is_assigned"] else watchers)
            if kind is not None and preferences(member["preferences"])[kind.flag]:
                mail.post(_email(call, member, kind, text))

    # Read only after the commit: its query can be sent along with it.
    call.db.after_commit.append(post)


def notify_of_each(call: Call, tasks: Sequence[int], kind: NotificationKind) -> None:
    """Notify the assignees and watchers of many tasks of the same kind of change."""
    mail = call.service.mail
    if mail is not None:
        members = _audience(call, tasks, (), assignees=True, watchers=True)
        _post_to_all(call, mail, members, kind)


def notify_people(call: Call, pairs: Sequence[tuple[int, int]], kind: NotificationKind) -> None:
    """Notify people of the same kind of change: pairs of a task and an account."""
    mail = call.service.mail
    if mail is not None:
        members = call.db.all(_CHOSEN, pairs=listed(pairs), caller=call.user.id)
        _post_to_all(call, mail, members, kind)


def _post_to_all(call: Call, mail: MailQueue, members: Rows, kind: NotificationKind) -> None:
    def post() -> None:
        # Most members have the same preferences, so each text is parsed once.
        stored = {member["preferences"] for member in members}
        is_wanted = {raw: preferences(raw)[kind.flag] for raw in stored}
        for member in members:
            if is_wanted[member["preferences"]]:
                mail.post(_email(call, member, kind, ""))

    call.db.after_commit.append(post)


def _email(call: Call, member: Row, kind: NotificationKind, text: str) -> Email:
    actor, title = clean.line(call.user.display_name), clean.line(member["task_title"])
    sentence = f"{actor} {kind.words} “{title}”"
    body = f"{sentence}\nBoard: {clean.line(member['board_title'])}\n"
    return Email(
        to=member["email"],
        subject=f"[{clean.line(member['board_title'])}] {sentence}"[:200],
        text=body + (f"\n{text}\n" if text else ""),
    )
