"""Who did what to which task, from a board's activities.

The rule it keeps: what cannot be understood is left out; names are clean for the terminal. Services
record different things in different words, so a deed is matched with what differs as far as its
words allow.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from tui.model.account import Account
from tui.model.news import NewsKind
from tui.store.documents.assemble import instant
from tui.store.documents.shapes import Document
from tui.text.clean import line


class Deed(NamedTuple):
    """Something that somebody did to a task; `names` are what the account is called, folded."""

    id: int
    task_id: int
    words: str
    who: str
    names: frozenset[str]
    at: datetime | None = None
    user_id: int | None = None


_TOLD_AS = {
    NewsKind.NEW: ("created", "restored", "converted"),
    NewsKind.MOVED: ("moved", "stage"),
    NewsKind.CLOSED: ("status", "closed", "moved"),
    NewsKind.REOPENED: ("status", "opened", "moved"),
    NewsKind.RENAMED: ("title",),
    NewsKind.PEOPLE: ("assignee",),
    NewsKind.DUE: ("due",),
    NewsKind.PRIORITY: ("priority",),
    NewsKind.DESCRIBED: ("description",),
    NewsKind.LABELS: ("label",),
    NewsKind.COMMENTED: ("comment", "reply"),
    NewsKind.SUBTASKS: ("subtask",),
    NewsKind.FILES: ("attachment", "image", "file"),
    NewsKind.GONE: ("archived", "deleted", "moved", "converted"),
}


def deeds_of(activities: Iterable[Document]) -> list[Deed]:
    """What activities tell of tasks, newest first."""
    deeds = (_deed(activity) for activity in activities)
    return sorted(filter(None, deeds), key=lambda deed: deed.id, reverse=True)


def doer(kind: NewsKind, deeds: Sequence[Deed], me: Account) -> str | None:
    """Who did what is told as `kind`, "" if that is not known; None if it was `me`.

    `deeds` are what was done to the task, newest first.
    """
    fitting = [deed for deed in deeds if any(word in deed.words for word in _TOLD_AS[kind])]
    theirs = [deed for deed in fitting or deeds if not me.owns(deed.user_id, deed.names)]
    if not theirs:
        return None if deeds else ""
    if fitting or len({deed.who for deed in theirs}) == 1:
        return theirs[0].who
    return ""


def _deed(activity: Document) -> Deed | None:
    user, task_id = activity.get("user"), _task_id(activity)
    if not isinstance(user, dict) or task_id is None:
        return None
    names = (user.get(name) for name in ("user_login", "user_email", "email"))
    who = user.get("display_name") or user.get("user_login") or ""
    try:
        return Deed(
            int(activity["id"]),
            task_id,
            f"{activity.get('action')} {activity.get('column')}".casefold(),
            line(str(who)),
            frozenset(str(name).casefold() for name in names if name),
            instant(activity.get("created_at")),
            _user_id(user),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _user_id(user: Document) -> int | None:
    try:
        return int(str(user.get("ID", user.get("id"))))
    except ValueError:
        return None


def _task_id(activity: Document) -> int | None:
    """The task an activity is about; activities of a board name it in their settings."""
    settings = activity.get("settings")
    raw = settings.get("task_id") if isinstance(settings, dict) else None
    if raw is None and activity.get("object_type") == "task_activity":
        raw = activity.get("object_id")
    try:
        return None if raw is None else int(raw)
    except (TypeError, ValueError):
        return None
