"""A task by itself: its text, its subtasks, its newest comments, its fields and its activities.

It is drawn from what is known, and what comes later takes its place without moving the rest.
"""

from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from tui.context import Context
from tui.model.board import BoardView
from tui.model.comment import newest
from tui.model.detail import TaskDetail
from tui.model.fields.rows import task_rows
from tui.model.people import by_mention, initials_of
from tui.model.task import Task
from tui.screens.actions.every_action import EveryTaskAction
from tui.screens.navigation import TaskRequested
from tui.screens.task.activity_list import ActivityList
from tui.screens.task.comment_extract import CommentExtract, Extract
from tui.screens.task.field_list import FieldList
from tui.screens.task.panes import WIDE, Section, TaskPanes
from tui.screens.task.pending_fields import fields_waiting
from tui.screens.task.shown import ShownTask
from tui.screens.task.subtask_actions import SubtaskActions
from tui.screens.task.subtask_list import SubtaskList
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
from tui.widgets.line_input import LineInput
from tui.widgets.tab_line import TabLine

TITLE = "title"

NEWEST = 3
"""How many comments are shown without opening the thread."""

GONE = "This task is no longer on the board.\n\nesc goes back"


class TaskScreen(SubtaskActions, ShownTask, EveryTaskAction):
    """One task of a board, or one subtask."""

    CSS_PATH = stylesheet("task.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "o", "links", "open link", id="task.links", show=False,
            tooltip="Open a link of the description",
        ),
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
        self.title_line = Static(id="task-title")
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
        """Put the title back in the place of the input, and the focus where it was."""
        typed.remove()
        self.title_line.display = True
        self.panes.of(self.panes.section).focus(scroll_visible=False)

    @work(exclusive=True, group="dialog")
    async def action_links(self) -> None:
        """Open the link of the description, or ask which."""
        from tui.screens.links import choose_link, open_link

        links = tuple(self.panes.text.links)
        if not links:
            self.say("there is no link in the description", hint="T shows the comments")
            return
        chosen = links[0] if len(links) == 1 else await choose_link(self, links)
        if chosen is not None:
            open_link(self, chosen)

    def action_back(self) -> None:
        """Take an error off the screen, else go back to where the task was opened."""
        if not self.clear_message():
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
