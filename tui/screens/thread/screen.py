"""The screen with the comments of a task: read, reply, edit.

The cursor stays on its comment when others arrive. Comments that were unread stay marked until the
screen is closed, although they count as read after a moment.
"""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.timer import Timer
from textual.worker import Worker

from tui.actions.action import action, board_action
from tui.actions.comments import delete_comment, rewrite_comment, write_comment, write_reply
from tui.actions.host import ErrorsSaid
from tui.actions.links import follow_link, in_words
from tui.actions.tasks.cards import Cards
from tui.actions.tasks.history import HistoryActions
from tui.context import Context
from tui.model.comment import (
    Comment,
    CommentImage,
    Order,
    Thread,
    count,
    has_public,
    next_unread,
    thread_rows,
    with_unread_replies,
)
from tui.model.comment_text import followed
from tui.model.detail import DetailPart, TaskDetail, find_task
from tui.model.people import Role, by_mention
from tui.model.task import Task
from tui.navigation import ThreadRequested
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import TITLE_WIDTH, WIDE, sync_words, trouble_notice
from tui.screens.thread.view import CommentLook, ThreadView, why_empty
from tui.store.events import (
    BoardChanged,
    DetailChanged,
    StatusChanged,
    StoreEvent,
    UploadProgress,
)
from tui.store.operations.base import Operation
from tui.text.cells import cut, width as cell_width
from tui.text.clean import counted
from tui.widgets import glyphs
from tui.widgets.bars import Notice
from tui.widgets.painted import Line, Span, line_width

NEAR = 10
"""How many comments before the last loaded one older ones are requested."""

FIRST_HINTS = dict.fromkeys(
    ("comment.reply", "comment.new", "thread.unfold", "thread.next-unread"), ""
)
"""The bindings that come first in the key hints."""

_EMPTY_HINTS = {"comment.new": "write comment", "thread.refresh": "refresh", "thread.back": "back"}
"""All bindings in the key hints of a thread without comments."""

_LEAST_TITLE = 12
"""The least width of the title in the bar."""


class ThreadScreen(CallboardScreen):
    """The comments of a task."""

    actions_of = (HistoryActions,)

    def __init__(
        self, context: Context, board_id: int, task_id: int, comment_id: int | None = None
    ) -> None:
        super().__init__(context)
        self.task_id = task_id
        self.shows = lambda shown_id: shown_id == self.task_id
        self.tasks = Cards(self, board_id, chosen=self._chosen)
        self.actions.offer(HistoryActions(self, lambda: self.tasks.board_id, self._go_to_changed))
        self.keys.first_hints = FIRST_HINTS
        self.thread = ThreadView(CommentLook(context.now()))
        self._loading: Worker[None] | None = None
        self._glance: Timer | None = None
        self._forget(comment_id)

    def _forget(self, comment_id: int | None) -> None:
        order = self.context.preferences.text(self.tasks.board_id, "thread_order")
        self.order = Order(order) if order in set(Order) else Order.LATEST
        self.marks: frozenset[int] = frozenset()
        self.unfolded: frozenset[int] = frozenset()
        self._follow, self._has_shown = comment_id, False
        self._is_loading, self._problem = False, ""
        self._count_at_request: int | None = None

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.thread
        yield self.status
        yield self.status.footer

    def on_mount(self) -> None:
        self.show_thread()

    def begin(self, board_id: int, task_id: int, comment_id: int | None = None) -> None:
        self.tasks.board_id, self.task_id = board_id, task_id
        # Its end would be taken for that of a request for this task.
        if self._loading is not None:
            self._loading.cancel()
        self._forget(comment_id)
        self._stop_glance()
        self.begin_anew()
        self.thread.begin()
        self.show_thread()

    def came_back(self) -> None:
        # The store may have opened another task meanwhile.
        opening = self.store.open_task(self.tasks.board_id, self.task_id)
        self.run_worker(opening, group="open", exclusive=True)

    @property
    def detail(self) -> TaskDetail | None:
        return self.store.detail(self.task_id)

    @property
    def has_data_for_keys(self) -> bool:
        # Comments that the store has are drawn a moment later.
        detail = self.detail
        if self.thread.rows or not self.tasks.tasks:
            return True
        if detail is not None and (detail.comments == () or DetailPart.COMMENTS in detail.why):
            return True
        return bool(self.store.status(self.tasks.board_id).problem)

    @property
    def current(self) -> Comment | None:
        row = self.thread.row
        return None if row is None else row.comment

    @property
    def own_board(self) -> int:
        return self.tasks.board_id

    @property
    def request_here(self) -> ThreadRequested:
        current = self.current
        comment_id = None if current is None else current.id
        return ThreadRequested(self.tasks.board_id, self.task_id, comment_id)

    @property
    def role(self) -> Role:
        return self.tasks.role

    def _chosen(self) -> tuple[Task, ...]:
        detail, view = self.detail, self.tasks.view
        task = detail.task if detail is not None else None
        if task is None and view is not None:
            task = find_task(view, None, self.task_id)
        return () if task is None else (task,)

    def follow(self, comment_id: int | None) -> None:
        """Move the cursor to a comment once it is drawn, unfolding the replies around it."""
        if comment_id is not None:
            self._follow = comment_id
            self.show_at_cursor()

    def own_notice(self) -> Notice | None:
        status = self.store.status(self.tasks.board_id)
        return trouble_notice(status, "{thread.refresh:R} try now")

    def hints(self) -> tuple[Line, Line]:
        if self.thread.rows:
            return super().hints()
        return self.keys.hints(self.role, _EMPTY_HINTS, are_all=True)

    def edge_line(self, width: int) -> tuple[Line, Line]:
        del width
        below = self.thread.out_of_sight
        words = f"  {glyphs.DOWN} {counted(below, 'more comment')}" if below else ""
        return ((words, "quiet"),), ()

    def show_thread(self) -> None:
        detail = self.detail
        thread: Thread = (detail.comments or ()) if detail is not None else ()
        self._mark_unread(thread)
        target = self._target(detail)
        # A followed reply may be folded: unfold its thread to draw it.
        if target is not None and target.parent_id is not None and target.id == self._follow:
            self.unfolded |= {target.parent_id}
        rows = thread_rows(thread, self.order, self.unfolded, self.marks)
        problem = self.store.status(self.tasks.board_id).problem
        forbidden = self.actions.unavailable("comment.new") or ""
        self.thread.nothing = why_empty(detail, problem, forbidden)
        look = CommentLook(
            self.context.now(),
            frozenset(by_mention(self.tasks.people)),
            frozenset() if detail is None else detail.pending_of("comment"),
            has_public(thread),
        )
        note = "loading older comments …" if self._is_loading else self._problem
        is_oldest = self.order is Order.OLDEST
        self.thread.show(rows, look, target, note, note_first=is_oldest)
        # A comment may be asked for before the task was read: it is followed once it is there.
        self._follow = None if detail is not None else self._follow
        self.show_bar()

    def show_at_cursor(self) -> None:
        self.show_thread()
        self.thread.go_to(self.thread.cursor)

    def show_bar(self) -> None:
        tasks, detail, rows = self.tasks.tasks, self.detail, self.thread.rows
        if not tasks:
            self.bar.say(((" This card is not here", "strong"),), ())
            return
        task, view = tasks[0], self.tasks.view
        number = "new" if task.is_local else f"#{task.id}"
        facts = ""
        if detail is not None and detail.comments is not None:
            total = count(detail.comments)
            more = "" if detail.all_comments else "+"
            facts = f"  {total}{more} comment{'' if total == 1 and not more else 's'}"
        # Folded replies are counted by their row, the others by their marks.
        drawn = {row.comment.id for row in rows}
        unread = sum(row.hidden_unread for row in rows) + len(self.marks & drawn)
        place = f"  {self.thread.cursor + 1}/{len(rows)}" if rows else ""
        right: list[Span] = [
            (f"{glyphs.NEWS} {unread} unread  " if unread else "", "news"),
            ("read only  " if self.role is Role.VIEWER else "", "warn"),
            (f"{self.order.value}{place}  ", "quiet"),
            *sync_words(self.store.status(self.tasks.board_id), self.context.now()),
            (" ", "text"),
        ]
        left: list[Span] = [(f" {number} ", "place"), (" ", "quiet")]
        if view is not None and self.size.width >= WIDE:
            crumb = f" {glyphs.RIGHT} {number} {glyphs.RIGHT} "
            left = [(f" {cut(view.board.title, TITLE_WIDTH)} ", "place"), (crumb, "quiet")]
        room = self.size.width - 1 - line_width((*left, *right)) - cell_width(facts)
        if room < _LEAST_TITLE:
            facts, room = "", room + cell_width(facts)
        title = cut(task.title, max(_LEAST_TITLE, room))
        self.bar.say((*left, (title, "strong"), (facts, "quiet")), tuple(right))

    @on(ThreadView.CursorMoved)
    def follow_cursor(self) -> None:
        self.show_bar()
        self._load_if_near()

    def _load_if_near(self) -> None:
        # One request for each loaded page: a failed one is repeated on a key, not by scrolling.
        detail = self.detail
        if detail is None or not detail.comments or detail.all_comments or self._is_loading:
            return
        first, last = self.thread.in_sight
        left = first if self.order is Order.OLDEST else len(self.thread.rows) - 1 - last
        if left < NEAR and self._count_at_request != len(detail.comments):
            self._count_at_request = len(detail.comments)
            self._is_loading = True
            self.show_thread()
            self._loading = self.run_worker(self._load_older(), group="older", exclusive=True)

    def _load_again(self) -> None:
        # A key at the end of the list asks again, even after a failure.
        if not self._is_loading:
            self._count_at_request = None
            self._load_if_near()

    async def _load_older(self) -> None:
        self._problem = "older comments could not be loaded"
        try:
            with ErrorsSaid(self, in_background=True):
                await self.store.older_comments(self.task_id)
                self._problem = ""
        finally:
            self._is_loading = False
        self.show_thread()

    @board_action("comment.reply", "r", "Reply to comment", hint="reply", asks=True)
    async def reply(self) -> None:
        if both := self._need_both():
            self.follow(await write_reply(self.tasks, *both))

    @board_action("comment.quote", "Q", "Reply with quote", hint="quote", asks=True)
    async def quote(self) -> None:
        from tui.text.markdown import quoted

        if both := self._need_both():
            text = both[1].text
            quote = f"{quoted(text)}\n\n" if text.strip() else ""
            self.follow(await write_reply(self.tasks, *both, quote))

    @board_action("comment.new", "c", "Write comment", hint="comment", asks=True)
    async def write(self) -> None:
        if task := self._need_task():
            self.follow(await write_comment(self.tasks, task))

    @board_action("comment.edit", "e", "Edit comment", hint="edit", asks=True)
    async def edit(self) -> None:
        if own := self._need_own("edit"):
            await rewrite_comment(self.tasks, *own)

    @board_action("comment.delete", "D", "Delete comment", asks=True)
    async def delete(self) -> None:
        if own := self._need_own("delete"):
            await delete_comment(self.tasks, *own)

    @action("comment.picture", "v", "Show picture of comment", asks=True)
    async def show_picture(self) -> None:
        from tui.dialogs.picture import PictureDialog

        both = self._need_both()
        if both is None:
            return
        task, comment = both
        if not comment.images:
            self.say("no picture in this comment")
            return
        image: CommentImage | None = comment.images[0]
        if len(comment.images) > 1:
            titles = [f"{picture.title or 'picture'}  {picture.size}" for picture in comment.images]
            chosen = await self._choose("Which picture?", titles)
            image = None if chosen is None else comment.images[chosen]
        if image is not None:
            await self.ask(PictureDialog(self.context, task.id, image))

    @action("comment.link", "o", "Open link in comment", asks=True)
    async def open_link(self) -> None:
        comment = self._need_comment()
        if comment is None:
            return
        links = followed(comment.text)
        if not links:
            self.say("no link in this comment")
            return
        titles = [in_words(self, link) for link in links]
        chosen = 0 if len(links) == 1 else await self._choose("Open which link?", titles)
        if chosen is not None:
            await follow_link(self, links[chosen])

    @action("comment.copy", "y", "Copy text of comment")
    def copy(self) -> None:
        if comment := self._need_comment():
            self.app.copy_to_clipboard(comment.text)
            self.say("copied the text of the comment")

    @action("thread.next", "j,down", "Next comment", arguments=(1,))
    @action("thread.before", "k,up", "Previous comment", arguments=(-1,))
    def move(self, by: int) -> None:
        previous = self.thread.cursor
        self.thread.move(by)
        self.show_bar()
        if previous == self.thread.cursor:
            self._load_again()

    @action("thread.page-down", "ctrl+d,pagedown", "Scroll down half a page", arguments=(1,))
    @action("thread.page-up", "ctrl+u,pageup", "Scroll up half a page", arguments=(-1,))
    def page(self, direction: int) -> None:
        self.thread.page(direction)
        self.show_bar()

    @action("thread.first", "g g,home", "First comment", arguments=(0,))
    @action("thread.last", "G,end", "Last comment", arguments=(-1,))
    def go_to_end(self, end: int) -> None:
        self.thread.end(end)
        self._load_again()

    @action("thread.next-unread", "]", "Next unread comment", hint="next unread", arguments=(1,))
    @action("thread.unread-before", "[", "Previous unread comment", arguments=(-1,))
    def go_to_unread(self, by: int) -> None:
        detail, current = self.detail, self.current
        thread = (detail.comments or ()) if detail is not None else ()
        after = None if current is None else current.id
        comment = next_unread(thread, self.order, self.marks, after, by)
        if comment is not None:
            self.follow(comment.id)
        elif self.marks:
            self.say(f"no unread comment {'below' if by > 0 else 'above'}")
        else:
            self.say("no unread comments")

    @action("thread.unfold", "enter", "Fold or unfold replies", hint="unfold")
    def unfold(self) -> None:
        both = self._need_both()
        if both is None:
            return
        _, comment = both
        if comment.images and not comment.replies:
            self.actions.perform("comment.picture")
        elif comment.replies or comment.parent_id is not None:
            self.unfolded ^= {comment.parent_id or comment.id}
            self.show_at_cursor()
        else:
            self.say("no replies", hint="{comment.reply:r} to add one")

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
        with ErrorsSaid(self, in_background=True):
            await self.store.refresh_task(self.task_id)
            problem = self.store.status(self.tasks.board_id).problem
            self.say(problem or "up to date", error=bool(problem))

    def hear(self, event: StoreEvent) -> None:
        self.tasks.hear(event)
        super().hear(event)
        if isinstance(event, BoardChanged) and event.board_id == self.tasks.board_id:
            current, renamed = self.current, event.renamed
            # The cursor stays on a new comment when the service assigns its id.
            if current is not None and current.id in renamed and self._follow is None:
                self._follow = renamed[current.id]
            self.task_id = renamed.get(self.task_id, self.task_id)
            self.unfolded = frozenset(renamed.get(some_id, some_id) for some_id in self.unfolded)
            self.show_thread()
        elif isinstance(event, DetailChanged) and event.task_id == self.task_id:
            self.show_thread()
        elif isinstance(event, StatusChanged):
            self.show_bar()
        elif isinstance(event, UploadProgress) and event.task_id == self.task_id and event.total:
            self.status.tell_quietly(f"sending a picture: {event.sent * 100 // event.total} %")
        self.status.draw()

    def _target(self, detail: TaskDetail | None) -> Comment | None:
        current = self.current
        target_id = self._follow or (None if current is None else current.id)
        if detail is not None and target_id is not None:
            return detail.comment(target_id) or current
        if detail is None or not detail.comments or self._has_shown:
            return None
        self._has_shown = True
        # With the oldest first, reading starts at the first unread comment.
        if self.order is Order.LATEST:
            return detail.comments[0]
        unread = next_unread(detail.comments, self.order, self.marks, None, 1)
        return unread or detail.comments[0]

    def _mark_unread(self, thread: Thread) -> None:
        # Unread comments count as read after a moment; their marks stay while the screen is open.
        unread = self.store.unread_comments(self.task_id)
        new = unread - self.marks
        self.unfolded |= with_unread_replies(thread, new)
        self.marks |= unread
        # Not at opening: then the marks alone tell of unread comments.
        if new and self._has_shown:
            news = f"{len(new)} new comments" if len(new) > 1 else "a new comment"
            self.status.tell_quietly(
                news, hint="{thread.next-unread:]} and {thread.unread-before:[} to go there"
            )
        if unread and self._glance is None:
            self._glance = self.set_timer(self.context.glance_seconds, self._mark_read)

    def _stop_glance(self) -> None:
        # A user who leaves at once has not read them. The screen is reused, and its timers go on.
        if self._glance is not None:
            self._glance.stop()
            self._glance = None

    def _mark_read(self) -> None:
        self._glance = None
        self.run_worker(self.store.mark_comments_read(self.task_id), group="seen")

    def _go_to_changed(self, operation: Operation) -> str | None:
        kind, own_id = operation.subject
        if kind != "comment" or self.detail is None or self.detail.comment(own_id) is None:
            return None
        self.follow(own_id)
        return ""

    def _need_task(self) -> Task | None:
        tasks = self.tasks.tasks
        if not tasks:
            self.say("this card is no longer here", hint="{thread.back:esc} to go back")
            return None
        if why := self.tasks.why_lacking(tasks[:1], DetailPart.COMMENTS):
            self.say(why)
            return None
        return tasks[0]

    def _need_comment(self) -> Comment | None:
        comment, detail = self.current, self.detail
        if comment is None and (detail is None or detail.comments is None):
            self.say(
                "the comments are not loaded yet",
                hint="{thread.refresh:R} to load them, {comment.new:c} to add one",
            )
        elif comment is None:
            self.say("no comment here", hint="{comment.new:c} to add one")
        return comment

    def _need_both(self) -> tuple[Task, Comment] | None:
        task = self._need_task()
        comment = self._need_comment() if task is not None else None
        return None if task is None or comment is None else (task, comment)

    def _need_own(self, verb: str) -> tuple[Task, Comment] | None:
        both = self._need_both()
        author = both[1].author if both is not None else None
        # A comment with a local id is the user's own.
        if both is None or author is None or both[1].id < 0:
            return both
        me = self.tasks.me
        if self.store.me.may_be_of(author) if me is None else author.id == me.id:
            return both
        self.say(
            f"only {author.name} can {verb} this comment",
            hint="{comment.reply:r} to reply",
        )
        return None

    async def _choose(self, title: str, labels: Sequence[str]) -> int | None:
        from tui.dialogs.questions import ChooseDialog, lettered

        choices = lettered((str(index), label) for index, label in enumerate(labels))
        answer = await self.ask(ChooseDialog(title, choices))
        return None if answer is None else int(answer)
