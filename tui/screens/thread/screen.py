"""The screen with the comments of a task: read, reply, edit.

The cursor stays on its comment when others arrive. Comments that were unread stay marked until the
screen is closed, although they count as read after a moment.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from tui.actions.action import action, bindings
from tui.actions.comments import CommentActions
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.history import HistoryActions
from tui.context import Context
from tui.model.comment import (
    Comment,
    Order,
    Thread,
    has_public,
    next_unread,
    thread_rows,
    with_unread_replies,
)
from tui.model.detail import TaskDetail, find_task
from tui.model.people import Role, by_mention
from tui.model.task import Task
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import trouble_line
from tui.screens.thread.lines import Look, nothing_words, thread_line
from tui.screens.thread.older import OlderComments
from tui.screens.thread.view import ThreadFace, ThreadView
from tui.store.events import BoardChanged, DetailChanged, StoreEvent, UploadProgress
from tui.store.operations.base import Operation
from tui.theme import stylesheet
from tui.widgets.painted import Line


class ThreadScreen(CallboardScreen):
    """The comments of a task."""

    CSS_PATH = stylesheet("thread.tcss")
    BINDINGS: ClassVar[list[BindingType]] = bindings(CommentActions)
    actions_of = (HistoryActions,)

    def __init__(
        self, context: Context, board_id: int, task_id: int, comment_id: int | None = None
    ) -> None:
        super().__init__(context)
        self.task_id = task_id
        self.tasks = Cards(self, board_id, chosen=self._chosen)
        self.comments = CommentActions(self.tasks, lambda: self.current, self.follow)
        self.actions.offer(self.comments)
        self.actions.offer(HistoryActions(self, lambda: self.tasks.board_id, self._go_to_changed))
        self.order = self._saved_order()
        self.thread = ThreadView(ThreadFace((), Look(context.now())))
        self.older = OlderComments(self)
        self.marks: frozenset[int] = frozenset()
        self.unfolded: frozenset[int] = frozenset()
        self._follow = comment_id
        self._has_shown = False
        self._glance: Timer | None = None

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.thread
        yield Static(id="thread-nothing")
        yield self.status

    def on_mount(self) -> None:
        self.show_thread()

    def begin(self, board_id: int, task_id: int, comment_id: int | None = None) -> None:
        self.tasks.board_id, self.task_id = board_id, task_id
        self.older.begin()
        self._follow, self._has_shown = comment_id, False
        self._stop_glance()
        self.begin_anew()
        self.order = self._saved_order()
        self.marks = self.unfolded = frozenset()
        self.thread.begin()
        self.show_thread()

    def came_back(self) -> None:
        """Open the task in the store again, which may have opened another one meanwhile."""
        opening = self.store.open_task(self.tasks.board_id, self.task_id)
        self.run_worker(opening, group="open", exclusive=True)

    @property
    def detail(self) -> TaskDetail | None:
        """The task with its comments, as the store has them now."""
        return self.store.detail(self.task_id)

    @property
    def current(self) -> Comment | None:
        """The comment at the cursor."""
        row = self.thread.row
        return None if row is None else row.comment

    @property
    def role(self) -> Role:
        return self.tasks.role

    def _chosen(self) -> tuple[Task, ...]:
        """The task of the thread; empty if it no longer exists."""
        detail, view = self.detail, self.tasks.view
        task = detail.task if detail is not None else None
        if task is None and view is not None:
            task = find_task(view, None, self.task_id)
        return () if task is None else (task,)

    def follow(self, comment_id: int) -> None:
        """Move the cursor to a comment once it is drawn, unfolding the replies around it."""
        self._follow = comment_id
        self.show_at_cursor()

    def status_line(self) -> Line | None:
        """The connection problem, if any."""
        return trouble_line(
            self.store.status(self.tasks.board_id), "{thread.refresh:R} tries again"
        )

    def show_thread(self) -> None:
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
            status = self.store.status(self.tasks.board_id)
            nothing.update(Content(nothing_words(detail, status)))
        look = Look(
            self.context.now(),
            frozenset(by_mention(self.tasks.people)),
            frozenset() if detail is None else detail.pending_of("comment"),
            has_public(thread),
        )
        is_oldest = self.order is Order.OLDEST
        self.thread.show(ThreadFace(rows, look, self.older.note, note_first=is_oldest), target)
        self._follow = None if detail is not None else self._follow
        self.show_bar()

    def show_at_cursor(self) -> None:
        self.show_thread()
        self.thread.go_to(self.thread.cursor)

    def show_bar(self) -> None:
        """Update the bar: task, number of comments, order and position."""
        rows, tasks = self.thread.face.rows, self.tasks.tasks
        place = f" · {self.thread.cursor + 1}/{len(rows)}" if rows else ""
        known = {row.comment.id for row in rows}
        unread = sum(row.hidden_unread for row in rows) + len(self.marks & known)
        task = tasks[0] if tasks else None
        right = f"{'read only · ' if self.role is Role.VIEWER else ''}{self.order.value}{place}"
        self.bar.say(*thread_line(task, self.detail, unread, right, self.size.width))

    @on(ThreadView.CursorMoved)
    def follow_cursor(self) -> None:
        """Update the bar, and load older comments if the end is near."""
        self.show_bar()
        self.older.have_at_hand()

    @action("thread.next", "j,down", "Next comment", arguments=(1,))
    @action("thread.before", "k,up", "Previous comment", arguments=(-1,))
    def move(self, by: int) -> None:
        before = self.thread.cursor
        self.thread.move(by)
        self.show_bar()
        if before == self.thread.cursor:
            self.older.ask_again()

    @action("thread.page-down", "ctrl+d,pagedown", "Scroll down half a page", arguments=(1,))
    @action("thread.page-up", "ctrl+u,pageup", "Scroll up half a page", arguments=(-1,))
    def page(self, direction: int) -> None:
        self.thread.page(direction)
        self.show_bar()

    @action("thread.first", "g g,home", "First comment", arguments=(0,))
    @action("thread.last", "G,end", "Last comment", arguments=(-1,))
    def go_to_end(self, end: int) -> None:
        self.thread.end(end)
        self.older.ask_again()

    @action("thread.next-unread", "]", "Next unread comment", hint="next unread", arguments=(1,))
    @action("thread.unread-before", "[", "Previous unread comment", arguments=(-1,))
    def go_to_unread(self, by: int) -> None:
        detail, here = self.detail, self.current
        thread = (detail.comments or ()) if detail is not None else ()
        after = None if here is None else here.id
        comment = next_unread(thread, self.order, self.marks, after, by)
        if comment is not None:
            self.follow(comment.id)
        elif self.marks:
            self.say(f"no unread comment {'below' if by > 0 else 'above'}")
        else:
            self.say("no unread comments")

    @action("thread.unfold", "enter", "Fold or unfold replies", hint="unfold")
    async def unfold(self) -> None:
        both = self.comments.need_both()
        if both is None:
            return
        _, comment = both
        if comment.images and not comment.replies:
            await self.actions.perform("comment.picture")
        elif comment.replies or comment.parent_id is not None:
            self.unfolded ^= {comment.parent_id or comment.id}
            self.show_at_cursor()
        else:
            self.say("there are no replies", hint="{comment.reply:r} writes one")

    @action("thread.order", "O", "Reverse order of comments")
    def reverse_order(self) -> None:
        self.order = self.order.other
        self.context.preferences.keep(self.tasks.board_id, thread_order=self.order.value)
        self.show_at_cursor()
        self.say(self.order.value)

    @action("thread.back", "escape", "Go back", hint="back", while_moving=True)
    def go_back(self) -> None:
        if not self.status.clear():
            self._stop_glance()
            self.store.close_task()
            self.dismiss()

    @action("thread.refresh", "R", "Refresh comments")
    def refresh_thread(self) -> None:
        self.say("refreshing …")
        self.run_worker(self._refresh(), group="refresh", exclusive=True)

    async def _refresh(self) -> None:
        with ErrorsSaid(self):
            await self.store.refresh_task(self.task_id)
            problem = self.store.status(self.tasks.board_id).problem
            self.say(problem or "up to date", error=bool(problem))

    def hear(self, event: StoreEvent) -> None:
        """Redraw the thread after a store event, which may also replace local ids."""
        self.tasks.hear(event)
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id == self.tasks.board_id:
            self._rename(dict(event.renamed))
            self.show_thread()
        elif isinstance(event, DetailChanged) and event.task_id == self.task_id:
            self.show_thread()
        elif isinstance(event, UploadProgress) and event.task_id == self.task_id and event.total:
            self.status.tell_quietly(f"sending a picture: {event.sent * 100 // event.total} %")
        self.status.draw()

    def _target(self, detail: TaskDetail | None) -> Comment | None:
        """The comment to move the cursor to."""
        here = self.current
        wanted = self._follow or (None if here is None else here.id)
        if detail is None or wanted is None:
            return self._first_target(detail)
        return detail.comment(wanted) or here

    def _first_target(self, detail: TaskDetail | None) -> Comment | None:
        """The comment to start at: with oldest first, the first unread one; else the latest."""
        if detail is None or not detail.comments or self._has_shown:
            return None
        self._has_shown = True
        if self.order is Order.LATEST:
            return detail.comments[0]
        unread = next_unread(detail.comments, self.order, self.marks, None, 1)
        return unread or detail.comments[0]

    def _mark_unread(self, thread: Thread) -> None:
        """Mark unread comments, unfold unread replies, and start the timer that marks them read."""
        unread = self.store.unread_comments(self.task_id)
        new = unread - self.marks
        self.unfolded |= with_unread_replies(thread, new)
        self.marks |= unread
        if new and self._has_shown:
            many = f"{len(new)} new comments" if len(new) > 1 else "a new comment"
            self.status.tell_quietly(
                many, hint="{thread.next-unread:]} and {thread.unread-before:[} go there"
            )
        if unread and self._glance is None:
            self._glance = self.set_timer(self.context.glance_seconds, self._mark_read)

    def _stop_glance(self) -> None:
        """Stop the timer: a user who leaves at once has not read them, and the screen is kept."""
        if self._glance is not None:
            self._glance.stop()
            self._glance = None

    def _mark_read(self) -> None:
        """Mark the comments as read, because the user has seen them."""
        self._glance = None
        self.run_worker(self.store.mark_comments_read(self.task_id), group="seen")

    def _rename(self, renamed: dict[int, int]) -> None:
        here = self.current
        if here is not None and here.id in renamed and self._follow is None:
            self._follow = renamed[here.id]
        self.task_id = renamed.get(self.task_id, self.task_id)
        self.unfolded = frozenset(renamed.get(one, one) for one in self.unfolded)

    def _saved_order(self) -> Order:
        kept = self.context.preferences.text(self.tasks.board_id, "thread_order")
        return Order(kept) if kept in set(Order) else Order.LATEST

    def _go_to_changed(self, operation: Operation) -> str | None:
        kind, own_id = operation.subject
        if kind != "comment" or self.detail is None or self.detail.comment(own_id) is None:
            return None
        self.follow(own_id)
        return ""
