"""Editing the custom fields of a task, with the dialog that suits the type of each.

Input is validated before it is sent, and an unchanged value is not sent. A value of several lines
is edited in the text editor, which keeps a draft.
"""

from tui.actions.tasks.context import TaskContext, named
from tui.model.custom_field import CustomField, FieldType
from tui.model.detail import TaskDetail
from tui.model.fields.rows import FieldRow
from tui.model.fields.values import is_checked, read_value, typed_again, value_in_words
from tui.store import operations as change
from tui.text.clean import quoted
from tui.widgets.bars import key_name

LONGEST_TEXT = 100_000
"""The most bytes that a value of several lines may have."""

_PLACEHOLDERS = {
    FieldType.NUMBER: "a number such as 12 or 2.50 · empty for none",
    FieldType.URL: "https://example.org/ · empty for none",
    FieldType.DATE: "fri · tomorrow 14:00 · 2026-12-01 · empty for none",
}


async def edit_custom_field(on: TaskContext, row: FieldRow) -> None:
    """Toggle a checkbox, or ask for a new value of another custom field."""
    field, detail = row.field, on.need_detail()
    if field is None or detail is None:
        return
    if field.is_checkbox:
        await _set_value(on, detail, field, not is_checked(detail.value(field.id)))
    else:
        on.host.dialogs.run(_ask(on, detail, field))


async def _ask(on: TaskContext, detail: TaskDetail, field: CustomField) -> None:
    """Ask for a value with the dialog for the field's type, and set it."""
    known = detail.value(field.id)
    value = "" if known is None else str(known)
    if field.type is FieldType.SELECT:
        answer = await _choose(on, detail, field, value)
    elif field.type is FieldType.TEXTAREA or "\n" in value:
        answer = await _write(on, detail, field, value)
    else:
        answer = await _type(on, detail, field, value)
    now = None if answer is None else on.detail_as_now(detail)
    if now is not None and answer is not None and await _set_value(on, now, field, answer):
        on.context.drafts.forget(_draft_key(detail, field))


async def _set_value(
    on: TaskContext, detail: TaskDetail, field: CustomField, value: str | bool
) -> bool:
    """Set a field of the task; False if the store rejects it."""
    operation = change.set_custom_field(detail, field, value)
    if operation.changes_nothing:
        on.say(f"{quoted(field.title)}: nothing was changed")
        return True
    return await on.submit([operation], operation.describe())


async def _choose(
    on: TaskContext, detail: TaskDetail, field: CustomField, value: str
) -> str | None:
    """Ask for one of the options of a select field, or none."""
    from tui.dialogs.choose import select_dialog

    return await on.ask(select_dialog(_title(detail, field), field, value))


async def _write(on: TaskContext, detail: TaskDetail, field: CustomField, value: str) -> str | None:
    """Open the text editor for a value of several lines."""
    from tui.dialogs.editor.text import TextEditor

    written = await on.ask(
        TextEditor(
            _title(detail, field),
            value,
            drafts=on.context.drafts,
            draft=_draft_key(detail, field),
            longest=LONGEST_TEXT,
            again=key_name("enter"),
        )
    )
    return None if written is None else written.strip()


async def _type(on: TaskContext, detail: TaskDetail, field: CustomField, value: str) -> str | None:
    """Ask for a value of one line, showing how it is interpreted."""
    from tui.dialogs.ask import AskDialog

    shown = typed_again(field, value)
    answer = await on.ask(
        AskDialog(
            _title(detail, field),
            shown,
            placeholder=_PLACEHOLDERS.get(field.type, "empty for none"),
            reading=lambda words: value_in_words(field, words, on.now()),
            replaces=field.type is FieldType.DATE,
        )
    )
    if answer == shown:
        return value
    return None if answer is None else read_value(field, answer, on.now())


def _title(detail: TaskDetail, field: CustomField) -> str:
    """The title of a dialog."""
    return f"{field.title or 'Field'} of {named([detail.task])}"


def _draft_key(detail: TaskDetail, field: CustomField) -> str:
    """The key of the draft of a value."""
    return f"field-{detail.task.id}-{field.id}"
