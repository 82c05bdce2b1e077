"""The screen of a list: a subclass has the rows, how they look, and a method for each action."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.worker import WorkType

from tui.actions.action import action
from tui.actions.host import ErrorsSaid
from tui.actions.tasks.history import HistoryActions, undo_hint
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board, BoardView
from tui.model.people import Role
from tui.runtime.key_queue import keys_held
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import moving, sync_words, trouble_notice
from tui.screens.keys import Hints
from tui.screens.list_order import ListOrder
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    StatusChanged,
    StoreEvent,
    SyncStatus,
)
from tui.store.operations.base import Operation
from tui.text.cells import cut, width as cell_width
from tui.text.fuzzy import rank
from tui.text.keyed import actions_named, keyed
from tui.widgets import glyphs
from tui.widgets.bars import Notice, key_line
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line, line_width
from tui.widgets.row_list import NONE, Heading, ListColumn, RowList, columns_line

R = TypeVar("R")


class TableScreen(CallboardScreen, Generic[R]):
    """A list of a board, or of the whole service, with a search, marks and an order.

    `rows` returns what is known now; `load_rows` fetches the rest from the service. Both are called
    again after each change. A row is drawn from `columns` and its `cells`, or by `line`.
    """

    row_name: ClassVar[str]
    """The word for one row, such as “label”."""
    opens: ClassVar[str] = ""
    """The id of the action that Enter runs."""
    columns: Sequence[ListColumn] = ()
    nothing: ClassVar[tuple[str, str]] = ("", "")
    """Why there are no rows, and what to press."""
    has_order = False
    """Whether rows can be moved, by `move_row`."""
    is_of_board: ClassVar[bool] = True
    """Whether the rows belong to the board from which the list was opened."""
    keeps_order: ClassVar[bool] = False
    """Whether the rows that a search finds keep their order; else the best ones come first."""
    first_hints: ClassVar[Hints] = {}
    """The ids of the actions that are named first at the bottom, some in words of this list."""
    empty_hints: ClassVar[Hints] = {"list.refresh": "refresh", "list.back": ""}
    """The actions that are named at the bottom while there are no rows, as they need none."""
    again: ClassVar[str] = "{list.refresh:R} try now"

    sortable: ClassVar[tuple[str, ...]] = ()
    """The names of the columns by which the user may sort the rows, see `sort_value`; the screen
    has `ListOrder` among its actions then."""

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context)
        self.order = ListOrder[R](self)
        self.board_id = (board_id or 0) if self.is_of_board else 0
        self.search = ""
        self.row_list = RowList(self)
        self.keys.enter_runs = self.opens
        self.keys.first_hints = self.first_hints
        self._problem: CallboardError | None = None
        self._is_loading = False
        self._has_undone = False
        self._is_due = False
        self.known: Sequence[R] = ()
        """All rows, whether the search finds them or not."""
        if ListOrder in self.actions_of:
            self.actions.offer(self.order)
        if HistoryActions in self.actions_of:
            self.actions.offer(HistoryActions(self, lambda: self.board_id, self.go_to))

    @property
    def heading(self) -> str:
        """What the bar begins with, such as “Labels”."""
        raise NotImplementedError

    async def load_rows(self) -> None:
        """Fetch what is not known yet. Raises `CallboardError`."""

    def rows(self) -> Sequence[R]:
        """The rows, as far as known."""
        raise NotImplementedError

    def key(self, row: Any) -> Hashable:
        """What identifies a row; the cursor and the marks stay on it."""
        return int(row.id)

    def keys_of(self, rows: Sequence[R]) -> Sequence[Hashable]:
        """What identifies each row."""
        return [self.key(row) for row in rows]

    def words(self, row: R) -> str:
        """The text in which a search looks for its words."""
        raise NotImplementedError

    def matching(self, rows: Sequence[R]) -> Sequence[R]:
        """The rows that the search finds."""
        hits = rank(self.search, [self.words(row) for row in rows])
        return [rows[at] for at in (sorted(hits) if self.keeps_order else hits)]

    def cells(self, row: R) -> Sequence[str | Line]:
        """The text of a row in each column, in the role of the column or in roles of its own."""
        raise NotImplementedError

    def head_of(self, column: ListColumn) -> Line:
        """What stands above a column."""
        return self.order.head(column)

    def sort_value(self, column: str, row: R) -> Any:
        """The value by which rows are sorted, None for a row that has none; for subclasses."""
        raise NotImplementedError

    def line(self, row: R, width: int) -> Line:
        """A row, at most `width` cells wide, in roles for an unselected row."""
        return columns_line(self.columns, self.cells(row), width)

    def sections(self, row: R) -> tuple[Heading, ...]:
        """The headings that stand above the first of several rows, the outer one first."""
        del row
        return ()

    def below(self, row: R, width: int) -> tuple[Line, ...]:
        """The lines that belong to a row, below it."""
        del row, width
        return ()

    def empty(self) -> tuple[str, str]:
        return self.nothing

    async def move_row(self, row: R, index: int) -> None:
        """Put a row at an index among the others."""

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.row_list
        yield self.status
        yield self.status.footer

    def on_resize(self) -> None:
        self.draw_bar()

    def on_mount(self) -> None:
        self.row_list.focus()
        self.load()
        self.status.draw()

    def came_back(self) -> None:
        self.load()

    @property
    def has_data_for_keys(self) -> bool:
        return bool(self.row_list.rows) or not self._is_loading

    @property
    def view(self) -> BoardView | None:
        """The board with its cards; None for lists of the whole service."""
        return self.store.board(self.board_id)

    @property
    def board(self) -> Board | None:
        """The board whose list this is; None for lists of the whole service."""
        return next((board for board in self.store.boards() if board.id == self.board_id), None)

    @property
    def origin(self) -> str:
        """What the bar names before the heading, such as the board; empty if that is nothing."""
        return "" if self.board is None else self.board.title

    @property
    def active_boards(self) -> list[Board]:
        """The boards of the service that are not archived."""
        return [board for board in self.store.boards() if board.archived_at is None]

    @property
    def own_board(self) -> int | None:
        return self.board_id or None

    @property
    def role(self) -> Role:
        return Role.MANAGER if self.board is None else self.board.role_of(self.store.me)

    @property
    def waits_for(self) -> str:
        is_moving = self.row_list.lifted is not None
        keys = keyed("or press {list.back:esc}")
        return f"drop the {self.row_name} first, {keys}" if is_moving else ""

    def own_notice(self) -> Notice | None:
        if self.row_list.lifted is not None:
            place = f"  {self.row_list.cursor + 1}/{len(self.row_list.rows)}"
            text = (*moving(f"“{self.words(self.row_list.lifted)}”").text, (place, "strong"))
            return Notice(text, key_line("{rows.open:↵} drop  {list.back:esc} cancel"))
        if self.row_list.marks and (notice := self.notice_of_marks()) is not None:
            return notice
        if self._problem is not None:
            hint = self._problem.hint or self.again
            return Notice.of(self._problem.message, hint, sign=("!", "bad"), role="bad")
        return trouble_notice(self.store.status(self.board_id or None), self.again)

    def notice_of_marks(self) -> Notice | None:
        """What the status line shows while rows are marked; for subclasses."""
        marked = f"{len(self.row_list.marks)} marked"
        hint = "{list.back:esc} to clear the marks"
        return Notice.of(marked, hint, sign=(glyphs.MARK, "warn"))

    def hints(self) -> tuple[Line, Line]:
        if self.row_list.rows:
            return super().hints()
        named = dict.fromkeys(actions_named(self.row_list.empty[1]), "")
        return self.keys.hints(self.role, {**named, **self.empty_hints}, are_all=True)

    def edge_line(self, width: int) -> tuple[Line, Line]:
        del width
        below, words = self.row_list.out_of_sight, self.edge_words()
        if not below:
            return ((f" {words}" if words else "", "quiet"),), ()
        left: Line = ((f" {glyphs.DOWN} {below} more", "quiet"),)
        return left, ((f"{words} ", "quiet"),) if words else ()

    def edge_words(self) -> str:
        """The text below the rows; for subclasses."""
        return ""

    @action("list.search", "slash", "Search", hint="search")
    def ask_search(self) -> None:
        name = "part of a name"
        typed = LineInput("search", self.search, placeholder=name, enter="keep", leave="clear")
        typed.add_class("filter-line", "-above-status")
        self.mount(typed)
        typed.focus()

    @action("list.refresh", "R", "Refresh")
    def refresh_rows(self) -> None:
        async def refresh() -> None:
            with ErrorsSaid(self, in_background=True):
                try:
                    if self.board_id:
                        await self.store.refresh(self.board_id)
                finally:
                    await self._load()
                if self._problem or self.store.status(self.board_id or None).problem:
                    # The message would hide the notice of the problem.
                    self.status.clear()
                else:
                    self.say("up to date")

        self.say("refreshing …")
        self._is_loading = True
        self.show_rows()
        refreshing: WorkType[None] = refresh
        self.run_worker(refreshing, group="load", exclusive=True)

    @action("list.back", "escape", "Cancel, clear marks or search, go back", hint="back",
            while_moving=True)  # fmt: skip
    def go_back(self) -> None:
        if self.row_list.put_back() or self.status.clear():
            self.status.draw()
        elif not self.clear_search() and not self.dialogs.says_it_submits():
            self.dismiss()

    def clear_search(self) -> bool:
        """Clear what hides rows; whether there was anything."""
        had_search, self.search = bool(self.search), ""
        if had_search:
            self.show_rows()
        return had_search

    def need_row(self) -> R | None:
        """The only row that is chosen; say so if there is none, or more than one."""
        rows = self.need_rows()
        if len(rows) > 1:
            hint = "{list.back:esc} to clear the marks"
            self.say(f"this works on one {self.row_name} at a time", hint=hint)
            return None
        return rows[0] if rows else None

    def need_rows(self) -> Sequence[R]:
        """The marked rows, else the one at the cursor; say so if there are none."""
        rows = self.row_list.chosen
        if not rows:
            why, hint = self.empty()
            self.say(why, hint=hint)
        return rows

    async def confirm(self, question: str, text: str, *, verb: str = "") -> bool:
        """Ask for confirmation; `text` says what is going to happen, see `ConfirmDialog`."""
        from tui.dialogs.questions import ConfirmDialog

        answer = await self.ask(ConfirmDialog(question, text, verb=verb))
        return bool(answer)

    async def submit(self, message: str, *operations: Operation) -> None:
        """Submit operations, show the rows and a message. Raises `CallboardError`."""
        with keys_held(self.app):
            await self.store.submit(*operations)
        created = [operation.creates for operation in operations if operation.creates is not None]
        self.load(created[-1] if created else None)
        can_undo = not any(operation.lost_when_undone() for operation in operations)
        undo = undo_hint(self.context) if can_undo else ""
        self.say(message, hint=self.sent_later or undo, sign=glyphs.DONE)

    @property
    def sent_later(self) -> str:
        """A hint that changes are sent later, if the service does not answer now."""
        hint = "will sync when online · {go.waiting:g u}"
        return hint if self.store.status().problem else ""

    def go_to(self, operation: Operation) -> str | None:
        """Move the cursor to what undo restored; rows are fetched again once the undo was sent."""
        self._has_undone = True
        self.load(operation.creates)
        return None

    def load(self, select: Hashable = None) -> None:
        """Show the known rows, with the cursor on the row `select`, and fetch the others."""
        self._is_loading = True
        self.show_rows(select)
        # The function, not its coroutine: a worker that is cancelled before it starts would leave a
        # coroutine that is never awaited.
        loading: WorkType[None] = self._load
        self.run_worker(loading, group="load", exclusive=True)

    async def _load(self) -> None:
        try:
            await self.load_rows()
            self._problem = None
        except CallboardError as error:
            self._problem = error
        finally:
            self._is_loading = False
        self.show_again()

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        """Show the rows that match the search; see `RowList.show`."""
        rows = self.known = self.order.rows(self.rows())
        self.row_list.guide = None
        if self.search.strip():
            rows = self.matching(rows)
        self.row_list.is_searched = bool(self.search)
        if self.search:
            self.row_list.empty = (
                f"no {self.row_name} matches the search",
                "{list.back:esc} to clear it",
            )
        elif self._is_loading:
            self.row_list.empty = "loading …", ""
        elif self._problem is not None:
            self.row_list.empty = self._problem.message, self._problem.hint or self.again
        else:
            self.row_list.empty = self.empty()
        self.row_list.show(rows, select=select, renamed=renamed)
        self.draw_bar()
        self.status.draw()

    def show_again(self) -> None:
        """Show the rows, unless the screen was closed meanwhile."""
        self._is_due = False
        if self.is_attached:
            self.show_rows()

    def show_soon(self) -> None:
        """Show the rows, once for all events that come together."""
        if not self._is_due:
            self._is_due = True
            self.call_after_refresh(self.show_again)

    def draw_bar(self) -> None:
        shown = len(self.row_list.rows)
        where: Line = ((f" {self.heading} ", "place"),)
        if self.origin:
            origin = f" {cut(self.origin, max(12, self.size.width // 3))} "
            where = ((origin, "place"), (f" {glyphs.RIGHT} ", "quiet"), (self.heading, "strong"))
        counts = ((f"{shown} of {len(self.known)}", "quiet"),) if self.search else self.counts()
        marked = ((f"{len(self.row_list.marks)} marked", "warn"),) if self.row_list.marks else ()
        loading = (("loading …", "quiet"),) if self._is_loading else ()
        words, end = [*where], self.bar_end()
        room = self.size.width - 1 - line_width(where) - line_width(end)
        for text, role in (*counts, *marked, *loading):
            room -= 2 + cell_width(text)
            if room >= 0:
                words.append((f"  {text}", role))
        self.bar.say(tuple(words), end)

    def counts(self) -> Line:
        """How many rows there are, and of which kinds; subclasses know more."""
        return ((str(len(self.known)), "quiet"),)

    def bar_end(self, message: str = "") -> Line:
        """The right side of the bar: the search, a message, and the state of the connection."""
        return (
            (f"{glyphs.SEARCH} {self.search} " if self.search else "", "warn"),
            (f"{message} " if message else "", "quiet"),
            *sync_words(self.sync_status, self.context.now()),
            (" ", "text"),
        )

    @property
    def sync_status(self) -> SyncStatus:
        """The state of the connection, and how old what is shown is."""
        return self.store.status(self.board_id or None)

    def why_not(self, key: str) -> str:
        bound = self.keys.by_id().get("rows.lift")
        if not self.has_order and bound is not None and key.lower() == bound[0]:
            return "this list cannot be reordered"
        return super().why_not(key)

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        self.follow_store(event)

    def follow_store(self, event: StoreEvent) -> None:
        """Show what an event changed of the rows."""
        if isinstance(event, BoardChanged | BoardsChanged):
            self.show_rows(renamed=event.renamed)
        elif isinstance(event, StatusChanged):
            self.status.draw()
            # Once undo was sent, rows that only the service lists can be fetched again.
            if self._has_undone and not self.store.status(self.board_id or None).pending:
                self._has_undone = False
                self.load()

    @on(RowList.Changed)
    def show_changed(self) -> None:
        self.draw_bar()
        self.status.draw()

    @on(RowList.NothingThere)
    def say_why_empty(self) -> None:
        why, hint = self.row_list.empty
        self.say(why, hint=hint)

    @on(RowList.NotMovable)
    def say_fixed(self) -> None:
        self.say("rows cannot be moved during a search", hint="{list.back:esc} to clear it")

    @on(RowList.Opened)
    def open_row(self) -> None:
        if self.opens:
            self.actions.perform(self.opens)
        else:
            self.say(f"nothing to open in a {self.row_name}")

    @on(RowList.HeadClicked)
    def click_head(self, event: RowList.HeadClicked) -> None:
        self.head_clicked(event.column)

    def head_clicked(self, column: ListColumn) -> None:
        """Sort by a column whose name was clicked, if that is possible."""
        self.order.click(column)

    @on(RowList.Dropped)
    async def drop_row(self, event: RowList.Dropped) -> None:
        with ErrorsSaid(self):
            await self.move_row(event.row, event.index)

    @on(LineInput.Typed)
    def follow_search(self, event: LineInput.Typed) -> None:
        self.search = event.text
        self.show_rows()
        self.row_list.go_to_first()

    @on(LineInput.Done)
    @on(LineInput.GivenUp)
    def end_search(self, event: LineInput.Done | LineInput.GivenUp) -> None:
        if isinstance(event, LineInput.GivenUp):
            self.search = ""
        event.input.remove()
        self.row_list.focus()
        self.show_rows()
