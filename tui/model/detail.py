"""An opened task with subtasks, comments, fields and activities, as one frozen value.

A part that is not known, or not offered by the service, is None and never an empty list; `why` has
the reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum

from tui.model.board import BoardView, Place
from tui.model.comment import Comment, Thread, find, with_comment, without_comment
from tui.model.custom_field import FieldValue
from tui.model.events.activity import Activity
from tui.model.ids import GroupId
from tui.model.task import Person, Task
from tui.record import record


class TaskField(StrEnum):
    """The fields of a task that are shown, in their order."""

    STAGE = "Stage"
    STATUS = "Status"
    PRIORITY = "Priority"
    ASSIGNEES = "Assignees"
    WATCHING = "Watching"
    WATCHERS = "Watchers"
    START = "Start"
    DUE = "Due"
    REMINDER = "Reminder"
    LABELS = "Labels"
    BLOCKED_BY = "Blocked by"
    CUSTOM = "More fields"
    ATTACHMENTS = "Attachments"
    PARENT = "Parent"
    TEMPLATE = "Template"
    COVER = "Cover"
    CONTACT = "Contact"
    WORTH = "Worth"
    REPEATS = "Repeats"
    SOURCE = "Source"
    CREATED = "Created"
    UPDATED = "Updated"
    COMPLETED = "Completed"
    ARCHIVED = "Archived"


RowKey = tuple[TaskField, int]
"""A field of a task, with the id of a custom field, else 0."""


class DetailPart(StrEnum):
    """A part that is fetched separately, and may be missing."""

    SUBTASKS = "subtasks"
    COMMENTS = "comments"
    VALUES = "custom fields"
    ACTIVITIES = "activities"


@record
class SubtaskGroup:
    """A group of subtasks with a title, in order."""

    id: GroupId
    title: str
    subtasks: tuple[Task, ...] = ()

    @property
    def in_words(self) -> str:
        """Its title for the user; that of the first group is the service's."""
        # The start of the program does without these names.
        from tui.text.plain_names import group_in_words

        return group_in_words(self.title)

    @property
    def done(self) -> int:
        """The number of closed subtasks."""
        return sum(subtask.is_closed for subtask in self.subtasks)


@record
class Reminder:
    """A reminder by the service; `kind` is its own word."""

    kind: str
    at: datetime | None = None

    @property
    def in_words(self) -> str:
        """Its kind for the user; empty for none."""
        from tui.text.plain_names import reminder_in_words

        return reminder_in_words(self.kind)


@record
class TaskDetail:
    """An opened task with everything around it.

    `groups`, `comments`, `values` and `activities` are None until they are known, and `why` has the
    reason if a part is not offered, or, of those in `unread`, could not be read yet. Comments are
    latest first; unless `all_comments`, the service has older ones; the same holds for activities,
    newest first. `attachments` are names with sizes; `contact_id` is of a CRM; `worth` is a number
    as the service has it, empty for none. `pending` are kinds and ids of things with pending
    changes: a task and a comment may have the same id.
    """

    task: Task
    groups: tuple[SubtaskGroup, ...] | None = None
    comments: Thread | None = None
    values: tuple[FieldValue, ...] | None = None
    activities: tuple[Activity, ...] | None = None
    watching: bool | None = None
    watchers: tuple[Person, ...] = ()
    reminder: Reminder | None = None
    cover: str = ""
    is_template: bool = False
    last_completed_at: datetime | None = None
    attachments: tuple[str, ...] = ()
    contact_id: int | None = None
    source_id: str = ""
    worth: str = ""
    repeats: bool = False
    all_comments: bool = False
    all_activities: bool = False
    why: Mapping[DetailPart, str] = field(default_factory=dict)
    unread: frozenset[DetailPart] = frozenset()
    pending: frozenset[tuple[str, int]] = frozenset()

    def pending_of(self, kind: str) -> frozenset[int]:
        """The ids of a kind with pending changes.

        A kind is `task` (subtasks too), `subtask_group`, `comment` or `field_value`.
        """
        return frozenset(own_id for pending_kind, own_id in self.pending if pending_kind == kind)

    def subtasks(self) -> Iterator[Task]:
        """Every subtask, group by group."""
        for group in self.groups or ():
            yield from group.subtasks

    def find(self, task_id: int) -> Task | None:
        """The task itself, or the subtask with this id."""
        if self.task.id == task_id:
            return self.task
        return next((subtask for subtask in self.subtasks() if subtask.id == task_id), None)

    def group(self, group_id: int) -> SubtaskGroup | None:
        """The group with this id."""
        return next((group for group in self.groups or () if group.id == group_id), None)

    def place_of(self, subtask_id: int) -> tuple[int, Place] | None:
        """The group of a subtask and its place there, given by its neighbours."""
        for group in self.groups or ():
            place = Place.of(subtask_id, [subtask.id for subtask in group.subtasks])
            if place is not None:
                return group.id, place
        return None

    def end_of(self, group_id: int) -> Place:
        """The place below the last subtask of a group."""
        group = self.group(group_id)
        return Place(above=group.subtasks[-1].id if group and group.subtasks else None)

    @property
    def progress(self) -> tuple[int, int]:
        """The number of closed subtasks, and of all."""
        if self.groups is None:
            return self.task.subtasks_done, self.task.subtasks_total
        return sum(group.done for group in self.groups), sum(1 for _ in self.subtasks())

    def comment(self, comment_id: int) -> Comment | None:
        """The comment or reply with this id."""
        return find(self.comments or (), comment_id)

    def value(self, field_id: int) -> str | bool | None:
        """The value of a custom field; None for none."""
        values = (value.value for value in self.values or () if value.field_id == field_id)
        return next(values, None)

    def with_task(self, task: Task) -> "TaskDetail":
        """The detail with new values of the task or a subtask."""
        if task.id == self.task.id:
            return replace(self, task=task)
        return self._with_groups(
            replace(
                group,
                subtasks=tuple(task if old.id == task.id else old for old in group.subtasks),
            )
            for group in self.groups or ()
        )

    def with_subtask_at(self, subtask: Task, group_id: int, place: Place) -> "TaskDetail":
        """The detail with a subtask moved to a place in a group."""
        detail = self.without_subtask(subtask.id)
        group = detail.group(group_id)
        if group is None:
            return self
        subtasks = list(group.subtasks)
        index = place.index_in([sibling.id for sibling in subtasks])
        subtasks.insert(index, replace(subtask, parent_id=self.task.id, stage_id=None))
        return detail.with_group(replace(group, subtasks=tuple(subtasks)))

    def without_subtask(self, subtask_id: int) -> "TaskDetail":
        """The detail without a subtask; unchanged if it is not there."""
        if self.place_of(subtask_id) is None:
            return self
        return self._with_groups(
            replace(
                group,
                subtasks=tuple(subtask for subtask in group.subtasks if subtask.id != subtask_id),
            )
            for group in self.groups or ()
        )

    def with_group(self, group: SubtaskGroup) -> "TaskDetail":
        """The detail with a group's new values; a new one becomes the last."""
        if self.groups is None:
            return self
        if self.group(group.id) is None:
            return replace(self, groups=(*self.groups, group))
        return self._with_groups(group if old.id == group.id else old for old in self.groups)

    def without_group(self, group_id: int) -> "TaskDetail":
        """The detail without a group and its subtasks; unchanged if it is not there."""
        if self.group(group_id) is None:
            return self
        return self._with_groups(group for group in self.groups or () if group.id != group_id)

    def with_comment(self, comment: Comment) -> "TaskDetail":
        """The detail with a comment or reply added or replaced."""
        if self.comments is None:
            return self
        return replace(self, comments=with_comment(self.comments, comment))

    def without_comment(self, comment_id: int) -> "TaskDetail":
        """The detail without a comment and its replies, or without a reply."""
        if self.comments is None or self.comment(comment_id) is None:
            return self
        return replace(self, comments=without_comment(self.comments, comment_id))

    def with_value(self, field_id: int, value: str | bool | None) -> "TaskDetail":
        """The detail with the value of a custom field; None removes it."""
        if self.values is None:
            return self
        values = [entry for entry in self.values if entry.field_id != field_id]
        if value is not None:
            values.append(FieldValue(field_id, value))
        values.sort(key=lambda entry: entry.field_id)
        return replace(self, values=tuple(values))

    def _with_groups(self, groups: Iterator[SubtaskGroup]) -> "TaskDetail":
        return self if self.groups is None else replace(self, groups=tuple(groups))


def find_task(view: BoardView, detail: TaskDetail | None, task_id: int) -> Task | None:
    """A task on the board, or a task or subtask of the opened detail."""
    return view.task(task_id) or (detail.find(task_id) if detail is not None else None)
