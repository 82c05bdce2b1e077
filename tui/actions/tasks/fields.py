"""Editing the fields of a task from their rows, and the actions on fields without a key.

A row runs the action of its field. A field that cannot be edited gives the reason and the key of
the closest action.
"""

from collections.abc import Callable

from tui.actions.action import Action
from tui.actions.colors import ask_color
from tui.actions.offered import OfferedActions
from tui.actions.tasks.context import TaskContext, named
from tui.actions.tasks.custom_fields import edit_custom_field
from tui.model.colors import color_words
from tui.model.detail import TaskField
from tui.model.fields.rows import FieldRow
from tui.model.fields.values import contact_words, typed_contact
from tui.store import operations as change

_ACTIONS = {
    TaskField.STAGE: "task.move-to",
    TaskField.STATUS: "task.close",
    TaskField.PRIORITY: "task.priority",
    TaskField.ASSIGNEES: "task.assign",
    TaskField.LABELS: "task.labels",
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
    TaskField.COMMENTS: "task.comment",
    TaskField.ATTACHMENTS: "task.comment",
    TaskField.COMPLETED: "task.close",
    TaskField.ARCHIVED: "task.archive",
    TaskField.PARENT: "task.to-subtask",
}
"""The ids of the actions to suggest for fields that cannot be edited."""


class SetTemplate(Action[TaskContext]):
    """Turns the first selected task into a template, or back into an ordinary task."""

    id, label = "task.template", "Turn template on or off"
    changes_board = True

    async def run(self, on: TaskContext) -> None:
        detail = on.need_detail()
        if detail is not None:
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
        title = f"Cover of {named([detail.task])}"
        answer = await ask_color(on.ask, title, detail.cover)
        detail = on.detail_as_now(detail)
        if answer is None or detail is None:
            return
        operation = change.set_cover(detail, answer)
        said = f"cover {color_words(answer)}" if answer else "no cover"
        if not operation.changes_nothing:
            await on.submit([operation], f"{said}: {named([detail.task])}")


class SetContact(Action[TaskContext]):
    """Asks for the number of the contact that the task is linked to."""

    id, label = "task.contact", "Set contact"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        from tui.dialogs.ask import AskDialog

        detail = on.need_detail()
        if detail is None:
            return
        old = detail.contact_id
        answer = await on.ask(
            AskDialog(
                f"Contact of {named([detail.task])}",
                "" if old is None else str(old),
                placeholder="the number of a contact in the CRM · empty for none",
                reading=lambda words: contact_words(typed_contact(words)),
                replaces=True,
            )
        )
        detail = on.detail_as_now(detail)
        if answer is None or detail is None:
            return
        contact_id = typed_contact(answer)
        operation = change.set_contact(detail, contact_id)
        said = f"{contact_words(contact_id)}: {named([detail.task])}"
        if not operation.changes_nothing:
            await on.submit([operation], said)


async def edit_field(
    on: TaskContext, row: FieldRow, offered: OfferedActions, key_hint: Callable[[str], str]
) -> None:
    """Edit the field of a row, or say why that is not possible, with the key of the closest action.

    `key_hint` returns the key and label of an action, by its id.
    """
    action = _ACTIONS.get(row.of)
    if row.fixed or (action is None and row.field is None):
        hint = key_hint(_NEAREST.get(row.of, ""))
        on.say(row.fixed or f"{row.label} cannot be changed", hint=hint)
    elif action is None:
        await edit_custom_field(on, row)
    elif not await offered.perform(action):
        on.say(f"{row.label} cannot be changed here")
