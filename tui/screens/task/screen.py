"""The task screen: description, subtasks, newest comments, fields and activity.

It is drawn from the cache; parts that are loaded later do not move the others.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from tui.actions.action import action, bindings
from tui.actions.card_actions import CardActions
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.fields import edit_field
from tui.actions.tasks.history import HistoryActions
from tui.actions.tasks.refresh import RefreshActions
from tui.context import Context
from tui.model.comment import newest
from tui.model.detail import DetailPart
from tui.model.fields.rows import task_rows
from tui.model.people import Role, by_mention, initials_of
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import sync_words
from tui.screens.task.activity import ActivityList
from tui.screens.task.facts import FactsLine, facts_of
from tui.screens.task.field_list import FieldList
from tui.screens.task.panes import (
    WIDE,
    CommentExtract,
    Extract,
    TaskPanes,
    TaskSection,
    below_comments,
    tabs,
)
from tui.screens.task.shown import ShownTask, fields_waiting
from tui.screens.task.subtask_list import SubtaskList
from tui.store.events import StatusChanged, StoreEvent
from tui.text.cells import cut
from tui.text.clean import counted
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import Notice, TabLine
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line, Span
from tui.widgets.title_input import TitleInput

TITLE = "title"

TITLE_WIDTH = 40
"""The most cells of a title in the bar."""

NEWEST = 3
"""How many comments the task screen shows."""

FIRST_HINTS = dict.fromkeys(
    (
        "subtask.lift",
        "task.open",
        "subtask.new",
        "task.edit-title",
        "task.edit-description",
        "task.comment",
        "task.part",
        "task.close",
        "task.assign",
        "task.due",
        "task.next",
        "task.menu",
    ),
    "",
)
"""The bindings that come first in the key hints; what Enter runs is among them."""

_ON_A_GROUP = {
    "subtask.new": "new subtask",
    "subtask.rename": "rename",
    "subtask.new-group": "new group",
    "subtask.delete": "delete",
    "task.part": "section",
    "task.back": "back",
}
_NO_SUBTASKS = {
    "subtask.new": "new subtask",
    "subtask.paste": "paste lines",
    "subtask.new-group": "new group",
    "task.part": "section",
    "task.back": "back",
}
"""All bindings in the key hints while no subtask is chosen, as most actions are about one."""

_MOST_TITLE_LINES = 5
"""How many lines the title takes at most while it is typed."""
GONE = "This card is no longer on the board.\n\n{task.back:esc} to go back"


class TaskScreen(CallboardScreen):
    """One task of a board, or one subtask."""

    panes: TaskPanes
    BINDINGS: ClassVar[list[BindingType]] = bindings(CardActions, HistoryActions, RefreshActions)
    actions_of = (TaskPanes,)

    def __init__(
        self, context: Context, board_id: int, task_id: int, parent_id: int | None = None
    ) -> None:
        super().__init__(context)
        self.tasks = Cards(
            self,
            board_id,
            chosen=self._chosen,
            changed=lambda: self.subtasks.changed(),  # noqa: PLW0108  made below
        )
        self.shown = ShownTask(self.tasks, task_id, parent_id)
        self.shows = lambda shown_id: shown_id in (self.shown.task_id, self.shown.parent_id)
        self.subtasks = SubtaskList(self.tasks, self.status)
        self.panes = TaskPanes(self.subtasks, ActivityList(self.tasks, self.shown))
        self.actions.offer(CardActions(self.tasks, self.edit_title, self._links))
        self.actions.offer(
            HistoryActions(
                self,
                lambda: self.tasks.board_id,
                lambda operation: self.panes.go_to_changed(operation, self.shown.detail),
            )
        )
        self.actions.offer(RefreshActions(self.tasks))
        self.actions.offer(self.subtasks)
        self.actions.offer(self.panes)
        self.offer_commands(lambda: self.tasks)
        self.keys.first_hints = FIRST_HINTS
        self.tab_line = TabLine()
        self.title_line = Static(id="task-title")
        self.facts = FactsLine()
        self._aged: tuple[int, int | None] | None = None
        """The task and stage whose age was read last."""

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.title_line
        yield self.facts
        yield self.tab_line
        yield self.panes
        yield self.status
        yield self.status.footer

    def on_mount(self) -> None:
        # The screen itself has no size before its first layout.
        self.panes.take_room(is_wide=self.app.size.width >= WIDE)
        self.watch(self.panes.main, "scroll_y", self.status.draw, init=False)
        self.watch(self.panes.main, "virtual_size", self.status.draw, init=False)
        self.show_task()
        self.panes.go(TaskSection.TEXT)

    def begin(self, board_id: int, task_id: int, parent_id: int | None = None) -> None:
        self.tasks.board_id = board_id
        self.shown.begin(task_id, parent_id)
        self._aged = None
        self.begin_anew()
        self.panes.begin()
        self.show_task()
        self.panes.go(TaskSection.TEXT)

    def on_resize(self) -> None:
        self.panes.take_room(is_wide=self.size.width >= WIDE)
        self.show_edges()
        self.call_after_refresh(self.status.draw)

    def _chosen(self) -> tuple[Task, ...]:
        # This task, or the selected subtasks while their list is focused.
        if self.panes.section is TaskSection.SUBTASKS and self.shown.detail is not None:
            return self.subtasks.chosen
        task = self.shown.task
        return (task,) if task else ()

    @property
    def waits_for(self) -> str:
        return self.subtasks.waits_for

    @property
    def has_data_for_keys(self) -> bool:
        # Most keys act on the task, which is here; those of the subtasks need the list.
        detail = self.shown.detail
        if self.panes.section is not TaskSection.SUBTASKS or detail is None:
            return True
        is_read = detail.groups is not None or DetailPart.SUBTASKS in detail.why
        return is_read or bool(self.store.status(self.tasks.board_id).problem)

    @property
    def own_board(self) -> int:
        return self.tasks.board_id

    @property
    def request_here(self) -> TaskRequested:
        return TaskRequested(self.tasks.board_id, self.shown.task_id, self.shown.parent_id)

    @property
    def chosen_tasks(self) -> Sequence[Task]:
        return self.tasks.tasks

    @property
    def role(self) -> Role:
        return self.tasks.role

    def hints(self) -> tuple[Line, Line]:
        if self.panes.section is TaskSection.SUBTASKS and not self.subtasks.chosen:
            words = _ON_A_GROUP if self.subtasks.row is not None else _NO_SUBTASKS
            return self.keys.hints(self.role, words, are_all=True)
        return super().hints()

    def own_notice(self) -> Notice | None:
        line = self.subtasks.line(self.size.width)
        return Notice(line, is_low=True) if line is not None else None

    def edge_line(self, width: int) -> tuple[Line, Line]:
        main, fields, side = self.panes.main, self.panes.fields, self.panes.side
        below = round(main.max_scroll_y - main.scroll_y) if main.display else 0
        words = f"  {glyphs.DOWN} {counted(below, 'more line')}" if below > 0 else ""
        beside = fields.out_of_sight if fields.is_on_screen else 0
        more = f"{glyphs.DOWN} {counted(beside, 'more field')}  " if beside else ""
        if not self.panes.is_wide or not side.display:
            return ((words, "quiet"),), ((more, "quiet"),)
        # The panel of the fields goes down to the footer.
        panel = more.rjust(side.region.width), "quiet/card"
        return ((words, "quiet"),), (panel, (" " * (width - side.region.right), "text"))

    def came_back(self) -> None:
        # The store may have opened another task meanwhile.
        opening = self.store.open_task(self.tasks.board_id, self.shown.task_id)
        self.run_worker(opening, group="open-task", exclusive=True)

    def hear(self, event: StoreEvent) -> None:
        self.tasks.hear(event)
        super().hear(event)
        if self.shown.hear(event):
            if self.shown.age is None:
                # The history may have come with this event: read the age again.
                self._aged = None
            self.show_task()
        elif isinstance(event, StatusChanged):
            self.show_bar()

    def show_task(self) -> None:
        task, view, detail = self.shown.look(), self.tasks.view, self.shown.detail
        is_gone = task is None or view is None or detail is None
        self.panes.display = self.tab_line.display = self.facts.display = not is_gone
        title = Content(task.title if task is not None and not is_gone else keyed(GONE))
        if self.title_line.content != title:
            self.title_line.update(title)
        if task is None or view is None or detail is None:
            self.subtasks.show(None)
            return
        if (task.id, task.stage_id) != self._aged:
            self._aged, self.shown.age = (task.id, task.stage_id), None
            # The age comes from the history of the board, which is read after the frame.
            self.call_after_refresh(self._read_age, task)
        now = self.context.now()
        self._show_facts(task)
        self.panes.text.show(task.description)
        self.subtasks.show(detail, initials_of(view.people))
        waiting = fields_waiting(self.store.pending(), task.id)
        rows = task_rows(
            view,
            detail,
            waiting,
            self.store.me,
            relations=self.store.relations(),
            boards=self.store.boards() if task.blockers else (),
        )
        self.panes.fields.show(rows, now)
        unread = self.store.unread_comments(task.id)
        comments = newest(detail.comments or (), NEWEST)
        self.panes.comments.show(
            Extract(
                comments,
                unread,
                detail.pending_of("comment"),
                frozenset(by_mention(view.people)),
                below_comments(detail, len(unread), len(comments)),
            ),
            now,
        )
        if self.panes.section is TaskSection.ACTIVITY:
            self.panes.activity.show()
        self.show_bar()
        self.show_edges()

    @work(exclusive=True, group="age")
    async def _read_age(self, task: Task) -> None:
        await self.shown.read_age(task)
        if self.shown.age is not None and self.shown.task is not None:
            self._show_facts(self.shown.task)

    def _links(self) -> Sequence[str]:
        return (*self.panes.text.links, *self.panes.comments.links)

    def _show_facts(self, task: Task) -> None:
        view, age, is_stale = self.tasks.view, self.shown.age, self.shown.is_stale
        if view is not None:
            facts = facts_of(
                view,
                task,
                self.context.now(),
                self.store.me,
                age,
                is_stale=is_stale,
                relations=self.store.relations(),
            )
            self.facts.show(facts)

    def show_bar(self) -> None:
        task, view, parent = self.shown.task, self.tasks.view, self.shown.parent
        if task is None or view is None:
            return
        number = "new" if task.is_local else f"#{task.id}"
        left: list[Span] = [(f" {cut(view.board.title, TITLE_WIDTH)} ", "place")]
        if task.parent_id is not None or parent is not None:
            title = f" of “{cut(parent.title, TITLE_WIDTH)}”" if parent is not None else ""
            crumb = f"subtask{title}"
        else:
            stage = view.stage(task.stage_id)
            crumb = cut(stage.title, TITLE_WIDTH) if stage else "—"
        left += [(f" {glyphs.RIGHT} {crumb} {glyphs.RIGHT} ", "quiet"), (number, "strong")]
        place, total = self.shown.place
        if total:
            left.append((f"  {place} of {total}", "quiet"))
        if self.role is Role.VIEWER:
            left.append(("   read only", "warn"))
        elif task.archived_at is not None:
            left.append((keyed("   archived · {task.archive:A} to restore it"), "warn"))
        status = sync_words(self.store.status(self.tasks.board_id), self.context.now())
        self.bar.say(tuple(left), (*status, (" ", "text")))

    def show_edges(self) -> None:
        if self.shown.detail is not None:
            unread = len(self.store.unread_comments(self.shown.task_id))
            self.tab_line.show(tabs(self.shown.detail, unread), self.panes.section)
            self.panes.show_headings(self.shown.detail, unread)

    @on(events.DescendantFocus)
    def follow_focus(self, event: events.DescendantFocus) -> None:
        section = self.panes.section_of(event.widget)
        if section is not None and section is not self.panes.section:
            self.panes.section = section
            self.panes.take_room(is_wide=self.panes.is_wide)
        self.keys.forget_hints()
        self.status.draw()
        self.show_edges()

    @on(FactsLine.Clicked)
    def change_fact(self, event: FactsLine.Clicked) -> None:
        if self.panes.section is TaskSection.SUBTASKS:
            # While the subtasks have the focus, actions are about the chosen ones.
            self.go_to_section(TaskSection.TEXT)
        self.actions.perform(event.fact.action_id)

    @on(TabLine.Chosen)
    def go_to_chosen(self, event: TabLine.Chosen) -> None:
        self.go_to_section(TaskSection(event.index))

    @on(CommentExtract.ThreadRequested)
    def open_thread(self) -> None:
        self.actions.perform("task.thread")

    @on(FieldList.EditRequested)
    async def change_field(self, event: FieldList.EditRequested) -> None:
        await edit_field(self.tasks, event.row, self.actions, self.keys.hint)

    @on(SubtaskList.OpenRequested)
    def open_subtask(self, event: SubtaskList.OpenRequested) -> None:
        self.post_message(TaskRequested(self.tasks.board_id, event.subtask.id, self.shown.task_id))

    @action("task.back", "escape", "Go back", hint="back", while_moving=True)
    def go_back(self) -> None:
        if not self.status.clear():
            self.store.close_task()
            self.dismiss()

    @action("task.part", "tab", "Next section", hint="section", arguments=(1,))
    @action("task.part-before", "shift+tab", "Previous section", arguments=(-1,))
    def go_round(self, by: int) -> None:
        order = self.panes.order()
        index = order.index(self.panes.section) if self.panes.section in order else 0
        self.go_to_section(order[(index + by) % len(order)])

    @action("task.part-text", "1", "Go to description", arguments=(TaskSection.TEXT,))
    @action("task.part-subtasks", "2", "Go to subtasks", arguments=(TaskSection.SUBTASKS,))
    @action("task.part-comments", "3", "Go to comments", arguments=(TaskSection.COMMENTS,))
    @action("task.part-fields", "4", "Go to fields", arguments=(TaskSection.FIELDS,))
    @action("task.part-activity", "5", "Go to activity", arguments=(TaskSection.ACTIVITY,))
    def go_to_section(self, section: TaskSection) -> None:
        if self.shown.detail is None:
            return
        self.panes.go(section)
        if section is TaskSection.ACTIVITY:
            self.panes.activity.look()
        self.show_edges()

    @action("task.empty-fields", "+,-", "Show or hide empty fields")
    def turn_fold(self) -> None:
        if not self.panes.is_wide:
            self.go_to_section(TaskSection.FIELDS)
        if not self.panes.fields.turn_fold():
            self.say("all fields have values")

    @action("task.previous", "[", "Previous card", arguments=(-1,))
    @action("task.next", "]", "Next card", hint="next card", arguments=(1,))
    def turn(self, by: int) -> None:
        if not self.shown.turn(by):
            return
        self.panes.activity.begin()
        self.panes.fields.begin()
        self.panes.main.scroll_home(animate=False)
        self.came_back()
        self.show_task()
        task_id, board_id = self.shown.task_id, self.tasks.board_id
        if task_id in self.store.changed_by_others(board_id):
            self.run_worker(self.store.mark_seen(board_id, {task_id}), group="looked")

    def edit_title(self, task: Task) -> None:
        typed = TitleInput(TITLE, task.title, draft=self.tasks.title_draft(task))
        typed.most_lines = _MOST_TITLE_LINES
        self.title_line.display = False
        self.mount(typed, before=self.title_line)
        typed.focus()
        self.tasks.say_draft(typed)

    @on(LineInput.Done)
    async def take_title(self, event: LineInput.Done) -> None:
        if event.input.purpose != TITLE:
            return
        self._close_input(event.input)
        task = self.shown.task
        # If the title is refused, its draft stays for the next attempt.
        if task is not None and await self.tasks.retitle(task, event.text):
            event.input.forget_draft()

    @on(LineInput.GivenUp)
    def leave_title(self, event: LineInput.GivenUp) -> None:
        if event.input.purpose == TITLE:
            self._close_input(event.input)
            event.input.forget_draft()

    def _close_input(self, typed: LineInput) -> None:
        typed.remove()
        self.title_line.display = True
        self.panes.of(self.panes.section).focus(scroll_visible=False)
