"""Makes an `Edit` of each field, based on its current value."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tui.model.blocked_by import Blocker, described
from tui.model.board import Board, Stage
from tui.model.colors import text_color
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import Reminder, SubtaskGroup, TaskDetail
from tui.model.fields.plain import PLAIN_FIELDS, STAGE_SETTINGS
from tui.model.task import Label, Person, Priority, Status, Task
from tui.store.operations.edit import FIELDS, Edit
from tui.store.operations.fields.field import EditTarget, spelt, stamp
from tui.store.operations.fields.people import spelt_people
from tui.store.operations.fields.tasks import blocker_of_task, custom_field, label_of_task


def set_field(thing: Task | TaskDetail | Stage | Board, field: str, *value: str | None) -> Edit:
    """Set a field by its name in `FIELDS`, based on its current value."""
    if isinstance(thing, Board):
        target = EditTarget(thing.id, thing.title)
    elif isinstance(thing, Stage):
        target = EditTarget(thing.board_id, thing.title, stage_id=thing.id)
    else:
        target = _of_task(thing.task if isinstance(thing, TaskDetail) else thing)
    return Edit(target, field, value, FIELDS[target.kind, field].spell(thing))


def _of_task(task: Task) -> EditTarget:
    return EditTarget(task.board_id, task.title, task.id)


def set_title(task: Task, title: str) -> Edit:
    """Give a task a new title."""
    return set_field(task, "title", title)


def set_description(task: Task, html: str) -> Edit:
    """Replace a task's description by HTML."""
    return set_field(task, "description", html)


def set_written(task: Task, html: str) -> tuple[Edit, ...]:
    """Replace a task's description by what a person wrote.

    The cards that a line of it names block the task, beside those that do so already.
    """
    text, named = described(html)
    return set_description(task, text), *(add_blocker(task, other) for other in named)


def set_status(task: Task, status: Status) -> Edit:
    """Close or reopen a task."""
    return set_field(task, "status", status.value)


def set_priority(task: Task, priority: Priority) -> Edit:
    """Set the priority of a task."""
    return set_field(task, "priority", priority.value)


def set_due(task: Task, due_at: datetime | None) -> Edit:
    """Set the due date of a task, on the user's clock; None for no date."""
    return set_field(task, "due_at", stamp(due_at))


def set_start(task: Task, started_at: datetime | None) -> Edit:
    """Set the start date of a task, on the user's clock; None for no date."""
    return set_field(task, "started_at", stamp(started_at))


def set_plain(thing: TaskDetail | Task, name: str, value: object) -> Edit:
    """Set a plain field of a task by its name; of a card those that it shows."""
    return set_field(thing, name, PLAIN_FIELDS[name].kind.spell(value))


def set_custom_field(detail: TaskDetail, field: CustomField, value: str | bool | None) -> Edit:
    """Set the value of a custom field; None clears it."""
    base = custom_field(field).spell(detail)
    return Edit(_of_task(detail.task), field, (spelt(value),), base)


def set_assignees(task: Task, people: Iterable[Person]) -> Edit:
    """Set the assignees of a task."""
    return set_field(task, "assignees", spelt_people(people))


def add_label(task: Task, label: Label) -> Edit:
    """Put a label on a task."""
    return _set_label(task, label, has_it=True)


def remove_label(task: Task, label: Label) -> Edit:
    """Take a label off a task."""
    return _set_label(task, label, has_it=False)


def _set_label(task: Task, label: Label, *, has_it: bool) -> Edit:
    return Edit(_of_task(task), label, (spelt(has_it),), label_of_task(label).spell(task))


def add_blocker(task: Task, blocker: Blocker) -> Edit:
    """Say that a task is blocked by a card."""
    return _set_blocker(task, blocker, is_blocking=True)


def remove_blocker(task: Task, blocker: Blocker) -> Edit:
    """Say that a task is not blocked by a card any more."""
    return _set_blocker(task, blocker, is_blocking=False)


def _set_blocker(task: Task, blocker: Blocker, *, is_blocking: bool) -> Edit:
    base = blocker_of_task(blocker).spell(task)
    return Edit(_of_task(task), blocker, (spelt(is_blocking),), base)


def set_watching(task: Task, *, on: bool) -> Edit:
    """Watch a task, or stop watching it; undone, it is the other way round."""
    return Edit(_of_task(task), "watching", (spelt(on),), (spelt(not on),))


def set_reminder(detail: TaskDetail, reminder: Reminder | None) -> Edit:
    """Set the reminder of a task; None for none."""
    at, kind = (None, "") if reminder is None else (reminder.at, reminder.kind)
    return set_field(detail, "reminder", stamp(at), kind)


def rename_group(task: Task, group: SubtaskGroup, title: str) -> Edit:
    """Give a group of subtasks a new title."""
    target = EditTarget(task.board_id, group.title, task.id, group.id)
    return Edit(target, "title", (title,), (group.title,))


def rename_stage(stage: Stage, title: str) -> Edit:
    """Give a stage a new title."""
    return set_field(stage, "title", title)


def set_setting(stage: Stage, name: str, value: object) -> Edit:
    """Set a setting of a stage by its name."""
    return set_field(stage, name, STAGE_SETTINGS[name].kind.spell(value))


def set_stage_color(stage: Stage, color: str) -> Edit:
    """Set the colour of a stage, hex; empty for none."""
    return set_field(stage, "color", color)


def rename_board(board: Board, title: str, description: str | None = None) -> Edit:
    """Change the title of a board, and its description if one is given."""
    return set_field(board, "title", title, description)


def archive_board(board: Board, *, at: datetime | None = None) -> Edit:
    """Archive a board, at a wall-clock time or now.

    The time is drawn until the service sets its own.
    """
    return set_field(board, "archived_at", stamp(at or datetime.now().astimezone()))


def restore_board(board: Board) -> Edit:
    """Restore an archived board."""
    return set_field(board, "archived_at", "")


def edit_label(
    board_id: int, label: Label, *, title: str | None = None, color: str | None = None
) -> Edit:
    """Change the title or colour of a label; None leaves either.

    A new colour gets a text colour that can be read on it.
    """
    target = EditTarget(board_id, label.title, label_id=label.id)
    is_new_color = color is not None and color.casefold() != label.color.casefold()
    look = (color, text_color(color)) if color is not None and is_new_color else (None, None)
    value = (None if title == label.title else title, *look)
    return Edit(target, "look", value, (label.title, label.color))


def edit_custom_field(
    field: CustomField,
    *,
    title: str | None = None,
    type: FieldType | None = None,  # noqa: A002  as the field calls it
    options: Sequence[str] | None = None,
) -> Edit:
    """Change the title, type or options of a custom field; None leaves each."""
    target = EditTarget(field.board_id, field.title, field_id=field.id)
    base = FIELDS["field", "definition"].spell(field)
    new = (title, type and str(type), None if options is None else "\n".join(options))
    value = tuple(
        None if part == previous else part for part, previous in zip(new, base or new, strict=True)
    )
    return Edit(target, "definition", value, base)
