"""Actions on the due date, start date and reminder of tasks."""

from datetime import datetime

from tui.actions.action import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.detail import Reminder
from tui.model.fields.times import distance, moment
from tui.model.fields.values import START_OF_WORK, typed_date, typed_reminder
from tui.store import operations as change
from tui.text.dates import parse_when, spoken

_KIND = "once"
"""The kind of a new reminder; an existing reminder keeps its kind."""


class SetDue(Action[TaskContext]):
    """Asks for a due date, typed in words, and sets it on the selected tasks."""

    id, keys, label = "task.due", "d", "Set due date"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.ask import AskDialog

        def read(words: str) -> str:
            if not words.strip():
                return "no due date"
            return spoken(parse_when(words, on.now()), on.now())

        tasks = on.need_tasks()
        if not tasks:
            return
        due = tasks[0].due_at
        answer = await on.ask(
            AskDialog(
                f"When is {named(tasks)} due?",
                f"{due:%Y-%m-%d %H:%M}" if due else "",
                placeholder="fri · tomorrow 17:00 · +3d · 2026-12-01 · empty for never",
                reading=read,
                replaces=True,
            )
        )
        if answer is None:
            return
        when = parse_when(answer, on.now()) if answer.strip() else None
        changed = [change.set_due(task, when) for task in tasks if task.due_at != when]
        said = f"due {spoken(when, on.now())}" if when else "no due date"
        if changed:
            await on.change(changed, f"{said}: {named(tasks)}")


class SetStart(Action[TaskContext]):
    """Asks for a start date, typed in words, and sets it on the selected tasks."""

    id, keys, label = "task.start", "s", "Set start date"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.ask import AskDialog

        tasks = on.need_tasks()
        if not tasks:
            return
        start, due = tasks[0].started_at, tasks[0].due_at
        answer = await on.ask(
            AskDialog(
                f"When does {named(tasks)} start?",
                f"{start:%Y-%m-%d %H:%M}" if start else "",
                placeholder="mon · tomorrow 14:00 · 2026-12-01 · empty for none",
                reading=lambda words: _start_in_words(words, due, on.now()),
                replaces=True,
            )
        )
        if answer is None:
            return
        now, tasks = on.now(), on.as_now(tasks)
        when = typed_date(answer, now, START_OF_WORK) if answer.strip() else None
        changed = [change.set_start(task, when) for task in tasks if task.started_at != when]
        said = f"starts {moment(when, now)}" if when else "no start date"
        if changed:
            await on.change(changed, f"{said}: {named(tasks)}")


class SetReminder(Action[TaskContext]):
    """Asks for the time of the reminder of the first selected task."""

    id, label = "task.reminder", "Set reminder"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.ask import AskDialog

        detail = on.need_detail()
        if detail is None:
            return
        old, due = detail.reminder, detail.task.due_at
        answer = await on.ask(
            AskDialog(
                f"When to be reminded of {named([detail.task])}?",
                f"{old.at:%Y-%m-%d %H:%M}" if old and old.at else "",
                placeholder="1 day before · 2h before · due · fri 9:00 · empty for none",
                reading=lambda words: _reminder_in_words(words, due, on.now()),
                replaces=True,
            )
        )
        now, detail = on.now(), on.detail_as_now(detail)
        if answer is None or detail is None:
            return
        when = typed_reminder(answer, now, due)
        kind = old.kind if old and old.kind not in ("", "none") else _KIND
        operation = change.SetReminder.on(detail, Reminder(kind, when) if when else None)
        said = f"reminder {moment(when, now)}" if when else "no reminder"
        if not operation.changes_nothing:
            await on.submit([operation], f"{said}: {named([detail.task])}")


def _start_in_words(words: str, due: datetime | None, now: datetime) -> str:
    """The start date that was typed, for display, with a warning if it is after the due date."""
    if not words.strip():
        return "no start date"
    when = typed_date(words, now, START_OF_WORK)
    late = " · that is after it is due" if due and when > due else ""
    return f"{moment(when, now)} · {distance(when, now)[0]}{late}"


def _reminder_in_words(words: str, due: datetime | None, now: datetime) -> str:
    """The reminder that was typed, for display."""
    when = typed_reminder(words, now, due)
    return f"{moment(when, now)} · {distance(when, now)[0]}" if when else "no reminder"
