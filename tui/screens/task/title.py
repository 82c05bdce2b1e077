"""The title of the task, and typing another one in its place.

The rule it keeps: Enter takes what was typed, Esc leaves the title as it was.
"""

from textual import on
from textual.widgets import Static

from tui.model.task import Task
from tui.screens.context import Context
from tui.screens.task.shown import ShownTask
from tui.widgets.line_input import LineInput

TITLE = "title"


class TitlePart(ShownTask):
    """A screen with the title of its task in `title_line`."""

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self.title_line = Static(id="task-title")

    def end_typing(self) -> None:
        """The title is in its place again; for subclasses, which know what had the focus."""
        raise NotImplementedError

    def edit_title(self, task: Task) -> None:
        """Type a new title in the place of the old one."""
        typed = LineInput(TITLE, task.title, draft=self.title_draft(task))
        self.title_line.display = False
        self.mount(typed, before=self.title_line)
        typed.focus()
        self.say_draft(typed)

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        """Give the task its new title."""
        if event.input.purpose != TITLE:
            return
        self._end_typing(event.input)
        task = self.task_shown
        if task is not None and await self.retitle(task, event.text):
            event.input.forget_draft()

    @on(LineInput.GivenUp)
    def leave_title(self, event: LineInput.GivenUp) -> None:
        """Leave the title as it was."""
        if event.input.purpose == TITLE:
            self._end_typing(event.input)
            event.input.forget_draft()

    def _end_typing(self, typed: LineInput) -> None:
        """Put the title back in the place of the input."""
        typed.remove()
        self.title_line.display = True
        self.end_typing()
