"""Titles typed in the list of subtasks: of new subtasks, new groups, and to rename either.

After a new subtask the next one can be typed at once. The titles of subtasks are saved as drafts,
which survive Esc and a restart.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from textual import on
from textual.message import Message

from tui.config.drafts import DraftOfOne, Drafts
from tui.model.moving.lift import RowKind
from tui.model.moving.subtasks import Spot, SubtaskRow
from tui.screens.task.subtask_view import SubtaskView, wall_clock
from tui.widgets.line_input import LineInput

NEW, GROUP, RENAME = "new subtask", "new group", "rename subtask"
NOTHING = "there is no subtask here"
_INDENT, _HEADING_INDENT = 6, 2


class TypesSubtasks(SubtaskView):
    """A list of subtasks with inputs for titles, in place."""

    @dataclass(eq=False, repr=False)
    class NewTyped(Message):
        """The user typed the title of a new subtask or group."""

        spot: Spot
        title: str

    @dataclass(eq=False, repr=False)
    class RenameTyped(Message):
        """The user typed another title for the subtask or group of a row."""

        row: SubtaskRow
        title: str

    @dataclass(eq=False, repr=False)
    class LinesPasted(Message):
        """The user pasted several lines into the input for a new subtask."""

        text: str

    @dataclass(eq=False, repr=False)
    class NothingThere(Message):
        """A key had no effect; `why` is the message for the user."""

        why: str

    _renamed: SubtaskRow | None = None

    def __init__(
        self, now: Callable[[], datetime] = wall_clock, drafts: Drafts | None = None
    ) -> None:
        super().__init__(now)
        self._drafts = drafts or Drafts()

    @property
    def spot(self) -> Spot:
        """Where a new subtask goes: below the cursor; with the cursor on a heading, first in it."""
        if self.group is None:
            return Spot()
        return Spot(self.group.id, None if self.current is None else self.current.id)

    def say_nothing(self, why: str) -> None:
        """Post why a key had no effect."""
        self.post_message(self.NothingThere(why))

    def action_new(self) -> None:
        """Open the input for a new subtask below the cursor."""
        if self._can_type():
            self.type_new(self.spot)

    def action_new_group(self) -> None:
        """Open the input for a new group."""
        if self._can_type():
            self.type_new(Spot(is_group=True))

    def action_rename(self) -> None:
        """Open an input over the title at the cursor."""
        row = self.row
        if row is None or row.group is None:
            self.say_nothing(f"{NOTHING} to rename")
            return
        self._renamed = row
        title, draft = row.group.title, None
        if row.subtask is not None:
            title = row.subtask.title
            draft = DraftOfOne(self._drafts, f"title-{row.subtask.id}", title)
        self._type_at(self.cursor, LineInput(RENAME, title, draft=draft), is_heading=row.is_heading)

    def type_new(self, spot: Spot) -> None:
        """Open the input for a new subtask or group at a spot."""
        self.gap = spot
        self.show_rows()
        y = next(index for index, row in enumerate(self.rows) if row.kind is RowKind.GAP)
        if spot.is_group:
            typed = LineInput(GROUP, placeholder="title of the group · ↵ makes it · esc")
        else:
            placeholder = "title · ↵ adds it · esc ends"
            typed = LineInput(NEW, placeholder=placeholder, draft=self.new_draft, takes_lines=True)
        self._type_at(y, typed, is_heading=spot.is_group)

    @property
    def new_draft(self) -> DraftOfOne:
        """The draft of a new subtask's title."""
        task_id = 0 if self.detail is None else self.detail.task.id
        return DraftOfOne(self._drafts, f"new-subtask-{task_id}", "")

    def go_on_below(self, group_id: int, subtask_id: int) -> None:
        """Move the cursor to a new subtask, and the input below it if that is still open."""
        if self.gap is not None and self._input is not None:
            self.gap = Spot(group_id, subtask_id)
        self.go_to_subtask(subtask_id)

    def give_back(self, title: str) -> None:
        """Put a title that could not be submitted back into the input; its draft still exists."""
        typed = self._input
        if typed is not None and typed.purpose == NEW:
            typed.value = f"{title} {typed.value}".strip()
            typed.action_end()

    def show_rows(self) -> None:
        """Redraw the rows, and move the input to its row."""
        super().show_rows()
        typed = self._input
        if typed is not None and self.gap is not None:
            y = next(index for index, row in enumerate(self.rows) if row.kind is RowKind.GAP)
            typed.styles.offset = (_HEADING_INDENT if self.gap.is_group else _INDENT, y)

    def on_resize(self) -> None:
        """Fit the input to the new width."""
        if (typed := self._input) is not None:
            typed.styles.width = self._room(is_heading=typed.purpose == GROUP)

    @on(LineInput.Done)
    def _post_title(self, event: LineInput.Done) -> None:
        """Post the title; after a new subtask keep the input open for the next one."""
        event.stop()
        title = " ".join(event.text.split())
        spot, row = self.gap, self._renamed
        if event.input.purpose == NEW and title:
            event.input.value = ""
        else:
            self._close_input(event.input)
        if event.input.purpose == RENAME and row is not None:
            self.post_message(self.RenameTyped(row, title))
        elif spot is not None and title:
            self.post_message(self.NewTyped(spot, title))

    @on(LineInput.GivenUp)
    def _cancel_typing(self, event: LineInput.GivenUp) -> None:
        """Close the input; keep the draft of a new subtask, discard the one of a rename."""
        event.stop()
        self._close_input(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self.say_nothing("kept what you typed: n goes on with it")
        else:
            event.input.forget_draft()

    @on(LineInput.LinesPasted)
    def _post_lines(self, event: LineInput.LinesPasted) -> None:
        """Close the input and post the pasted lines."""
        event.stop()
        self._close_input(event.input)
        event.input.forget_draft()
        self.post_message(self.LinesPasted(event.text))

    @on(LineInput.Typed)
    def _stop_typed(self, event: LineInput.Typed) -> None:
        """Stop the message: only the finished title matters."""
        event.stop()

    @property
    def _input(self) -> LineInput | None:
        """The open input, if any."""
        return next((each for each in self.children if isinstance(each, LineInput)), None)

    def _can_type(self) -> bool:
        """Whether subtasks can be added; if not, post why."""
        is_known = self.detail is not None and self.detail.groups is not None
        if not is_known:
            self.say_nothing(self.words)
        return is_known

    def _room(self, *, is_heading: bool) -> int:
        """The width available for an input."""
        return max(1, self.size.width - (_HEADING_INDENT if is_heading else _INDENT) - 1)

    def _type_at(self, y: int, typed: LineInput, *, is_heading: bool) -> None:
        """Mount an input over the title of a row and focus it."""
        typed.add_class("in-place")
        typed.styles.offset = (_HEADING_INDENT if is_heading else _INDENT, y)
        typed.styles.width = self._room(is_heading=is_heading)
        self.mount(typed)
        typed.focus()

    def _close_input(self, typed: LineInput) -> None:
        """Close the input."""
        self.gap = None
        self.screen.set_focus(self, scroll_visible=False)
        typed.remove()
        self.show_rows()
