"""Editing the fields of a task from their rows.

A row runs the action of its field; the value of a custom field is asked for with the dialog that
suits its type. A field that cannot be edited gives the reason and the key of the closest action.
"""

from collections.abc import Callable

from tui.actions.offered import OfferedActions
from tui.actions.tasks.cards import Cards, named
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import TaskDetail, TaskField
from tui.model.fields.rows import FieldRow
from tui.model.fields.values import is_checked, read_value, typed_again, value_in_words
from tui.store import operations as change
from tui.text.clean import quoted
from tui.widgets.bars import key_name

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

LONGEST_TEXT = 100_000
"""The most bytes that a value of several lines may have."""

_PLACEHOLDERS = {
    FieldType.NUMBER: "a number such as 12 or 2.50 · empty for none",
    FieldType.URL: "https://example.org/ · empty for none",
    FieldType.DATE: "fri · tomorrow 14:00 · 2026-12-01 · empty for none",
}


async def edit_field(
    cards: Cards, row: FieldRow, offered: OfferedActions, key_hint: Callable[[str], str]
) -> None:
    """Edit the field of a row, or say why that is not possible, with the key of the closest action.

    `key_hint` returns the key and label of an action, by its id.
    """
    action = _ACTIONS.get(row.of)
    if row.fixed or (action is None and row.field is None):
        hint = key_hint(_NEAREST.get(row.of, ""))
        cards.say(row.fixed or f"{row.label} cannot be changed", hint=hint)
    elif action is None:
        await _edit_custom_field(cards, row)
    elif not await offered.perform(action):
        cards.say(f"{row.label} cannot be changed here")


async def _edit_custom_field(cards: Cards, row: FieldRow) -> None:
    field, detail = row.field, cards.need_detail()
    if field is None or detail is None:
        return
    if field.is_checkbox:
        await _set_value(cards, detail, field, not is_checked(detail.value(field.id)))
    else:
        cards.host.dialogs.run(_ask(cards, detail, field))


async def _ask(cards: Cards, detail: TaskDetail, field: CustomField) -> None:
    from tui.dialogs.editor.text import TextEditor
    from tui.dialogs.questions import AskDialog, Choice, ChooseDialog, lettered

    stored = detail.value(field.id)
    value = "" if stored is None else str(stored)
    title = f"{field.title or 'Field'} of {named([detail.task])}"
    drafts, draft = cards.context.drafts, f"field-{detail.task.id}-{field.id}"
    if field.type is FieldType.SELECT:
        options = lettered((each, each) for each in dict.fromkeys(field.options) if each)
        answer = await cards.ask(ChooseDialog(title, [*options, Choice("0", "none", "")], value))
    elif field.type is FieldType.TEXTAREA or "\n" in value:
        again = key_name("enter")
        editor = TextEditor(
            title, value, drafts=drafts, draft=draft, longest=LONGEST_TEXT, again=again
        )
        written = await cards.ask(editor)
        answer = None if written is None else written.strip()
    else:
        present = typed_again(field, value)
        typed = await cards.ask(
            AskDialog(
                title,
                present,
                placeholder=_PLACEHOLDERS.get(field.type, "empty for none"),
                reading=lambda words: value_in_words(field, words, cards.now()),
                replaces=field.type is FieldType.DATE,
            )
        )
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
