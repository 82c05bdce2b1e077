"""Typing titles where the card is: of a new card, and of one that is there.

The rule it keeps: a title is typed at its own place on the board; Esc keeps what was typed for the
next time, so that nothing a person typed is lost.
"""

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from tui.model.board import Place
from tui.model.cursor import find
from tui.model.task import Task
from tui.screens.context import Context
from tui.screens.task_actions import TaskActions
from tui.store import operations as change
from tui.store.operations.base import Operation
from tui.widgets.deck import Deck
from tui.widgets.line_input import LineInput

NEW, TITLE = "new", "title"


class TypingInPlace(TaskActions):
    """A board screen on which titles are typed in place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_task", "new", id="task.new", tooltip="New card below, typed in place"),
    ]

    deck: Deck

    def __init__(self, context: Context, board_id: int) -> None:
        super().__init__(context, board_id)
        self._draft = ""
        self._edited: Task | None = None

    def action_new_task(self) -> None:
        """Type a new card below the cursor."""
        gap = self.deck.open_gap()
        if gap is None:
            hint = "they come once the service has made it" if self.board_id < 0 else ""
            self.say("this board has no stages yet", hint=hint)
            return
        typed = LineInput(NEW, self._draft, placeholder="title · ↵ makes the card · esc")
        self._type_at(self.deck.over, gap.row, typed)

    def edit_title(self, task: Task) -> None:
        """Type a new title over the old one."""
        found = find(self.deck.shown, task.id)
        if found is None:
            self.say("that card is hidden by the filter", hint="esc shows it")
            return
        self._edited = task
        self._type_at(found.stage, found.row, LineInput(TITLE, task.title))

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        """Make the card, or give it its new title."""
        if event.input.purpose == NEW:
            self._leave(event.input)
            await self._create(event.text)
        elif event.input.purpose == TITLE and self._edited is not None:
            self._leave(event.input)
            await self.retitle(self._edited, event.text)

    @on(LineInput.GivenUp)
    def keep_draft(self, event: LineInput.GivenUp) -> None:
        """Keep what was typed of a new card; leave the title of an old one."""
        if event.input.purpose in (NEW, TITLE):
            self._leave(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self._draft = event.text
            self.say("kept what you typed", hint="n goes on with it")

    def follow_new(self, task_id: int) -> None:
        """Put the cursor on a task once it is drawn; for subclasses."""
        raise NotImplementedError

    async def _create(self, typed: str) -> None:
        """Make a card with this title below the cursor."""
        title = " ".join(typed.split())
        stage_id = self.deck.stage_id
        if not title or stage_id is None:
            self.say("a card needs a title: none was made")
            return
        self._draft = title
        made = change.CreateTask.new(self.board_id, stage_id, title)
        operations: list[Operation] = [made]
        lane = [task.id for task in self.deck.whole.in_stage(stage_id)]
        above = self.deck.current.id if self.deck.current else None
        index = lane.index(above) + 1 if above in lane else 0
        if index < len(lane):
            task = Task(made.task_id, self.board_id, stage_id, title)
            operations.append(change.MoveTask.on(task, stage_id, Place(above, lane[index])))
        self.follow_new(made.task_id)
        if await self.submit(operations):
            self._draft = ""

    def _type_at(self, stage: int, row: int, typed: LineInput) -> None:
        """Lay an input over the title line of a row."""
        column = self.deck.columns[stage]
        column.bring_into_view(row)
        region = column.region_of(row)
        typed.add_class("in-place")
        typed.styles.offset = region.offset
        typed.styles.width = region.width
        column.mount(typed)
        typed.focus()

    def _leave(self, typed: LineInput) -> None:
        """Take the input off the board."""
        typed.remove()
        self.deck.close_gap()
        self.deck.focus()
