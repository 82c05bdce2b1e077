"""The fields of the chosen cards, as one table: asking for them, and editing their rows.

A row runs the action of its field; the value of a custom field is asked for with the dialog that
suits its type. A field that cannot be edited gives the reason and the key of the closest action.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tui.actions.host import OfferedActions
from tui.actions.tasks.cards import Cards, named
from tui.model.colors import color_words, read_color
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import Reminder, TaskDetail, TaskField
from tui.model.fields.plain import ASKED_FIELDS, PLAIN_FIELDS, PlainField, Question
from tui.model.fields.rows import FieldRow
from tui.model.fields.values import (
    START_OF_WORK,
    distance,
    is_checked,
    kept_date,
    moment,
    read_value,
    typed_again,
    typed_date,
    typed_reminder,
    value_in_words,
)
from tui.model.lane import Tally
from tui.model.task import Priority, Task
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.text.clean import quoted
from tui.text.dates import parse_when, spoken
from tui.widgets.bars import key_name

if TYPE_CHECKING:
    from tui.dialogs.date import DateDialog

_ACTIONS = {
    TaskField.STAGE: "task.move-to",
    TaskField.STATUS: "task.close",
    TaskField.PRIORITY: "task.priority",
    TaskField.ASSIGNEES: "task.assign",
    TaskField.LABELS: "task.labels",
    TaskField.BLOCKED_BY: "task.block",
    TaskField.DUE: "task.due",
    TaskField.START: "task.start",
    TaskField.WATCHING: "task.watch",
    TaskField.REMINDER: "task.reminder",
    TaskField.TEMPLATE: "task.template",
    TaskField.COVER: "task.cover",
    TaskField.CONTACT: "task.contact",
}
"""The ids of the actions that edit fields."""

_NEAREST = {
    TaskField.WATCHERS: "task.watch",
    TaskField.ATTACHMENTS: "task.comment",
    TaskField.COMPLETED: "task.close",
    TaskField.ARCHIVED: "task.archive",
    TaskField.PARENT: "task.to-subtask",
}
"""The ids of the actions to suggest for fields that cannot be edited."""

LONGEST_TEXT = 100_000
"""The most bytes that a value of several lines may have."""

_PLACEHOLDERS = {
    FieldType.NUMBER: "a number such as 12 or 2.50 · leave empty for none",
    FieldType.URL: "https://example.org/ · leave empty for none",
    FieldType.DATE: "fri · tomorrow 14:00 · 2026-12-01",
}

S = TypeVar("S", Task, TaskDetail)
_PRESETS = ("today", "tomorrow", "fri", "next week")
_KIND = "once"
"""The kind of a new reminder."""
_TO_CLEAR = "none"
"""What is typed to clear a field of several cards, where nothing typed leaves each its own."""
_MOST_MIXED = 3
"""How many different values are named at most."""


@dataclass(frozen=True)
class PromptField(Generic[S]):
    """A field of tasks or of details, which is asked for.

    - `question` is the title of the dialog, with the name of the cards in place of `{}`.
    - `present` is the value of a task as one would type it.
    - `read` understands what was typed; the task is the first one, as it was before the dialog.
    - `operation` sets a value on a task as it is now.
    - `words` says a value in the message, `preview` below the input; as in the message if None.
    - `presets` are the texts offered for a date, none for another value.
    - `mixed` says which values the chosen cards have; empty if all have the same.
    """

    question: str
    placeholder: str
    present: Callable[[S], str]
    read: Callable[[str, S, datetime], Any]
    operation: Callable[[S, Any], Operation]
    words: Callable[[Any, datetime], str]
    preview: Callable[[Any, S, datetime], str] | None = None
    presets: tuple[str, ...] = ()
    mixed: str = ""


def _plain(field: PlainField, asked: Question) -> PromptField[TaskDetail]:
    return PromptField(
        f"{field.row} of {{}}",
        asked.placeholder,
        lambda detail: field.kind.spell(field.of(detail)),
        lambda typed, _detail, _now: asked.typed(typed),
        lambda detail, value: change.set_plain(detail, field.name, value),
        lambda value, _now: field.words(value),
    )


_OF_TASKS: Mapping[str, PromptField[Task]] = {
    "task.priority": PromptField(
        "Priority of {}",
        "",
        lambda task: task.priority.value,
        lambda typed, _task, _now: Priority(typed),
        change.set_priority,
        lambda priority, _now: f"priority {priority}",
    ),
    "task.due": PromptField(
        "Due date of {}",
        "fri · tomorrow 17:00 · +3d · 2026-12-01",
        lambda task: _typed_again(task.due_at),
        lambda typed, _task, now: parse_when(typed, now) if typed.strip() else None,
        change.set_due,
        lambda when, now: f"due {spoken(when, now)}" if when else "no due date",
        lambda when, _task, now: spoken(when, now) if when else "no due date",
        _PRESETS,
    ),
    "task.start": PromptField(
        "Start date of {}",
        "mon · tomorrow 14:00 · 2026-12-01",
        lambda task: _typed_again(task.started_at),
        lambda typed, _task, now: typed_date(typed, now, START_OF_WORK) if typed.strip() else None,
        change.set_start,
        lambda when, now: f"starts {moment(when, now)}" if when else "no start date",
        lambda when, task, now: _start_in_words(when, task, now) if when else "no start date",
        _PRESETS,
    ),
}
_OF_DETAILS: Mapping[str, PromptField[TaskDetail]] = {
    "task.reminder": PromptField(
        "Reminder for {}",
        "1 day before · 2h before · due · fri 9:00",
        lambda detail: _typed_again(detail.reminder.at if detail.reminder else None),
        lambda typed, detail, now: typed_reminder(typed, now, detail.task.due_at),
        lambda detail, when: change.set_reminder(detail, _reminder(detail, when)),
        lambda when, now: f"reminder {moment(when, now)}" if when else "no reminder",
        lambda when, _detail, now: _in_words(when, now) if when else "no reminder",
        ("today", "tomorrow", "next week", "1 day before", "1h before"),
    ),
    **{f"task.{name}": _plain(PLAIN_FIELDS[name], asked) for name, asked in ASKED_FIELDS.items()},
}
"""The fields that only the detail of a task has; all by the ids of their actions."""


async def set_field(cards: Cards, action_id: str) -> None:
    """Ask for a field of the chosen cards, and set it on those that are left after the dialog.

    A field that only the detail of a task has is that of the first one.
    """
    if action_id in _OF_DETAILS:
        await _set_of_detail(cards, _OF_DETAILS[action_id])
        return
    field, tasks = _OF_TASKS[action_id], cards.need_tasks_anywhere()
    if len({field.present(task) for task in tasks}) > 1:
        field = _of_mixed(field, tasks, cards.now())
    answer = await _ask(cards, field, tasks[0], named(tasks)) if tasks else None
    if field.mixed and answer is not None and not answer.strip():
        cards.say("nothing was changed")
    elif answer is not None:
        now, original = cards.now(), tasks[0]
        value, tasks = field.read(answer, original, now), cards.as_now(tasks)
        operations = [field.operation(task, value) for task in tasks]
        await cards.change(operations, f"{field.words(value, now)}: {named(tasks)}")


def _of_mixed(field: PromptField[Task], tasks: Sequence[Task], now: datetime) -> PromptField[Task]:
    """The field where its values differ: each task keeps its own unless something is typed."""
    values = list(
        dict.fromkeys(_in_few(field.read(field.present(task), task, now), now) for task in tasks)
    )
    more = " …" if len(values) > _MOST_MIXED else ""

    def read(typed: str, task: Task, now: datetime) -> Any:
        return field.read("" if typed.strip().casefold() == _TO_CLEAR else typed, task, now)

    return replace(
        field,
        present=lambda _task: "",
        read=read,
        mixed=f"mixed: {', '.join(values[:_MOST_MIXED])}{more}",
    )


def _in_few(value: object, now: datetime) -> str:
    if isinstance(value, datetime):
        return moment(value, now)
    return _TO_CLEAR if value is None else str(value)


async def _set_of_detail(cards: Cards, field: PromptField[TaskDetail]) -> None:
    original = cards.need_detail()
    answer = await _ask(cards, field, original, named([original.task])) if original else None
    detail = cards.detail_as_now(original) if original and answer is not None else None
    if original and detail and answer is not None:
        now = cards.now()
        value = field.read(answer, original, now)
        message = f"{field.words(value, now)}: {named([detail.task])}"
        await cards.submit([field.operation(detail, value)], message)


async def _ask(cards: Cards, field: PromptField[S], task: S, name: str) -> str | None:
    from tui.dialogs.questions import AskDialog, ChooseDialog, QuestionChoice

    question, present = field.question.format(name), field.present(task)
    if field.operation is change.set_priority:
        choices = [QuestionChoice("", field.mixed, "")] if field.mixed else []
        choices += [
            QuestionChoice(priority[0], priority.capitalize(), priority)
            for priority in ("high", "medium", "low")
        ]
        return await cards.ask(ChooseDialog(question, choices, present))
    if field is _OF_DETAILS["task.cover"]:
        return await ask_color(cards, question, present)

    if field.presets:
        return await cards.ask(_dialog_of_field(cards, field, task, question, present))
    return await cards.ask(
        AskDialog(
            question,
            present,
            placeholder=field.placeholder,
            reading=lambda typed: _preview(cards, field, task, typed),
            replaces=True,
        )
    )


def _preview(cards: Cards, field: PromptField[S], task: S, typed: str) -> str:
    if field.mixed and not typed.strip():
        return f"{field.mixed}\nunchanged if left empty"
    now = cards.now()
    value = field.read(typed, task, now)
    return field.preview(value, task, now) if field.preview else field.words(value, now)


def due_dialog(cards: Cards, task: Task, typed: str) -> "DateDialog":
    """A dialog for the due date of a card that is not created yet, from what was typed so far."""
    return _dialog_of_field(cards, _OF_TASKS["task.due"], task, "Due date", typed)


def _dialog_of_field(
    cards: Cards, field: PromptField[S], task: S, title: str, typed: str
) -> "DateDialog":
    return _date_dialog(
        cards,
        title,
        typed,
        read=lambda words: field.read(words, task, cards.now()),
        explain=lambda words: _preview(cards, field, task, words),
        presets=field.presets,
        placeholder=field.placeholder,
        none=_TO_CLEAR if field.mixed else "",
    )


def _date_dialog(
    cards: Cards,
    title: str,
    typed: str,
    *,
    read: Callable[[str], datetime | None],
    explain: Callable[[str], str],
    presets: Sequence[str],
    placeholder: str,
    none: str = "",
) -> "DateDialog":
    from tui.dialogs.date import DateDialog

    tally = cards.view.tally() if cards.view is not None else Tally(0, 0)
    return DateDialog(
        title,
        typed,
        read=read,
        explain=explain,
        now=cards.now,
        presets=presets,
        placeholder=placeholder,
        none=none,
        is_working=cards.context.settings.calendar.include,
        is_due=tally.is_due_on,
    )


async def ask_color(cards: Cards, title: str, color: str) -> str | None:
    """Ask for a colour: a named one, another one as hex, or empty for none; None if cancelled."""
    from tui.dialogs.questions import OTHER, AskDialog, color_dialog

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
    return f"{_in_words(when, now)}{' · after the due date' if is_late else ''}"


def _reminder(detail: TaskDetail, when: datetime | None) -> Reminder | None:
    old = detail.reminder
    kind = old.kind if old and old.kind not in ("", "none") else _KIND
    return Reminder(kind, when) if when else None


async def edit_field(
    cards: Cards, row: FieldRow, offered: OfferedActions, key_hint: Callable[[str], str]
) -> None:
    """Edit the field of a row, or say why that is not possible, with the key of the closest action.

    `key_hint` returns the key and label of an action, by its id.
    """
    action = _ACTIONS.get(row.of)
    asked = next((name for name in ASKED_FIELDS if PLAIN_FIELDS[name].row is row.of), None)
    if asked and action is None:
        cards.host.dialogs.run(partial(set_field, cards, f"task.{asked}"))
    elif row.fixed or (action is None and row.field is None):
        hint = key_hint(_NEAREST.get(row.of, ""))
        cards.say(row.fixed or f"{row.label} cannot be changed", hint=hint)
    elif action is None:
        await _edit_custom_field(cards, row)
    elif not offered.perform(action):
        cards.say(f"{row.label} cannot be changed here")


async def _edit_custom_field(cards: Cards, row: FieldRow) -> None:
    field, detail = row.field, cards.need_detail()
    if field is None or detail is None:
        return
    if field.is_checkbox:
        await _set_value(cards, detail, field, not is_checked(detail.value(field.id)))
    else:
        cards.host.dialogs.run(partial(_ask_value, cards, detail, field))


async def _ask_value(cards: Cards, detail: TaskDetail, field: CustomField) -> None:
    from tui.dialogs.editor.text import TextEditor
    from tui.dialogs.questions import AskDialog, ChooseDialog, QuestionChoice, lettered

    stored = detail.value(field.id)
    value = "" if stored is None else str(stored)
    title = f"{field.title or 'Field'} of {named([detail.task])}"
    drafts, draft = cards.context.drafts, f"field-{detail.task.id}-{field.id}"
    if field.type is FieldType.SELECT:
        options = lettered((option, option) for option in dict.fromkeys(field.options) if option)
        answer = await cards.ask(
            ChooseDialog(title, [*options, QuestionChoice("0", "none", "")], value)
        )
    elif field.type is FieldType.TEXTAREA or "\n" in value:
        again = key_name("enter")
        editor = TextEditor(
            title, value, drafts=drafts, draft=draft, longest=LONGEST_TEXT, again=again
        )
        written = await cards.ask(editor)
        answer = None if written is None else written.strip()
    else:
        present = typed_again(field, value)
        placeholder = _PLACEHOLDERS.get(field.type, "leave empty for none")

        def reading(words: str) -> str:
            return value_in_words(field, words, cards.now())

        if field.type is FieldType.DATE:
            calendar = _date_dialog(
                cards,
                title,
                present,
                read=lambda words: kept_date(read_value(field, words, cards.now())),
                explain=reading,
                presets=_PRESETS,
                placeholder=placeholder,
            )
            typed = await cards.ask(calendar)
        else:
            dialog = AskDialog(title, present, placeholder=placeholder, reading=reading)
            typed = await cards.ask(dialog)
        # Not read again: the stored value may have more than is shown, such as seconds.
        if typed == present:
            answer = value
        else:
            answer = None if typed is None else read_value(field, typed, cards.now())
    now = None if answer is None else cards.detail_as_now(detail)
    if now is not None and answer is not None and await _set_value(cards, now, field, answer):
        drafts.forget(draft)


async def _set_value(
    cards: Cards, detail: TaskDetail, field: CustomField, value: str | bool
) -> bool:
    operation = change.set_custom_field(detail, field, value)
    if operation.changes_nothing:
        cards.say(f"{quoted(field.title)}: nothing was changed")
        return True
    return await cards.submit([operation], operation.describe())
