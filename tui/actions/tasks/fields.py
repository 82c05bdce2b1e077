"""Actions that ask for a field of the selected tasks, or of the first one, and set it."""

from collections.abc import Callable
from datetime import datetime

from tui.actions.colors import ask_color
from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.colors import color_words
from tui.model.detail import Reminder
from tui.model.fields.values import (
    START_OF_WORK,
    contact_words,
    distance,
    moment,
    typed_contact,
    typed_date,
    typed_reminder,
)
from tui.model.task import Priority
from tui.store import operations as change
from tui.text.dates import parse_when, spoken

_KIND = "once"
"""The kind of a new reminder; an existing reminder keeps its kind."""


class SetPriority(Action[TaskContext]):
    """Asks for a priority and sets it on the selected tasks."""

    id, keys, label = "task.priority", "p", "Set priority"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.choose import Choice, ChooseDialog

        tasks = on.need_tasks()
        if not tasks:
            return
        choices = [Choice(each[0], each.capitalize(), each) for each in ("high", "medium", "low")]
        title = f"Priority of {named(tasks)}"
        answer = await on.ask(ChooseDialog(title, choices, tasks[0].priority.value))
        if answer is not None:
            operations = [change.set_priority(task, Priority(answer)) for task in tasks]
            await on.change(operations, f"priority {answer}: {named(tasks)}")


class SetDue(Action[TaskContext]):
    """Asks for a due date, typed in words, and sets it on the selected tasks."""

    id, keys, label = "task.due", "d", "Set due date"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        def read(words: str) -> str:
            if not words.strip():
                return "no due date"
            return spoken(parse_when(words, on.now()), on.now())

        tasks = on.need_tasks()
        if not tasks:
            return
        answer = await _ask(
            on,
            f"When is {named(tasks)} due?",
            _typed_again(tasks[0].due_at),
            "fri · tomorrow 17:00 · +3d · 2026-12-01 · empty for never",
            read,
        )
        if answer is None:
            return
        when = parse_when(answer, on.now()) if answer.strip() else None
        said = f"due {spoken(when, on.now())}" if when else "no due date"
        await on.change([change.set_due(task, when) for task in tasks], f"{said}: {named(tasks)}")


class SetStart(Action[TaskContext]):
    """Asks for a start date, typed in words, and sets it on the selected tasks."""

    id, keys, label = "task.start", "s", "Set start date"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        def read(words: str) -> str:
            if not words.strip():
                return "no start date"
            when = typed_date(words, on.now(), START_OF_WORK)
            late = " · that is after it is due" if due and when > due else ""
            return f"{_in_words(when, on.now())}{late}"

        tasks = on.need_tasks()
        if not tasks:
            return
        due = tasks[0].due_at
        answer = await _ask(
            on,
            f"When does {named(tasks)} start?",
            _typed_again(tasks[0].started_at),
            "mon · tomorrow 14:00 · 2026-12-01 · empty for none",
            read,
        )
        if answer is None:
            return
        now, tasks = on.now(), on.as_now(tasks)
        when = typed_date(answer, now, START_OF_WORK) if answer.strip() else None
        said = f"starts {moment(when, now)}" if when else "no start date"
        await on.change([change.set_start(task, when) for task in tasks], f"{said}: {named(tasks)}")


class SetReminder(Action[TaskContext]):
    """Asks for the time of the reminder of the first selected task."""

    id, label = "task.reminder", "Set reminder"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        def read(words: str) -> str:
            when = typed_reminder(words, on.now(), due)
            return _in_words(when, on.now()) if when else "no reminder"

        detail = on.need_detail()
        if detail is None:
            return
        old, due = detail.reminder, detail.task.due_at
        answer = await _ask(
            on,
            f"When to be reminded of {named([detail.task])}?",
            _typed_again(old.at if old else None),
            "1 day before · 2h before · due · fri 9:00 · empty for none",
            read,
        )
        now, detail = on.now(), on.detail_as_now(detail)
        if answer is None or detail is None:
            return
        when = typed_reminder(answer, now, due)
        kind = old.kind if old and old.kind not in ("", "none") else _KIND
        operation = change.SetReminder.on(detail, Reminder(kind, when) if when else None)
        said = f"reminder {moment(when, now)}" if when else "no reminder"
        await on.submit([operation], f"{said}: {named([detail.task])}")


class SetTemplate(Action[TaskContext]):
    """Turns the first selected task into a template, or back into an ordinary task."""

    id, label = "task.template", "Turn template on or off"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        if detail := on.need_detail():
            is_template = not detail.is_template
            said = "is a template" if is_template else "is an ordinary task"
            operation = change.set_template(detail, is_template=is_template)
            await on.submit([operation], f"{named([detail.task])} {said} now")


class SetCover(Action[TaskContext]):
    """Asks for the cover colour of the first selected task."""

    id, label = "task.cover", "Set cover colour"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        detail = on.need_detail()
        if detail is None:
            return
        answer = await ask_color(on.ask, f"Cover of {named([detail.task])}", detail.cover)
        detail = on.detail_as_now(detail)
        if answer is not None and detail is not None:
            said = f"cover {color_words(answer)}" if answer else "no cover"
            operation = change.set_cover(detail, answer)
            await on.submit([operation], f"{said}: {named([detail.task])}")


class SetContact(Action[TaskContext]):
    """Asks for the number of the contact that the task is linked to."""

    id, label = "task.contact", "Set contact"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        detail = on.need_detail()
        if detail is None:
            return
        old = detail.contact_id
        answer = await _ask(
            on,
            f"Contact of {named([detail.task])}",
            "" if old is None else str(old),
            "the number of a contact in the CRM · empty for none",
            lambda words: contact_words(typed_contact(words)),
        )
        detail = on.detail_as_now(detail)
        if answer is not None and detail is not None:
            contact_id = typed_contact(answer)
            operation = change.set_contact(detail, contact_id)
            await on.submit([operation], f"{contact_words(contact_id)}: {named([detail.task])}")


async def _ask(
    on: TaskContext, title: str, value: str, placeholder: str, reading: Callable[[str], str]
) -> str | None:
    """Ask for a value, which replaces the present one; `reading` shows how it is understood."""
    from tui.dialogs.ask import AskDialog

    dialog = AskDialog(title, value, placeholder=placeholder, reading=reading, replaces=True)
    return await on.ask(dialog)


def _typed_again(when: datetime | None) -> str:
    return f"{when:%Y-%m-%d %H:%M}" if when else ""


def _in_words(when: datetime, now: datetime) -> str:
    return f"{moment(when, now)} · {distance(when, now)[0]}"
