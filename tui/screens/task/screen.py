"""A task by itself: what is to be read, its subtasks, what was said last, and its fields.

The rule it keeps: the keys that change a task are those of the board; what they change is shown at
once, because the screen draws what the store has. It is painted from what is known, and what comes
later takes its place without moving the rest.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.fields.task_fields import task_rows
from tui.model.people import by_mention, initials_of
from tui.model.task import Task
from tui.model.thread.rows import newest
from tui.screens.actions.every_action import EveryTaskAction
from tui.screens.context import Context
from tui.screens.navigation import TaskRequested
from tui.screens.task.activity import ActivityPart
from tui.screens.task.links import LinkActions
from tui.screens.task.panes import WIDE, Section, TaskPanes
from tui.screens.task.pending_fields import fields_waiting
from tui.screens.task.subtask_actions import SubtaskActions
from tui.screens.task.title import TitlePart
from tui.screens.task.words import (
    bar_line,
    below_comments,
    comments_note,
    facts_line,
    subtasks_note,
    tabs,
)
from tui.theme import stylesheet
from tui.widgets.bars import Bar
from tui.widgets.tab_line import TabLine
from tui.widgets.task.activity_list import ActivityList
from tui.widgets.task.comment_extract import CommentExtract, Extract
from tui.widgets.task.field_list import FieldList
from tui.widgets.task.subtask_list import SubtaskList

NEWEST = 3
"""How many comments are shown without opening the thread."""

GONE = "This task is no longer on the board.\n\nesc goes back"


class TaskScreen(SubtaskActions, LinkActions, ActivityPart, TitlePart, EveryTaskAction):
    """One task of a board, or one subtask."""

    CSS_PATH = stylesheet("task.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", id="task.back", tooltip="Back to where it was opened"),
        Binding("tab", "part(1)", "part", id="task.part", tooltip="The next part of the task"),
        Binding(
            "shift+tab", "part(-1)", "Part before", id="task.part-before", show=False,
            tooltip="The part before this one",
        ),
        *(
            Binding(
                str(section + 1), f"go({section.value})", section.name.capitalize(),
                id=f"task.part-{section.name.lower()}", show=False,
                tooltip=f"The part “{section.name.capitalize()}”",
            )
            for section in Section
        ),
        Binding(
            "[", "neighbour(-1)", "Previous", id="task.previous", show=False,
            tooltip="The card above this one",
        ),
        Binding(
            "]", "neighbour(1)", "Next", id="task.next", show=False,
            tooltip="The card below this one",
        ),
        Binding(
            "j,down", "scroll(1)", "Down", id="task.scroll-down", show=False, tooltip="Scroll down"
        ),
        Binding("k,up", "scroll(-1)", "Up", id="task.scroll-up", show=False, tooltip="Scroll up"),
        Binding(
            "ctrl+d,pagedown", "page(1)", "Page down", id="task.page-down", show=False,
            tooltip="Scroll down half a page",
        ),
        Binding(
            "ctrl+u,pageup", "page(-1)", "Page up", id="task.page-up", show=False,
            tooltip="Scroll up half a page",
        ),
    ]  # fmt: skip

    def __init__(
        self, context: Context, board_id: int, task_id: int, parent_id: int | None = None
    ) -> None:
        super().__init__(context, board_id)
        self.task_id = task_id
        self.parent_id = parent_id
        self.panes = TaskPanes(context.now, context.drafts)
        self.subtasks = self.panes.subtasks
        self.tab_line = TabLine()
        self.facts = Bar()
        self.facts.add_class("task-facts")

    def compose(self) -> ComposeResult:
        """The title, the names of the parts, the parts."""
        yield self.bar
        yield self.tab_line
        yield self.title_line
        yield self.facts
        yield self.panes
        yield self.status

    def on_mount(self) -> None:
        """Draw what is known; the rest is asked for by whoever shows the screen."""
        self.panes.take_room(is_wide=self.app.size.width >= WIDE)
        self.facts.display = not self.panes.is_wide
        self.show_task()
        self.panes.go(Section.TEXT)

    def begin(self, board_id: int, task_id: int, parent_id: int | None = None) -> None:
        """Show this task from now on, from its top."""
        super().begin(board_id, task_id, parent_id)
        self.panes.begin()
        self.show_task()
        self.panes.go(Section.TEXT)

    def on_resize(self) -> None:
        """Have the parts side by side, or one by one."""
        is_wide = self.size.width >= WIDE
        self.facts.display = not is_wide
        self.panes.take_room(is_wide=is_wide)
        self.show_edges()

    @property
    def activity(self) -> ActivityList:
        """Where what was done is drawn."""
        return self.panes.activity

    @property
    def links(self) -> Sequence[str]:
        """The links of the description."""
        return self.panes.text.links

    @property
    def chosen_tasks(self) -> tuple[Task, ...]:
        """The task shown; the chosen subtasks while they have the focus."""
        if self.panes.section is Section.SUBTASKS and self.detail is not None:
            return self.subtasks.chosen
        task = self.task_shown
        return (task,) if task else ()

    def show_task(self) -> None:
        """Draw the task as the store has it now."""
        task, view = self.look(), self.view
        is_gone = task is None or view is None or self.detail is None
        self.panes.display = self.tab_line.display = not is_gone
        self.facts.display = not is_gone and not self.panes.is_wide
        if task is None or view is None or self.detail is None:
            self.title_line.update(Content(GONE))
            return
        self.title_line.update(Content(task.title))
        self.facts.say(facts_line(view, task, self.context.now()))
        self.panes.text.show(task.description)
        self.subtasks.show(self.detail, initials_of(view.people))
        on_the_way = fields_waiting(self.store.waiting(), task.id)
        rows = task_rows(view, self.detail, on_the_way)
        self.panes.fields.show(rows, self.context.now())
        self._show_comments(view, self.detail)
        if self.panes.section is Section.ACTIVITY:
            self.show_activity()
        self.show_bar()
        self.show_edges()

    def show_bar(self) -> None:
        """Say where the task is, and how fresh that is."""
        task, view = self.task_shown, self.view
        if task is not None and view is not None:
            status = self.store.status(self.board_id)
            now, parent = self.context.now(), self.parent_shown
            line = bar_line(view, task, parent, status, now, is_read_only=self.is_read_only)
            self.bar.say(*line)

    def show_edges(self) -> None:
        """Say in the headings and above which parts there are, and which has the focus."""
        if self.detail is None:
            return
        unread = len(self.store.unread_comments(self.task_id))
        self.tab_line.show(tabs(self.detail, unread), self.panes.section)
        notes = {
            Section.SUBTASKS: subtasks_note(self.detail),
            Section.COMMENTS: comments_note(self.detail, unread),
        }
        for section, heading in self.panes.headings.items():
            is_current = section is self.panes.section
            heading.say(notes.get(section, ()), is_current=is_current)

    def _show_comments(self, view: BoardView, detail: TaskDetail) -> None:
        """Draw the newest comments."""
        unread = self.store.unread_comments(self.task_id)
        self.panes.comments.show(
            Extract(
                newest(detail.comments or (), NEWEST),
                unread,
                detail.pending_of("comment"),
                frozenset(by_mention(view.people)),
                below_comments(detail, len(unread)),
            ),
            self.context.now(),
        )

    @on(events.DescendantFocus)
    def follow_focus(self, event: events.DescendantFocus) -> None:
        """Say which part has the focus."""
        section = self.panes.section_of(event.widget)
        if section is not None and section is not self.panes.section:
            self.panes.section = section
            self.panes.take_room(is_wide=self.panes.is_wide)
        self._hinted = None  # the keys of the part that has the focus now
        self.show_status()
        self.show_edges()

    @on(TabLine.Chosen)
    def go_to_chosen(self, event: TabLine.Chosen) -> None:
        """Go to the part that was clicked."""
        self.action_go(event.index)

    @on(CommentExtract.ThreadRequested)
    def open_thread(self) -> None:
        """Show everything that was said."""
        self.action_thread()

    @on(FieldList.EditRequested)
    async def change_field(self, event: FieldList.EditRequested) -> None:
        """Change a field, or say why it cannot be changed."""
        await self.edit_field(event.row)

    @on(SubtaskList.OpenRequested)
    def open_subtask(self, event: SubtaskList.OpenRequested) -> None:
        """Show a subtask as a task, in front of this one."""
        self.post_message(TaskRequested(self.board_id, event.subtask.id, self.task_id))

    def action_part(self, by: int) -> None:
        """Go to the next part, or to the one before."""
        order = self.panes.order()
        here = order.index(self.panes.section) if self.panes.section in order else 0
        self.action_go(order[(here + by) % len(order)])

    def action_go(self, section: int) -> None:
        """Go to a part."""
        if self.detail is None:
            return
        self.panes.go(Section(section))
        if self.panes.section is Section.ACTIVITY:
            self.begin_activity()
        self.show_edges()

    def end_typing(self) -> None:
        """Give the focus back to the part that had it."""
        self.panes.of(self.panes.section).focus(scroll_visible=False)

    def action_back(self) -> None:
        """Take an error off the screen, else go back to where the task was opened."""
        if not self.hush():
            self.store.close_task()
            self.dismiss()

    def action_neighbour(self, by: int) -> None:
        """Show the card above or below this one in its stage."""
        self.turn(by)

    def has_turned(self) -> None:
        """Another task begins at its top."""
        super().has_turned()
        self.panes.to_the_top()

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self.panes.scroll_lines(lines)

    def action_page(self, direction: int) -> None:
        """Scroll by half a page."""
        self.panes.scroll_lines(direction * self.panes.half_page)
