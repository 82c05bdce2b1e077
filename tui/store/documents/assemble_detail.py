"""Converts the documents around a task into model values.

As in `assemble`, every text is cleaned here; malformed documents are left out.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tui.model.comment import Comment, CommentImage, Thread, threaded
from tui.model.detail import Reminder, SubtaskGroup, TaskDetail
from tui.model.events.activity import Activity
from tui.model.fields.plain import PLAIN_FIELDS, ids_in, number_in
from tui.model.task import Person, Task
from tui.store.documents.assemble import Assembler, clean_line, instant, wall_clock
from tui.store.documents.shapes import Document, object_in
from tui.text.clean import text, unescaped

_T = TypeVar("_T")
_BROKEN = (AttributeError, KeyError, TypeError, ValueError, OverflowError)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,32});")
# Services need invisible characters around the login; plain `@login` mentions nobody.
_MENTION = re.compile("@\u200b([^\u200c\n]{1,200})\u200c")
_LONGEST_VIA = 20
_NO_REMINDER = ("", "none")

AssembledComments = dict[int, tuple[Document, Comment]]
"""Comments by id, each with the document it was converted from."""


class DetailAssembler:
    """Converts documents around tasks; people and labels are shared with the board's."""

    def __init__(self, assembler: Assembler) -> None:
        self._assembler = assembler

    def around(self, task: Task, document: Document) -> TaskDetail:
        """The fields of a task's document that are not on its card."""
        watching = document.get("is_watching")
        kind = clean_line(document.get("reminder_type"))
        remind_at = wall_clock(document.get("remind_at"))
        return TaskDetail(
            task=task,
            watching=watching if isinstance(watching, bool) else None,
            watchers=_each(document.get("watchers"), self._assembler.person),
            reminder=None if kind in _NO_REMINDER and not remind_at else Reminder(kind, remind_at),
            last_completed_at=wall_clock(document.get("last_completed_at")),
            attachments=_each(document.get("attachments"), _attachment),
            source_id=clean_line(document.get("source_id")),
            worth=_worth(document.get("lead_value")),
            repeats=bool(document.get("repeat_task_meta")),
            **{field.attribute: field.read(document) for field in PLAIN_FIELDS.values()},
        )

    def group(self, document: Document, subtasks: Iterable[Document]) -> SubtaskGroup | None:
        """A group with its active subtasks, in order."""
        tasks = (self._assembler.task(subtask) for subtask in subtasks)
        ordered = sorted(
            (task for task in tasks if task is not None and task.archived_at is None),
            key=lambda task: (task.position, task.id),
        )
        try:
            return SubtaskGroup(
                int(document["id"]), clean_line(document.get("value")), tuple(ordered)
            )
        except _BROKEN:
            return None

    def thread(self, documents: Mapping[int, Document], assembled: AssembledComments) -> Thread:
        """Comments with their replies, latest first; the documents are in any order.

        Comments of unchanged documents are taken from `assembled`, which is updated.
        """
        previous = dict(assembled)
        assembled.clear()
        for document_id, document in documents.items():
            entry = previous.get(document_id)
            if entry is not None and entry[0] is document:
                assembled[document_id] = entry
            else:
                for comment in self.comments([document]):
                    assembled[document_id] = document, comment
        return threaded(comment for _, comment in assembled.values())

    def comments(self, documents: list[Document]) -> tuple[Comment, ...]:
        """The comments of documents, in their order."""
        return _each(documents, self.comment)

    def comment(self, document: Document) -> Comment:
        """The comment. Raises whatever a malformed document causes."""
        settings = object_in(document.get("settings"))
        created_at, updated_at = (
            instant(document["created_at"]),
            instant(document.get("updated_at")),
        )
        # Editions write no parent as null, 0, false or an empty text.
        parent_id = document.get("parent_id")
        return Comment(
            id=int(document["id"]),
            task_id=int(document.get("task_id") or 0),
            text=comment_text(document),
            parent_id=int(parent_id) if parent_id else None,
            author=self._author(document),
            created_at=created_at,
            edited=bool(created_at and updated_at and updated_at > created_at),
            is_private=document.get("privacy") != "public",
            images=_each(document.get("images"), image_of),
            mentions=ids_in(settings.get("mentioned_id")),
        )

    def _author(self, document: Document) -> Person | None:
        user, person_id = document.get("user"), document.get("created_by")
        if isinstance(user, dict):
            try:
                return self._assembler.person(user)
            except _BROKEN:
                pass
        name = clean_line(document.get("author_name"))
        if not name and person_id is None:
            return None
        return Person(int(person_id or 0), name)

    def activities(self, documents: Iterable[Document]) -> tuple[Activity, ...]:
        """Activities, newest first."""
        activities = _each(list(documents), self._activity)
        return tuple(sorted(activities, key=lambda activity: activity.id, reverse=True))

    def _activity(self, document: Document) -> Activity:
        user = document.get("user")
        emails = (object_in(user).get(name) for name in ("user_email", "email"))
        return Activity(
            id=int(document["id"]),
            action=clean_line(document.get("action")),
            column=clean_line(document.get("column")),
            old=clean_line(document.get("old_value")),
            new=clean_line(document.get("new_value")),
            description=clean_line(document.get("description")),
            by=self._actor(user) if isinstance(user, dict) else None,
            at=instant(document.get("created_at")),
            task_id=task_of_activity(document),
            emails=tuple(str(email) for email in emails if email),
            via=clean_line(object_in(document.get("settings")).get("via"))[:_LONGEST_VIA],
        )

    def _actor(self, user: Document) -> Person:
        """The person who did it, even without an id."""
        try:
            return self._assembler.person(user)
        except _BROKEN:
            return self._assembler.person({**user, "ID": 0})


def task_of_activity(activity: Document) -> int | None:
    """The task of an activity; activities of a board have it in their settings."""
    task_id = object_in(activity.get("settings")).get("task_id")
    is_of_task = activity.get("object_type") == "task_activity"
    return number_in(activity.get("object_id") if task_id is None and is_of_task else task_id)


def comment_text(document: Document) -> str:
    """The raw text of a comment, made terminal-safe, with mentions as `@login`."""
    return text(typed_comment(document))


def typed_comment(document: Document) -> str:
    """The raw text of a comment with mentions as `@login`; not terminal-safe."""
    return _MENTION.sub(r"@\1", raw_comment(document))


def raw_comment(document: Document) -> str:
    """The raw text of a comment, to start an edit from; not terminal-safe.

    Some services store it entity-encoded. The HTML beside it shows which: it has an entity that the
    user typed in escaped form.
    """
    shown = str(document.get("description") or "")
    raw = object_in(document.get("settings")).get("raw_description")
    if not isinstance(raw, str):
        if "<" not in shown and "&" not in shown:
            return shown
        from tui.text.html import tree

        return tree.parse(shown).text()
    entity = _ENTITY.search(raw)
    if entity is None or entity[0].replace("&", "&amp;") in shown:
        return raw
    return unescaped(raw)


def image_of(document: Document) -> CommentImage:
    """The picture. Raises whatever a malformed document causes."""
    url = document.get("secure_url") or document.get("full_url") or document.get("public_url")
    return CommentImage(
        id=int(document["id"]),
        title=clean_line(document.get("title")),
        content_type=clean_line(document.get("attachment_type")),
        size=clean_line(document.get("file_size")),
        url=clean_line(url),
    )


def _attachment(document: Document) -> str:
    """The name and size of a file."""
    size = clean_line(document.get("file_size"))
    name = clean_line(document.get("title")) or f"file {int(document['id'])}"
    return f"{name} ({size})" if size else name


def _worth(value: object) -> str:
    """An amount as text; empty for none and zero."""
    words = clean_line(value).strip()
    return words if words.strip("0.") else ""


def _each(documents: object, make: Callable[[Document], _T]) -> tuple[_T, ...]:
    """The items of a list that can be converted."""
    items = []
    for document in documents if isinstance(documents, list) else ():
        try:
            items.append(make(document))
        except _BROKEN:
            continue
    return tuple(items)
