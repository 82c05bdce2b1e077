"""The comments of a task: read, answered, and edited by whoever wrote them.

The cursor stays on its comment whatever comes; what was unread when the thread was opened stays
marked until it is left, so that nobody loses track by having looked.
"""

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.context import Context
from tui.errors import CallboardError
from tui.model.comment import (
    Comment,
    Order,
    Thread,
    count,
    has_public,
    next_unread,
    thread_rows,
    with_unread_replies,
)
from tui.model.detail import Part, TaskDetail, find_task
from tui.model.people import by_mention
from tui.model.task import Task
from tui.screens.actions.task_actions import TaskActions
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import trouble_line
from tui.screens.thread.answers import Answers
from tui.screens.thread.lines import Look
from tui.screens.thread.reading import Reading
from tui.screens.thread.view import ThreadFace, ThreadView
from tui.store.events import BoardChanged, DetailChanged, StoreEvent, SyncStatus, UploadProgress
from tui.text.cells import cut, width as cell_width
from tui.theme import stylesheet
from tui.widgets import glyphs
from tui.widgets.painted import Line

NEAR = 10
"""So many comments before the end of those known, older ones are asked for."""
_TITLE = 12
"""The cells that a title has at least."""


def _shared_bindings() -> list[BindingType]:
    """The keys of tasks that mean the same here: undo and redo."""
    shared = {"board.undo", "board.redo"}
    bindings = TaskActions.BINDINGS
    return [each for each in bindings if isinstance(each, Binding) and each.id in shared]


class ThreadScreen(Reading, inherit_bindings=False):
    """The comments of a task."""

    CSS_PATH = stylesheet("thread.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        *CallboardScreen.BINDINGS,
        *Answers.BINDINGS,
        *Reading.BINDINGS,
        Binding("escape", "back", "back", id="thread.back", tooltip="Back to where you were"),
        Binding(
            "R", "refresh_thread", "Refresh", id="thread.refresh", show=False,
            tooltip="Ask the service for new comments now",
        ),
        *_shared_bindings(),
    ]  # fmt: skip

    def __init__(self, context: Context, board_id: int, task_id: int) -> None:
        super().__init__(context, board_id)
        self.task_id = task_id
        self._follow: int | None = None
        self._has_shown = False
        self._glance: Timer | None = None
        self._is_loading = False
        self._older_trouble = ""
        self._asked_with: int | None = None

    def compose(self) -> ComposeResult:
        """The line above, the comments, the line below."""
        yield self.bar
        yield self.thread
        yield Static(id="thread-nothing")
        yield self.status

    def on_mount(self) -> None:
        """Draw what is known; the rest is asked for by whoever shows the screen."""
        self.show_thread()

    def begin(self, board_id: int, task_id: int) -> None:
        """Show this thread from now on, as if the screen were new."""
        self.board_id, self.task_id = board_id, task_id
        self.workers.cancel_group(self, "older")
        self._follow, self._has_shown = None, False
        self._is_loading, self._older_trouble, self._asked_with = False, "", None
        self._end_glance()
        self.begin_anew()
        self.begin_reading()
        self.show_thread()

    def came_back(self) -> None:
        """The thread is looked at again: the store may have been asked for another one."""
        self._open()

    @property
    def detail(self) -> TaskDetail | None:
        """The task with what is around it, as the store has it now."""
        return self.store.detail(self.task_id)

    @property
    def chosen_tasks(self) -> tuple[Task, ...]:
        """The task that is talked about, while it is there."""
        detail, view = self.detail, self.view
        task = detail.task if detail is not None else None
        if task is None and view is not None:
            task = find_task(view, None, self.task_id)
        return () if task is None else (task,)

    def follow(self, comment_id: int) -> None:
        """Put the cursor on a comment once it is drawn, unfolded if it is a reply."""
        self._follow = comment_id
        self.show_thread()

    def status_line(self) -> Line | None:
        """Why the service does not answer, if it does not."""
        return trouble_line(self.store.status(self.board_id))

    def show_thread(self) -> None:
        """Draw the thread as the store has it now."""
        detail = self.detail
        thread: Thread = (detail.comments or ()) if detail is not None else ()
        self._mark_unread(thread)
        target = self._target(detail)
        if target is not None and target.parent_id is not None and target.id == self._follow:
            self.unfolded |= {target.parent_id}
        rows = thread_rows(thread, self.order, self.unfolded, self.marks)
        self.thread.display = bool(rows)
        nothing = self.query_one("#thread-nothing", Static)
        nothing.display = not rows
        if not rows:
            nothing.update(Content(nothing_words(detail, self.store.status(self.board_id))))
        people = self.view.people if self.view else ()
        look = Look(
            self.context.now(),
            frozenset(by_mention(people)),
            frozenset() if detail is None else detail.pending_of("comment"),
            has_public(thread),
        )
        is_oldest = self.order is Order.OLDEST
        self.thread.show(ThreadFace(rows, look, self._note, note_first=is_oldest), target)
        self._follow = None
        self.show_bar()

    def show_bar(self) -> None:
        """Say which task it is, how much was said, and where one is."""
        rows, tasks = self.thread.face.rows, self.chosen_tasks
        place = f" · {self.thread.cursor + 1}/{len(rows)}" if rows else ""
        known = {row.comment.id for row in rows}
        unread = sum(row.hidden_unread for row in rows) + len(self.marks & known)
        task = tasks[0] if tasks else None
        right = f"{'read only · ' if self.is_read_only else ''}{self.order.value}{place}"
        self.bar.say(*thread_line(task, self.detail, unread, right, self.size.width))

    @on(ThreadView.CursorMoved)
    def follow_cursor(self) -> None:
        """Say where one is, and have older comments at hand."""
        self.show_bar()
        self._have_older()

    def action_back(self) -> None:
        """Take an error off the screen, else go back."""
        if not self.clear_message():
            self._end_glance()
            self.store.close_task()
            self.dismiss()

    @work(exclusive=True, group="refresh")
    async def action_refresh_thread(self) -> None:
        """Ask for news now."""
        self.say("asking for new comments …")
        try:
            await self.store.refresh_task(self.task_id)
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return
        problem = self.store.status(self.board_id).problem
        self.say(problem or "up to date", error=bool(problem))

    def hear(self, event: StoreEvent) -> None:
        """Draw the thread again when it changed; things made here may have got new ids."""
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id == self.board_id:
            self._rename(dict(event.renamed))
            self.show_thread()
        elif isinstance(event, DetailChanged) and event.task_id == self.task_id:
            self.show_thread()
        elif isinstance(event, UploadProgress) and event.task_id == self.task_id and event.total:
            self.show_quietly(f"sending a picture: {event.sent * 100 // event.total} %")
        self.show_status()

    @property
    def _note(self) -> str:
        """What is said of the older comments."""
        if self._is_loading:
            return "loading older comments …"
        return self._older_trouble

    def _target(self, detail: TaskDetail | None) -> Comment | None:
        """The comment that the cursor is to be on."""
        here = self.current
        wanted = self._follow or (None if here is None else here.id)
        if detail is None or wanted is None:
            return self._first_target(detail)
        return detail.comment(wanted) or here

    def _first_target(self, detail: TaskDetail | None) -> Comment | None:
        """Where one begins to read: oldest first at the first unread comment, else at the end."""
        if detail is None or not detail.comments or self._has_shown:
            return None
        self._has_shown = True
        if self.order is Order.LATEST:
            return detail.comments[0]
        unread = next_unread(detail.comments, self.order, self.marks, None, 1)
        return unread or detail.comments[0]

    def _mark_unread(self, thread: Thread) -> None:
        """Mark what is unread, unfold the replies among it, and have it seen after a glance."""
        unread = self.store.unread_comments(self.task_id)
        new = unread - self.marks
        self.unfolded |= with_unread_replies(thread, new)
        self.marks |= unread
        if new and self._has_shown:
            many = f"{len(new)} new comments" if len(new) > 1 else "a new comment"
            self.show_quietly(many, hint="] and [ go there")
        if unread and self._glance is None:
            self._glance = self.set_timer(self.context.glance_seconds, self._have_seen)

    def _end_glance(self) -> None:
        """Who leaves at once has not looked; the screen, which is kept, would go on counting."""
        if self._glance is not None:
            self._glance.stop()
            self._glance = None

    def _have_seen(self) -> None:
        """The person has looked at it."""
        self._glance = None
        self._tell_seen()

    @work(group="seen")
    async def _tell_seen(self) -> None:
        await self.store.comments_seen(self.task_id)

    @work(exclusive=True, group="open")
    async def _open(self) -> None:
        await self.store.open_task(self.board_id, self.task_id)

    def _rename(self, renamed: dict[int, int]) -> None:
        """Go on with the ids that the service gave."""
        here = self.current
        if here is not None and here.id in renamed and self._follow is None:
            self._follow = renamed[here.id]
        self.task_id = renamed.get(self.task_id, self.task_id)
        self.unfolded = frozenset(renamed.get(one, one) for one in self.unfolded)

    def ask_again(self) -> None:
        """Ask once more for what could not be had."""
        if not self._is_loading:
            self._asked_with = None
            self._have_older()

    def _have_older(self) -> None:
        """Ask for older comments if one is near the end of those known."""
        detail, rows = self.detail, self.thread.face.rows
        if detail is None or not detail.comments or detail.all_comments or self._is_loading:
            return
        first, last = self.thread.in_sight
        left = first if self.order is Order.OLDEST else len(rows) - 1 - last
        if left < NEAR and self._asked_with != len(detail.comments):
            self._asked_with = len(detail.comments)
            self._is_loading = True
            self.show_thread()
            self._load_older()

    @work(exclusive=True, group="older")
    async def _load_older(self) -> None:
        self._older_trouble = ""
        try:
            await self.store.older_comments(self.task_id)
        except CallboardError as error:
            self._older_trouble = "older comments could not be had"
            self.say(error.message, hint=error.hint, error=True)
        finally:
            self._is_loading = False
        self.show_thread()


def thread_line(
    task: Task | None, detail: TaskDetail | None, unread: int, right: str, width: int
) -> tuple[Line, Line]:
    """The task, how much was said and how much of it is unread; at the right what else fits."""
    if task is None:
        return ((" This task is not here", "name"),), ()
    number = "new" if task.is_local else f"#{task.id}"
    facts = ""
    if detail is not None and detail.comments is not None:
        many = count(detail.comments)
        more = "" if detail.all_comments else "+"
        facts = f" · {many}{more} comment{'' if many == 1 and not more else 's'}"
    news = f" · {glyphs.NEWS} {unread} unread" if unread else ""
    room = width - cell_width(f"   {number}{news}{facts} ")
    right = f"{right} " if cell_width(right) + _TITLE <= room else ""
    title = cut(task.title, max(_TITLE, room - cell_width(right)))
    left = ((f" {title}", "name"), (f"  {number}", "quiet"), (news, "heard"), (facts, "quiet"))
    return left, ((right, "quiet"),)


def nothing_words(detail: TaskDetail | None, status: SyncStatus) -> str:
    """Why no comment is shown."""
    if detail is not None and Part.COMMENTS in detail.why:
        return detail.why[Part.COMMENTS]
    if detail is not None and detail.comments is not None:
        return "Nobody has said anything yet.\n\nc writes the first comment"
    if status.problem:
        return (
            "The comments are not known here yet; they come when the service answers.\n\n"
            "c writes one all the same: it is sent then"
        )
    return "asking for the comments …"
