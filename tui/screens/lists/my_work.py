"""My work: the user's open cards on all active boards, and comments that wait for an answer."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import ClassVar

from textual import on
from textual.worker import WorkType

from tui.actions.action import action
from tui.actions.tasks.refresh import trouble_hint
from tui.config.preferences import ALL_BOARDS, SEEN
from tui.config.stage_settings import with_own_settings
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import BoardView
from tui.model.comment import every
from tui.model.comment_text import followed
from tui.model.events.activity import day_title
from tui.model.events.history import BEGINNING, Age, Event, EventKind, ages
from tui.model.people import in_initials, initials_of
from tui.model.task import Priority, Task
from tui.model.urgency import is_overdue, is_upcoming
from tui.model.work.my_work import Unanswered, Work, WorkSection, my_work, unanswered
from tui.navigation import TaskRequested, ThreadRequested
from tui.runtime.slices import Slicer
from tui.screens.board_lines import status_of
from tui.screens.keys import Hints
from tui.screens.list_order import ListOrder
from tui.screens.lists.cards import LISTED, CardListScreen
from tui.store.clock import few_at_once
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    DetailChanged,
    StatusChanged,
    StoreEvent,
    SyncStatus,
    UnseenChanged,
)
from tui.store.protocol import Store
from tui.text.cells import cut
from tui.text.dates import age, local, relative
from tui.text.fuzzy import fold
from tui.widgets import glyphs
from tui.widgets.painted import Line, Span, linked
from tui.widgets.row_list import Heading, ListColumn, RowList

_READ_BACK = timedelta(days=7)
"""How far back the activity of boards is read for comments that wait for an answer."""
_ROLES = {WorkSection.OVERDUE: "bad", WorkSection.TODAY: "warn", WorkSection.WAITING: "news"}
"""The roles of the headings that stand out."""
_INDENT = 8
"""Where the title of a card begins, and the comment below it."""
_FRESH = timedelta(minutes=1)
"""A board that was checked more recently than this is not refreshed."""


class WaitingComments:
    """The comments that wait for an answer of the user, by board and task, and ages of cards.

    `known_since` is, by board, since when all comments are known; None if only those of cards
    that were opened: many services do not tell of comments in the activity of a board.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_board: dict[int, dict[int, tuple[Unanswered, ...]]] = {}
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._comments_at: dict[int, tuple[list[datetime], ...]] = {}
        """When others commented on each card: by the cached comments, and by the history."""
        self.known_since: dict[int, datetime | None] = {}
        self.ages: dict[int, Mapping[int, Age]] = {}
        """Since when the user's cards are in their stages, by board and task."""

    async def read(self, view: BoardView) -> None:
        """Read the cached comments of a board again; the last reading counts."""
        board_id, slicer = view.board.id, Slicer()
        # One reading of a board at a time: an earlier, slower one could replace a later one.
        async with self._one_at_a_time[board_id]:
            me, is_me = self._store.me, cache(self._store.me.is_of)
            threads = await self._store.comments(board_id)
            history = await self._store.history(board_id)
            events: defaultdict[int, list[Event]] = defaultdict(list)
            for event in history.events:
                if event.kind is EventKind.COMMENTED and not event.is_observed:
                    events[event.task_id].append(event)
            by_task = {}
            for task_id in threads.keys() | events.keys():
                written = [
                    (comment.created_at, comment.author)
                    for comment in every(threads.get(task_id, ()))
                ]
                logged = [(event.at, event.by) for event in events[task_id]]
                self._comments_at[task_id] = tuple(
                    [at for at, by in source if at is not None and not me.is_of(by)]
                    for source in (written, logged)
                )
                comments = unanswered(threads.get(task_id, ()), events[task_id], me, view.people)
                if comments:
                    by_task[task_id] = comments
                await slicer.yield_if_over()
            self._by_board[board_id] = by_task
            cards = (
                (task, stage.title)
                for stage in view.stages
                for task in view.in_stage(stage.id)
                if task.id in by_task or any(map(is_me, task.assignees))
            )
            self.ages[board_id] = ages(cards, history)
            # A board with comments, but without events of them: its service does not log comments.
            tells = bool(events) or not any(task.comments_count for task in view.all_tasks())
            self.known_since[board_id] = history.complete_since if tells else None

    def how_far(self, now: datetime) -> str:
        """Since when comments are known of all boards, in words; empty for all of them."""
        since = max((at for at in self.known_since.values() if at is not None), default=None)
        if since is None or None in self.known_since.values():
            return "based on comments seen here"
        return "" if since == BEGINNING else f"comments since {_day_and_time(local(since), now)}"

    def time_in_stage(self, task: Task, now: datetime) -> str:
        """How long a card has been in its stage; empty if that is not known."""
        since = self.ages.get(task.board_id, {}).get(task.id)
        if since is None:
            return ""
        count, unit = age(min(local(since.since), now), now)
        return f"{'' if since.is_exact else '≥'}{count}{unit[0]}"

    def news(self, task: Task, left_at: int | None) -> str:
        """The sign of a card with unread comments, or that others changed, with a number.

        The number is that of comments, which are known since the user left the board.
        """
        comments = len(self._store.unread_comments(task.id))
        is_changed = task.id in self._store.changed_by_others(task.board_id)
        if is_changed and left_at is not None:
            left, sources = datetime.fromtimestamp(left_at, UTC), self._comments_at.get(task.id, ())
            # The cached comments and the log overlap: the larger number counts, not the sum.
            comments = max((comments, *(sum(at > left for at in times) for times in sources)))
        return f"{glyphs.NEWS}{comments or ''}" if comments or is_changed else ""

    def on(self, board_ids: Sequence[int]) -> dict[int, tuple[Unanswered, ...]]:
        """The comments on these boards by task."""
        boards = (self._by_board.get(board_id, {}) for board_id in board_ids)
        return {task_id: comments for board in boards for task_id, comments in board.items()}


_HINTS: Hints = {
    "mine.open": "",
    "task.close": "",
    "card.next": "next stage",
    "task.comment": "",
    "task.due": "",
    "list.search": "",
    "list.back": "",
}
_HINTS_OF_QUESTION: Hints = {"task.comment": "answer"} | {
    name: word for name, word in _HINTS.items() if name != "task.comment"
}


class MyWorkScreen(CardListScreen[Work]):
    """The user's cards of all boards, by section."""

    actions_of = (*LISTED, ListOrder)
    row_name, opens = "card", "mine.open"
    first_hints: ClassVar[Hints] = _HINTS
    keeps_order = True
    start = "my-work"
    sortable = ("card", "stage", "due")
    columns = (
        ListColumn("#", width=7, role="quiet", align="right", gap=1),
        ListColumn("card", gap=1),
        ListColumn("", width=2, role="strong", least=70),
        ListColumn("stage", width=30, role="quiet", gap=1, least=100, wide=57),
        ListColumn("with", width=7, gap=1, least=70),
        ListColumn("here", width=7, role="quiet", align="right", gap=2, least=70),
        ListColumn("due", width=12, gap=1),
        ListColumn("new", width=3, role="news", least=50),
    )

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self._all_are_due = True
        """Whether every board is asked for news at the next loading."""
        self._waiting = WaitingComments(context.store)
        self._up_to_date: set[int] = set()
        self._with_log: set[int] = set()
        self._listed: set[int] = set()
        self._me = context.store.me
        self._progress = ""
        self._in_section: Counter[WorkSection] = Counter()
        self._left_at: Mapping[int, int] = {}
        """When the user left each board last, in seconds."""

    @property
    def heading(self) -> str:
        away = self._progress
        if not away and self.store.status().problem:
            times = [self.store.status(view.board.id).checked_at for view in self._views()]
            oldest = min((local(at) for at in times if at is not None), default=None)
            away = (
                f"as of {_day_and_time(oldest, self.context.now())}" if oldest else "from the cache"
            )
        return " · ".join(filter(None, ("My work", away)))

    @property
    def sync_status(self) -> SyncStatus:
        return status_of(self.store, [board.id for board in self.active_boards])

    async def load_rows(self) -> None:
        self._me, self._listed = self.store.me, {board.id for board in self.active_boards}
        for board in self.active_boards:
            if board.id not in self._up_to_date:
                await self._read(board.id)
        self.show_again()
        due = []
        for board in self.active_boards:
            checked = self.store.status(board.id).checked_at
            is_old = checked is None or self.context.now() - local(checked) > _FRESH
            # The service does not know a board with a local id yet.
            if board.id > 0 and (self._all_are_due or is_old):
                due.append(board.id)
        self._all_are_due = False
        started = 0

        async def fetch(board_id: int) -> None:
            nonlocal started
            started += 1
            self._progress = f"loading {started} of {len(due)} boards"
            self.show_again()
            await self._fetch(board_id)

        try:
            await few_at_once(fetch, due)
        finally:
            self._progress = ""

    async def _read(self, board_id: int) -> None:
        view = await self.store.load_board(board_id)
        if view is not None:
            self._up_to_date.add(board_id)
            await self._waiting.read(view)

    async def _fetch(self, board_id: int) -> None:
        previous = self.store.board(board_id)
        await self.store.refresh(board_id, only_changes=True)
        # The same object means that nothing has changed, so the log has nothing new either.
        is_same = previous is not None and self.store.board(board_id) is previous
        is_known = is_same and board_id in self._with_log
        if not is_known and not self.store.status(board_id).problem:
            with suppress(CallboardError):
                since = (self.context.now() - _READ_BACK).astimezone(UTC)
                await self.store.read_history(board_id, since)
                self._with_log.add(board_id)
        await self._read(board_id)

    def rows(self) -> Sequence[Work]:
        views = self._views()
        waiting = self._waiting.on([view.board.id for view in views])
        own = [with_own_settings(view, self.context.preferences) for view in views]
        rows = my_work(own, self.store.me, self.context.now(), waiting)
        self._in_section = Counter(row.section for row in rows)
        self._left_at = self.context.preferences.numbers_by_id(ALL_BOARDS, SEEN)
        return rows

    def card(self, row: Work) -> Task:
        return row.task

    def key(self, row: Work) -> int:
        return row.task.id

    def sort_value(self, column: str, row: Work) -> object:
        if column == "due":
            return row.task.due_at
        title = row.task.title if column == "card" else f"{row.board} {row.stage}"
        return fold(title)

    def words(self, row: Work) -> str:
        return f"#{row.task.id} {row.task.title} {row.board} {row.stage}"

    def sections(self, row: Work) -> tuple[Heading, ...]:
        beside = "" if self.search else str(self._in_section[row.section])
        if row.section is WorkSection.WAITING:
            beside = " · ".join(filter(None, (beside, self._waiting.how_far(self.context.now()))))
        return (Heading(row.section, (), _ROLES.get(row.section, "strong"), beside),)

    def cells(self, row: Work) -> Sequence[str | Line]:
        task, now = row.task, self.context.now()
        title: list[Span] = []
        if what_blocks := self.store.relations().what_blocks(task):
            title += [(f" {glyphs.BLOCKED} {what_blocks} ", "blocked"), (" ", "text")]
        title.append((task.title, "text"))
        view, me = self.store.board(task.board_id), self.store.me
        teammates = tuple(person for person in task.assignees if not me.is_of(person))
        initials = in_initials(teammates, initials_of(view.people if view is not None else ()))
        return (
            "new" if task.is_local else f"#{task.id}",
            tuple(title),
            glyphs.HIGH if task.priority is Priority.HIGH else "",
            f"{row.board} {glyphs.RIGHT} {row.stage}",
            " ".join(initials),
            self._waiting.time_in_stage(task, now),
            _due(task, now),
            self._waiting.news(task, self._left_at.get(task.board_id)),
        )

    def hints(self) -> tuple[Line, Line]:
        row = self.row_list.row
        if row is None or not row.waiting or self.row_list.marks:
            return super().hints()
        return self.keys.hints(self.role, _HINTS_OF_QUESTION)

    @on(RowList.Moved)
    def name_keys_of_row(self) -> None:
        self.status.footer.say(*self.hints())

    def counts(self) -> Line:
        sections, now, me = self._in_section, self.context.now(), self.store.me
        person = next(filter(None, (me.among(view.people) for view in self._views())), None)
        named = (
            (len(self.known), "open", "text"),
            (sum(is_overdue(row.task, now) for row in self.known), "overdue", "bad"),
            (sections[WorkSection.TODAY] + sections[WorkSection.NEXT_DAYS], "due soon", "warn"),
            (sum(bool(row.waiting) for row in self.known), "to answer", "news"),
        )
        name: Line = ((person.in_words, "strong"),) if person else ()
        return (*name, *((f"{count} {word}", role) for count, word, role in named if count))

    def below(self, row: Work, width: int) -> tuple[Line, ...]:
        if not row.waiting:
            return ()
        more = f" (+{len(row.waiting) - 1})" if len(row.waiting) > 1 else ""
        comment = cut(f"└ {row.waiting[0].by}: {row.waiting[0].text}", width - _INDENT - len(more))
        return (((" " * _INDENT, "text"), *linked(f"{comment}{more}", "news")),)

    @property
    def links_here(self) -> tuple[str, ...]:
        row = self.row_list.row
        comments = () if row is None else row.waiting
        return tuple(link for comment in comments for link in followed(comment.text))

    def empty(self) -> tuple[str, str]:
        me, boards, views = self.store.me, self.active_boards, self._views()
        status = self.store.status()
        if me.user_id is None and not any(me.among(view.people) for view in views):
            return "can’t tell which member you are", "run callboard check to see why"
        if boards and not views:
            problem = f": {status.problem}" if status.problem else ""
            return f"no boards are loaded yet{problem}", trouble_hint(
                status, "{list.refresh:R} try now"
            )
        if not boards:
            return "no boards yet", "{go.boards:g b} to list boards"
        return (
            "no open cards are assigned to you",
            "{task.assign-me:i} on a card of a board to assign it to you",
        )

    def _views(self) -> list[BoardView]:
        ids = (board.id for board in self.active_boards if board.id in self._waiting.known_since)
        return [view for board_id in ids if (view := self.store.board(board_id)) is not None]

    @action("mine.open", "", "Open card or waiting comment", hint="open")
    def open_card(self) -> None:
        row = self.row_list.row
        if row is None:
            self.say_why_empty()
        elif row.section is WorkSection.WAITING:
            ids = (row.task.board_id, row.task.id, row.waiting[0].comment_id)
            self.post_message(ThreadRequested(*ids))
        else:
            self.post_message(TaskRequested(row.task.board_id, row.task.id))

    def refresh_rows(self) -> None:
        self._all_are_due = True
        super().refresh_rows()

    def why_not(self, key: str) -> str:
        return "new cards are added on a board" if key == "n" else super().why_not(key)

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged | DetailChanged):
            self._up_to_date.discard(event.board_id)
            # While another screen is in front, the board is read on return, by `load_rows`.
            if not self.is_behind:
                group = f"comments of {event.board_id}"
                read: WorkType[None] = partial(self._read_again, event.board_id)
                self.run_worker(read, group=group, exclusive=True)
        elif isinstance(event, UnseenChanged):
            self.row_list.redraw()
        elif isinstance(event, BoardsChanged | StatusChanged):
            # All that was read was for another user, or for an unknown one.
            if self._me != self.store.me:
                self._up_to_date.clear()
                self.load()
            elif any(board.id not in self._listed for board in self.active_boards):
                self.load()

    async def _read_again(self, board_id: int) -> None:
        if board_id in self._waiting.known_since:
            await self._read(board_id)
        self.show_again()


def _day_and_time(at: datetime, now: datetime) -> str:
    day = day_title(at.date(), now.date())
    return f"{at:%H:%M}" if day == "Today" else f"{day} {at:%H:%M}"


def _due(task: Task, now: datetime) -> Line:
    if task.due_at is None:
        return (("", "quiet"),)
    role = "bad" if is_overdue(task, now) else "warn" if is_upcoming(task, now) else "quiet"
    return ((relative(task.due_at, now), role),)


SCREEN = MyWorkScreen
