"""Editing the description of a task as Markdown.

An edit is based on the stored HTML: concurrent changes by others are merged and never overwritten,
and parts that were not edited stay as they are stored, byte for byte.
"""

from dataclasses import replace
from typing import NamedTuple

from tui.actions.host import ErrorsSaid
from tui.actions.old import Action
from tui.actions.tasks.context import TaskContext, named
from tui.model.task import Task
from tui.runtime.key_queue import keys_held
from tui.runtime.slices import turned
from tui.store import operations as change
from tui.text.keyed import keyed


class EditDescription(Action[TaskContext]):
    """Opens the description of the first selected task in the editor."""

    id, keys, label = "task.edit-description", "E", "Edit description"
    changes_board = asks = True

    async def run(self, on: TaskContext) -> None:
        tasks = on.need_tasks()
        with keys_held(on.host.app):
            editing = await _begin(on, tasks[0]) if tasks else None
        if editing is None:
            return
        written = await _write(on, editing)
        # The service may have assigned an id to the task, and its drafts, meanwhile.
        task = editing.task
        task = replace(task, id=on.called(task.id), board_id=on.called(task.board_id))
        editing = editing._replace(task=task)
        if written is not None:
            await _set(on, editing, written)
        elif on.context.drafts.get(editing.draft) is None:
            on.context.drafts.forget(editing.base)


class _Editing(NamedTuple):
    """An edit of a description: `source` is the stored HTML it is based on, `before` its Markdown.

    `is_on_board` is False for subtasks.
    """

    task: Task
    source: str
    before: str
    is_on_board: bool

    @property
    def draft(self) -> str:
        """The key of the draft of the description."""
        return f"description-{self.task.id}"

    @property
    def base(self) -> str:
        """The key under which the base text of the draft is kept."""
        return f"ground-{self.task.id}"


async def _begin(on: TaskContext, task: Task) -> _Editing | None:
    """Read the stored text; if there is a draft, the text that the draft is based on."""
    from tui.text.markdown import to_markdown

    source = None
    with ErrorsSaid(on.host):
        source = await on.store.description_source(task.id)
    if source is None:
        return None
    is_on_board = on.view is not None and on.view.task(task.id) is not None
    editing = _Editing(task, source, "", is_on_board)
    base = on.context.drafts.get(editing.base)
    if base is not None and on.context.drafts.get(editing.draft) is not None:
        source = base
    return editing._replace(source=source, before=await turned(to_markdown, source))


async def _write(on: TaskContext, editing: _Editing) -> str | None:
    from tui.dialogs.editor.text import TextEditor
    from tui.text.markdown import to_html

    try:
        on.context.drafts.keep(editing.base, editing.source)
    except OSError:
        on.host.app.log("the base text of a draft is in memory only; the editor reports the draft")
    editor = TextEditor(
        f"Description of {named([editing.task])}",
        editing.before,
        drafts=on.context.drafts,
        draft=editing.draft,
        people=on.people,
        as_html=to_html,
        again=keyed("{task.edit-description:E}"),
    )
    return await on.ask(editor)


async def _set(on: TaskContext, editing: _Editing, written: str) -> None:
    from tui.text.markdown import edited_html

    task, source = editing.task, editing.source
    html = await turned(edited_html, source, editing.before, written)
    operation = change.set_description(replace(task, description=source), html)
    if operation.changes_nothing:
        on.say("nothing was changed")
    elif editing.is_on_board and on.view and on.view.task(task.id) is None:
        on.say(f"{named([task])} is gone", hint="what was written is kept", error=True)
        return
    elif not await on.change([operation], f"description of {named([task])} changed"):
        return
    on.context.drafts.forget(editing.draft)
    on.context.drafts.forget(editing.base)
