"""The fields of the chosen cards that are asked for one at a time, as one table."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from tui.actions.tasks.cards import Cards, named
from tui.model.colors import color_words
from tui.model.detail import Reminder, TaskDetail
from tui.model.fields.values import (
    START_OF_WORK,
    contact_words,
    distance,
    moment,
    typed_contact,
    typed_date,
    typed_reminder,
)
from tui.model.task import Priority, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.dates import parse_when, spoken

S = TypeVar("S", Task, TaskDetail)
_KIND = "once"
"""The kind of a new reminder."""


@dataclass(frozen=True)
class Field(Generic[S]):
    """A field of tasks or of details, which is asked for.

    - `question` is the title of the dialog, with the name of the cards in place of `{}`.
    - `present` is the value of a task as one would type it.
    - `read` understands what was typed; the task is the first one, as it was before the dialog.
    - `operation` sets a value on a task as it is now.
    - `words` says a value in the message, `preview` below the input; as in the message if None.
    """

    question: str
    placeholder: str
    present: Callable[[S], str]
    read: Callable[[str, S, datetime], Any]
    operation: Callable[[S, Any], Operation]
    words: Callable[[Any, datetime], str]
    preview: Callable[[Any, S, datetime], str] | None = None


PRIORITY = Field[Task](
    "Priority of {}",
    "",
    lambda task: task.priority.value,
    lambda typed, _task, _now: Priority(typed),
    change.set_priority,
    lambda priority, _now: f"priority {priority}",
)
DUE = Field[Task](
    "When is {} due?",
    "fri · tomorrow 17:00 · +3d · 2026-12-01 · empty for never",
    lambda task: _typed_again(task.due_at),
    lambda typed, _task, now: parse_when(typed, now) if typed.strip() else None,
    change.set_due,
    lambda when, now: f"due {spoken(when, now)}" if when else "no due date",
    lambda when, _task, now: spoken(when, now) if when else "no due date",
)
START = Field[Task](
    "When does {} start?",
    "mon · tomorrow 14:00 · 2026-12-01 · empty for none",
    lambda task: _typed_again(task.started_at),
    lambda typed, _task, now: typed_date(typed, now, START_OF_WORK) if typed.strip() else None,
    change.set_start,
    lambda when, now: f"starts {moment(when, now)}" if when else "no start date",
    lambda when, task, now: _start_in_words(when, task, now) if when else "no start date",
)
REMINDER = Field[TaskDetail](
    "When to be reminded of {}?",
    "1 day before · 2h before · due · fri 9:00 · empty for none",
    lambda detail: _typed_again(detail.reminder.at if detail.reminder else None),
    lambda typed, detail, now: typed_reminder(typed, now, detail.task.due_at),
    lambda detail, when: change.SetReminder.on(detail, _reminder(detail, when)),
    lambda when, now: f"reminder {moment(when, now)}" if when else "no reminder",
    lambda when, _detail, now: _in_words(when, now) if when else "no reminder",
)
COVER = Field[TaskDetail](
    "Cover of {}",
    "",
    lambda detail: detail.cover,
    lambda color, _detail, _now: color,
    change.set_cover,
    lambda color, _now: f"cover {color_words(color)}" if color else "no cover",
)
CONTACT = Field[TaskDetail](
    "Contact of {}",
    "the number of a contact in the CRM · empty for none",
    lambda detail: "" if detail.contact_id is None else str(detail.contact_id),
    lambda typed, _detail, _now: typed_contact(typed),
    change.set_contact,
    lambda contact_id, _now: contact_words(contact_id),
)


async def set_of_tasks(cards: Cards, field: Field[Task]) -> None:
    """Ask for a field of the chosen cards, and set it on those that are left after the dialog."""
    tasks = cards.need_tasks()
    answer = await _ask(cards, field, tasks[0], named(tasks)) if tasks else None
    if answer is not None:
        now, before = cards.now(), tasks[0]
        value, tasks = field.read(answer, before, now), cards.as_now(tasks)
        operations = [field.operation(task, value) for task in tasks]
        await cards.change(operations, f"{field.words(value, now)}: {named(tasks)}")


async def set_of_detail(cards: Cards, field: Field[TaskDetail]) -> None:
    """Ask for a field that only the detail of a task has: that of the first chosen one."""
    before = cards.need_detail()
    answer = await _ask(cards, field, before, named([before.task])) if before else None
    detail = cards.detail_as_now(before) if before and answer is not None else None
    if before and detail and answer is not None:
        now = cards.now()
        value = field.read(answer, before, now)
        message = f"{field.words(value, now)}: {named([detail.task])}"
        await cards.submit([field.operation(detail, value)], message)


async def _ask(cards: Cards, field: Field[S], task: S, name: str) -> str | None:
    from tui.dialogs.questions import AskDialog, Choice, ChooseDialog

    question, present = field.question.format(name), field.present(task)
    if field is PRIORITY:
        choices = [Choice(each[0], each.capitalize(), each) for each in ("high", "medium", "low")]
        return await cards.ask(ChooseDialog(question, choices, present))
    if field is COVER:
        return await ask_color(cards, question, present)

    def reading(typed: str) -> str:
        now = cards.now()
        value = field.read(typed, task, now)
        return field.preview(value, task, now) if field.preview else field.words(value, now)

    dialog = AskDialog(
        question, present, placeholder=field.placeholder, reading=reading, replaces=True
    )
    return await cards.ask(dialog)


async def ask_color(cards: Cards, title: str, color: str) -> str | None:
    """Ask for a colour: a named one, another one as hex, or empty for none; None if cancelled."""
    from tui.dialogs.questions import OTHER, AskDialog, color_dialog, read_color

    answer = await cards.ask(color_dialog(title, color))
    if answer != OTHER:
        return answer
    typed = await cards.ask(
        AskDialog(
            title,
            color,
            placeholder="dark green · #4bce97",
            reading=lambda words: color_words(read_color(words)),
            replaces=True,
        )
    )
    return None if typed is None else read_color(typed)


def _typed_again(when: datetime | None) -> str:
    return f"{when:%Y-%m-%d %H:%M}" if when else ""


def _in_words(when: datetime, now: datetime) -> str:
    return f"{moment(when, now)} · {distance(when, now)[0]}"


def _start_in_words(when: datetime, task: Task, now: datetime) -> str:
    is_late = task.due_at is not None and when > task.due_at
    return f"{_in_words(when, now)}{' · that is after it is due' if is_late else ''}"


def _reminder(detail: TaskDetail, when: datetime | None) -> Reminder | None:
    old = detail.reminder
    kind = old.kind if old and old.kind not in ("", "none") else _KIND
    return Reminder(kind, when) if when else None
