"""The description of a task, edited as Markdown.

An edit starts from the stored text, so that what somebody else changed meanwhile is merged with it
and never overwritten; what was not touched stays as it is stored, byte for byte.
"""

from dataclasses import replace
from typing import ClassVar, NamedTuple

from textual import work
from textual.binding import Binding, BindingType

from tui.errors import CallboardError
from tui.model.task import Task
from tui.runtime.key_queue import keys_held
from tui.runtime.slices import turned
from tui.screens.actions.task_actions import TaskActions, named
from tui.store import operations as change
from tui.store.events import BoardChanged, StoreEvent


class Editing(NamedTuple):
    """A description that is edited: the task, the stored text and its Markdown, and the drafts.

    `is_on_board` tells the tasks of a board from subtasks.
    """

    task: Task
    source: str
    before: str
    is_on_board: bool

    @property
    def draft(self) -> str:
        """The key of what is written."""
        return f"description-{self.task.id}"

    @property
    def ground(self) -> str:
        """The key of the stored text that the draft was begun on."""
        return f"ground-{self.task.id}"


class TextActions(TaskActions):
    """A screen on which the description of a task can be edited."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "E", "edit_description", "description", id="task.edit-description", show=False,
            tooltip="Edit the description",
        ),
    ]  # fmt: skip

    _description: Editing | None = None

    @work(exclusive=True, group="dialog")
    async def action_edit_description(self) -> None:
        """Edit the description of the first chosen task."""
        tasks = self.need_tasks()
        with keys_held(self.app):
            editing = await self._begin_description(tasks[0]) if tasks else None
        if editing is not None:
            self._description = editing
            written = await self._write_description(editing)
            # It may have got another number meanwhile.
            editing, self._description = self._description, None
            if written is not None:
                await self._set_description(editing, written)
            elif self.context.drafts.get(editing.draft) is None:
                self.context.drafts.forget(editing.ground)

    async def _begin_description(self, task: Task) -> Editing | None:
        """Read the stored text; where a draft was left, the one that it was begun on."""
        from tui.text.markdown import to_markdown

        try:
            source = await self.store.description_source(task.id)
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return None
        is_on_board = self.view is not None and self.view.task(task.id) is not None
        editing = Editing(task, source, "", is_on_board)
        ground = self.context.drafts.get(editing.ground)
        if ground is not None and self.context.drafts.get(editing.draft) is not None:
            source = ground
        return editing._replace(source=source, before=await turned(to_markdown, source))

    async def _write_description(self, editing: Editing) -> str | None:
        """Let the person write."""
        from tui.dialogs.editor.text import TextEditor
        from tui.text.markdown import to_html

        try:
            self.context.drafts.keep(editing.ground, editing.source)
        except OSError:
            self.log("the ground of a draft is in memory only; the editor says so of the draft")
        editor = TextEditor(
            f"Description of {named([editing.task])}",
            editing.before,
            drafts=self.context.drafts,
            draft=editing.draft,
            people=self.view.people if self.view else (),
            as_html=to_html,
            again="E",
        )
        return await self.app.push_screen_wait(editor)

    async def _set_description(self, editing: Editing, written: str) -> None:
        """Give the task the description that was written."""
        from tui.text.markdown import edited_html

        task, source = editing.task, editing.source
        html = await turned(edited_html, source, editing.before, written)
        if html == source:
            self.say("nothing was changed")
        elif editing.is_on_board and self.view and self.view.task(task.id) is None:
            self.say(f"{named([task])} is gone", hint="what was written is kept", error=True)
            return
        else:
            operation = change.set_description(replace(task, description=source), html)
            if not await self.submit([operation], f"description of {named([task])} changed"):
                return
            self.tasks_changed()
        self.context.drafts.forget(editing.draft)
        self.context.drafts.forget(editing.ground)

    def hear(self, event: StoreEvent) -> None:
        """A task that was made here is called by its new id once the service gave one."""
        if isinstance(event, BoardChanged) and self._description is not None:
            task = self._description.task
            task = replace(
                task,
                id=event.renamed.get(task.id, task.id),
                board_id=event.renamed.get(task.board_id, task.board_id),
            )
            self._description = self._description._replace(task=task)
        super().hear(event)
