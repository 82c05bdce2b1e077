"""Titles typed in the list of subtasks: of a new one, of a new group, and of what is there.

After a new subtask the next one can be typed at once. What is typed is kept as a draft, so that it
outlives Esc and the program.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from textual import on
from textual.message import Message

from tui.config.drafts import DraftOfOne, Drafts
from tui.model.lift import RowKind
from tui.model.subtasks import Spot, SubtaskRow
from tui.screens.task.subtask_view import SubtaskView, wall_clock
from tui.widgets.line_input import LineInput

NEW, GROUP, RENAME = "new subtask", "new group", "rename subtask"
NOTHING = "there is no subtask here"
_INDENT, _HEADING_INDENT = 6, 2


class TypesSubtasks(SubtaskView):
    """Subtasks whose titles are typed in place."""

    @dataclass(eq=False, repr=False)
    class NewTyped(Message):
        """The user typed a title for a new subtask, or for a new group, at a spot."""

        spot: Spot
        title: str

    @dataclass(eq=False, repr=False)
    class RenameTyped(Message):
        """The user typed another title for what a row stands for."""

        row: SubtaskRow
        title: str

    @dataclass(eq=False, repr=False)
    class LinesPasted(Message):
        """The user pasted several lines where a new subtask is typed."""

        text: str

    @dataclass(eq=False, repr=False)
    class NothingThere(Message):
        """A key had nothing to act on; `why` says so in words."""

        why: str

    _renamed: SubtaskRow | None = None

    def __init__(
        self, now: Callable[[], datetime] = wall_clock, drafts: Drafts | None = None
    ) -> None:
        super().__init__(now)
        self._drafts = drafts or Drafts()

    @property
    def spot(self) -> Spot:
        """Where a new subtask comes: below the cursor, on a heading on top of its group."""
        if self.group is None:
            return Spot()
        return Spot(self.group.id, None if self.current is None else self.current.id)

    def say_nothing(self, why: str) -> None:
        """Say why a key did nothing."""
        self.post_message(self.NothingThere(why))

    def action_new(self) -> None:
        """Type a new subtask at the spot of the cursor."""
        if self._can_type():
            self.type_new(self.spot)

    def action_new_group(self) -> None:
        """Type the title of a new group."""
        if self._can_type():
            self.type_new(Spot(is_group=True))

    def action_rename(self) -> None:
        """Type another title over the one at the cursor."""
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
        """Have the title of a new subtask, or of a new group, typed at a spot."""
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
        """What is kept of the title of a new subtask."""
        task_id = 0 if self.detail is None else self.detail.task.id
        return DraftOfOne(self._drafts, f"new-subtask-{task_id}", "")

    def go_on_below(self, group_id: int, subtask_id: int) -> None:
        """Have the next subtask typed below one that was made, unless that was ended."""
        if self.gap is not None and self._input is not None:
            self.gap = Spot(group_id, subtask_id)
        self.go_to_subtask(subtask_id)

    def give_back(self, title: str) -> None:
        """What was typed could not be kept: offer it again; its draft is there still."""
        typed = self._input
        if typed is not None and typed.purpose == NEW:
            typed.value = f"{title} {typed.value}".strip()
            typed.action_end()

    def show_rows(self) -> None:
        """Draw what is held now, with the input at its row."""
        super().show_rows()
        typed = self._input
        if typed is not None and self.gap is not None:
            y = next(index for index, row in enumerate(self.rows) if row.kind is RowKind.GAP)
            typed.styles.offset = (_HEADING_INDENT if self.gap.is_group else _INDENT, y)

    def on_resize(self) -> None:
        """The input is as wide as there is room."""
        if (typed := self._input) is not None:
            typed.styles.width = self._room(is_heading=typed.purpose == GROUP)

    @on(LineInput.Done)
    def _take_typed(self, event: LineInput.Done) -> None:
        """Hand over what was typed; after a new subtask the next one can be typed at once."""
        event.stop()
        title = " ".join(event.text.split())
        spot, row = self.gap, self._renamed
        if event.input.purpose == NEW and title:
            event.input.value = ""
        else:
            self._leave(event.input)
        if event.input.purpose == RENAME and row is not None:
            self.post_message(self.RenameTyped(row, title))
        elif spot is not None and title:
            self.post_message(self.NewTyped(spot, title))

    @on(LineInput.GivenUp)
    def _give_up(self, event: LineInput.GivenUp) -> None:
        """Keep what was typed of a new subtask; leave an old title as it was."""
        event.stop()
        self._leave(event.input)
        if event.input.purpose == NEW and event.text.strip():
            self.say_nothing("kept what you typed: n goes on with it")
        else:
            event.input.forget_draft()

    @on(LineInput.LinesPasted)
    def _hand_lines_over(self, event: LineInput.LinesPasted) -> None:
        """Let the owner of the list ask about several lines."""
        event.stop()
        self._leave(event.input)
        event.input.forget_draft()
        self.post_message(self.LinesPasted(event.text))

    @on(LineInput.Typed)
    def _keep_to_itself(self, event: LineInput.Typed) -> None:
        """Nobody else need know before it is done."""
        event.stop()

    @property
    def _input(self) -> LineInput | None:
        """What a title is being typed in."""
        return next((each for each in self.children if isinstance(each, LineInput)), None)

    def _can_type(self) -> bool:
        """Whether subtasks can be made; if not, that is said."""
        is_known = self.detail is not None and self.detail.groups is not None
        if not is_known:
            self.say_nothing(self.words)
        return is_known

    def _room(self, *, is_heading: bool) -> int:
        """How wide an input can be."""
        return max(1, self.size.width - (_HEADING_INDENT if is_heading else _INDENT) - 1)

    def _type_at(self, y: int, typed: LineInput, *, is_heading: bool) -> None:
        """Lay an input over the title of a row."""
        typed.add_class("in-place")
        typed.styles.offset = (_HEADING_INDENT if is_heading else _INDENT, y)
        typed.styles.width = self._room(is_heading=is_heading)
        self.mount(typed)
        typed.focus()

    def _leave(self, typed: LineInput) -> None:
        """Take the input off."""
        self.gap = None
        self.screen.set_focus(self, scroll_visible=False)
        typed.remove()
        self.show_rows()
