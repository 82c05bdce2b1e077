"""Editing the dates, the cover, the contact and other fields of a task.

A field is changed from its row by the same action that its key runs, where it has one; a field that
cannot be changed says why, and which key does what comes nearest.
"""

from datetime import datetime
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from tui.model.colors import color_words
from tui.model.detail import Reminder, TaskField
from tui.model.fields.rows import FieldRow
from tui.model.fields.times import distance, moment
from tui.model.fields.values import (
    START_OF_WORK,
    contact_words,
    typed_contact,
    typed_date,
    typed_reminder,
)
from tui.screens.actions.custom_field_actions import CustomFieldActions
from tui.screens.actions.task_actions import named
from tui.store import operations as change
from tui.widgets.bars import key_name

_ACTIONS = {
    TaskField.STAGE: "move_to",
    TaskField.STATUS: "close",
    TaskField.PRIORITY: "priority",
    TaskField.ASSIGNEES: "assign",
    TaskField.LABELS: "labels",
    TaskField.DUE: "due",
    TaskField.START: "start",
    TaskField.WATCHING: "watch",
    TaskField.REMINDER: "reminder",
    TaskField.TEMPLATE: "template",
    TaskField.COVER: "cover",
    TaskField.CONTACT: "contact",
}
"""The actions that change fields, by their names."""

_NEAREST = {
    TaskField.WATCHERS: "watch",
    TaskField.COMMENTS: "comment",
    TaskField.ATTACHMENTS: "comment",
    TaskField.COMPLETED: "close",
    TaskField.ARCHIVED: "archive",
    TaskField.PARENT: "to_subtask",
}
"""The actions that come nearest to changing what cannot be changed."""

KIND = "once"
"""The kind of a reminder that is set here; one that has a kind keeps it."""


class FieldActions(CustomFieldActions):
    """A screen on which the dates, traits and custom fields of tasks can be changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "s", "start", "start", id="task.start", show=False, tooltip="Set the start date"
        ),
    ]  # fmt: skip

    async def edit_field(self, row: FieldRow) -> None:
        """Change what a row stands for, or say why that cannot be."""
        action = _ACTIONS.get(row.of)
        if row.fixed or (action is None and row.field is None):
            self.say(row.fixed or f"{row.label} stays as it is", hint=self._nearest(row))
        elif action is None:
            await self.edit_custom_field(row)
        elif not await self.app.run_action(action, self):
            self.say(f"{row.label} cannot be changed here")

    @work(exclusive=True, group="dialog")
    async def action_start(self) -> None:
        """Ask for a start date in words and give it to the chosen tasks."""
        from tui.dialogs.ask import AskDialog

        tasks = self.need_tasks()
        if not tasks:
            return
        start, due = tasks[0].started_at, tasks[0].due_at
        answer = await self.app.push_screen_wait(
            AskDialog(
                f"When does {named(tasks)} start?",
                f"{start:%Y-%m-%d %H:%M}" if start else "",
                placeholder="mon · tomorrow 14:00 · 2026-12-01 · empty for none",
                reading=lambda words: self._read_start(words, due),
                replaces=True,
            )
        )
        if answer is None:
            return
        now, tasks = self.context.now(), self.as_now(tasks)
        when = typed_date(answer, now, START_OF_WORK) if answer.strip() else None
        changed = [change.set_start(task, when) for task in tasks if task.started_at != when]
        said = f"starts {moment(when, now)}" if when else "no start date"
        if changed and await self.submit(changed, f"{said}: {named(tasks)}"):
            self.tasks_changed()

    @work(exclusive=True, group="dialog")
    async def action_reminder(self) -> None:
        """Ask when to remind of the task."""
        from tui.dialogs.ask import AskDialog

        detail = self.chosen_detail()
        if detail is None:
            return
        old, due = detail.reminder, detail.task.due_at
        answer = await self.app.push_screen_wait(
            AskDialog(
                f"When to be reminded of {named([detail.task])}?",
                f"{old.at:%Y-%m-%d %H:%M}" if old and old.at else "",
                placeholder="1 day before · 2h before · due · fri 9:00 · empty for none",
                reading=lambda words: self._read_reminder(words, due),
                replaces=True,
            )
        )
        now, detail = self.context.now(), self.detail_as_now(detail)
        if answer is None or detail is None:
            return
        when = typed_reminder(answer, now, due)
        kind = old.kind if old and old.kind not in ("", "none") else KIND
        operation = change.SetReminder.on(detail, Reminder(kind, when) if when else None)
        said = f"reminder {moment(when, now)}" if when else "no reminder"
        if not operation.changes_nothing:
            await self.submit([operation], f"{said}: {named([detail.task])}")

    async def action_template(self) -> None:
        """Make the task a template, or an ordinary task again."""
        detail = self.chosen_detail()
        if detail is not None:
            on = not detail.is_template
            said = "is a template" if on else "is an ordinary task"
            operation = change.set_template(detail, is_template=on)
            await self.submit([operation], f"{named([detail.task])} {said} now")

    @work(exclusive=True, group="dialog")
    async def action_cover(self) -> None:
        """Ask for the colour of the task's card."""
        from tui.dialogs.choose import OTHER, CoverDialog

        detail = self.chosen_detail()
        if detail is None:
            return
        title = f"Cover of {named([detail.task])}"
        answer = await self.app.push_screen_wait(CoverDialog(title, detail.cover))
        if answer == OTHER:
            answer = await self._ask_color(title, detail.cover)
        detail = self.detail_as_now(detail)
        if answer is None or detail is None:
            return
        operation = change.set_cover(detail, answer)
        said = f"cover {color_words(answer)}" if answer else "no cover"
        if not operation.changes_nothing:
            await self.submit([operation], f"{said}: {named([detail.task])}")

    @work(exclusive=True, group="dialog")
    async def action_contact(self) -> None:
        """Ask for the number of the contact that the task is linked to."""
        from tui.dialogs.ask import AskDialog

        detail = self.chosen_detail()
        if detail is None:
            return
        old = detail.contact_id
        answer = await self.app.push_screen_wait(
            AskDialog(
                f"Which contact is {named([detail.task])} about?",
                "" if old is None else str(old),
                placeholder="the number of a contact in the CRM · empty for none",
                reading=lambda words: contact_words(typed_contact(words)),
                replaces=True,
            )
        )
        detail = self.detail_as_now(detail)
        if answer is None or detail is None:
            return
        contact_id = typed_contact(answer)
        operation = change.set_contact(detail, contact_id)
        said = f"{contact_words(contact_id)}: {named([detail.task])}"
        if not operation.changes_nothing:
            await self.submit([operation], said)

    async def _ask_color(self, title: str, cover: str) -> str | None:
        """Ask for a colour by its number."""
        from tui.dialogs.ask import AskDialog
        from tui.dialogs.choose import read_color

        answer = await self.app.push_screen_wait(
            AskDialog(
                title,
                cover,
                placeholder="dark green · #4bce97",
                reading=lambda words: color_words(read_color(words)),
                replaces=True,
            )
        )
        return None if answer is None else read_color(answer)

    def _read_start(self, words: str, due: datetime | None) -> str:
        """What words mean as a start date."""
        if not words.strip():
            return "no start date"
        now = self.context.now()
        when = typed_date(words, now, START_OF_WORK)
        late = " · that is after it is due" if due and when > due else ""
        return f"{moment(when, now)} · {distance(when, now)[0]}{late}"

    def _read_reminder(self, words: str, due: datetime | None) -> str:
        """What words mean as a reminder."""
        now = self.context.now()
        when = typed_reminder(words, now, due)
        return f"{moment(when, now)} · {distance(when, now)[0]}" if when else "no reminder"

    def _nearest(self, row: FieldRow) -> str:
        """The key that comes nearest to changing a row that cannot be changed, and what it does."""
        action = _NEAREST.get(row.of)
        for key, each in self.active_bindings.items():
            if action and each.binding.action.partition("(")[0] == action:
                return f"{key_name(key)}: {each.binding.tooltip or each.binding.description}"
        return ""
