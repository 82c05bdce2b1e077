"""The layout of a task's sections: side by side in a wide terminal, else one at a time.

Each section is one widget that is only shown or hidden, so that its state survives a change of
section or width.
"""

from enum import IntEnum

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget

from tui.actions.action import action
from tui.model.detail import TaskDetail
from tui.screens.task.activity_list import ActivityList
from tui.screens.task.comment_extract import CommentExtract
from tui.screens.task.field_list import FieldList
from tui.screens.task.subtask_pane import SubtaskPane
from tui.store.operations.base import Operation
from tui.widgets.bars import SectionHeading
from tui.widgets.reading_pane import ReadingPane

WIDE = 100
"""From this width on, the fields are beside the other sections."""


class Section(IntEnum):
    """The sections of a task screen, in order."""

    TEXT = 0
    SUBTASKS = 1
    COMMENTS = 2
    FIELDS = 3
    ACTIVITY = 4


MAIN = (Section.TEXT, Section.SUBTASKS, Section.COMMENTS)
"""The sections of the left column in the wide layout."""


class TaskPanes(Horizontal):
    """The sections of a task."""

    def __init__(self, subtasks: SubtaskPane) -> None:
        super().__init__()
        self.section = Section.TEXT
        self.is_wide = True
        self.text = ReadingPane("no description · {task.edit-description:E} writes one")
        self.subtasks = subtasks
        self.comments = CommentExtract()
        self.fields = FieldList()
        self.activity = ActivityList()
        self.main = VerticalScroll(id="task-main", can_focus=False)
        self.headings = {
            section: SectionHeading(section.name.capitalize()) for section in list(Section)[:-1]
        }
        self._has_activity = False

    def compose(self) -> ComposeResult:
        with self.main:
            for section in MAIN:
                if section is not Section.TEXT:
                    yield self.headings[section]
                yield self.subtasks if section is Section.SUBTASKS else self.of(section)
        yield self.activity
        with Vertical(id="task-side"):
            yield self.headings[Section.FIELDS]
            yield self.fields

    def begin(self) -> None:
        self.subtasks.list.forget()
        self.fields.begin()

    def of(self, section: Section) -> Widget:
        return (self.text, self.subtasks.list, self.comments, self.fields, self.activity)[section]

    def section_of(self, widget: Widget | None) -> Section | None:
        """The section that contains a widget."""
        within = widget.ancestors_with_self if widget is not None else ()
        return next((section for section in Section if self.of(section) in within), None)

    def order(self) -> tuple[Section, ...]:
        """The sections that Tab cycles through: in the wide layout only the visible ones."""
        if not self.is_wide:
            return tuple(Section)
        return (Section.ACTIVITY, Section.FIELDS) if self._has_activity else (*MAIN, Section.FIELDS)

    def go(self, section: Section) -> None:
        self.section = section
        self.take_room(is_wide=self.is_wide)
        self.of(section).focus(scroll_visible=False)
        if self.is_wide and section in MAIN:
            self.call_after_refresh(self._bring_into_sight, section)

    def go_to_changed(self, operation: Operation, detail: TaskDetail | None) -> str | None:
        """Move the cursor to the subtask or group an operation changed, see `HistoryActions`."""
        kind, own_id = operation.subject
        if detail is None or self.subtasks.list.lift is not None:
            return None
        if kind == "task" and detail.place_of(own_id) is not None:
            self.go(Section.SUBTASKS)
            self.subtasks.list.go_to_subtask(own_id)
        elif kind == "subtask_group" and detail.group(own_id) is not None:
            self.go(Section.SUBTASKS)
            self.subtasks.list.go_to_group(own_id)
        else:
            return None
        return ""

    def take_room(self, *, is_wide: bool) -> None:
        """Show and hide sections for the wide or the narrow layout."""
        self.is_wide = is_wide
        if self.section is not Section.FIELDS or not is_wide:
            self._has_activity = self.section is Section.ACTIVITY
        is_main = self.section in MAIN
        self.set_class(not is_wide, "-narrow")
        self.main.display = not self._has_activity if is_wide else is_main
        self.activity.display = self._has_activity
        self.query_one("#task-side").display = is_wide or self.section is Section.FIELDS
        for section in MAIN:
            self.of(section).display = is_wide or section is self.section
        for heading in self.headings.values():
            heading.display = is_wide

    @action("task.scroll-down", "j,down", "Scroll down", arguments=(1,))
    @action("task.scroll-up", "k,up", "Scroll up", arguments=(-1,))
    def scroll_lines(self, lines: int) -> None:
        if self.section is Section.ACTIVITY:
            self.activity.scroll(lines)
        else:
            self.main.scroll_relative(y=lines, animate=False, immediate=True)

    def to_the_top(self) -> None:
        self.main.scroll_home(animate=False)

    @action("task.page-down", "ctrl+d,pagedown", "Scroll down half a page", arguments=(1,))
    @action("task.page-up", "ctrl+u,pageup", "Scroll up half a page", arguments=(-1,))
    def scroll_pages(self, half_pages: int) -> None:
        self.scroll_lines(half_pages * max(1, self.size.height // 2))

    def _bring_into_sight(self, section: Section) -> None:
        """Scroll so that the heading and as much of the section as possible are visible."""
        top = self.headings[section] if section in self.headings else self.of(section)
        if section is Section.TEXT:
            self.to_the_top()
        else:
            self.of(section).scroll_visible(animate=False)
            top.scroll_visible(animate=False)
