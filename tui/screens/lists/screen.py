"""The screen of a list: search, marks, a lifted row, and the actions of the list.

A list is one module: its content, its actions, and a subclass of this screen with their keys.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.worker import WorkType

from tui.actions.host import ErrorsSaid
from tui.actions.old import Action, Do, bindings
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.people import Role
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import drop_or_cancel, trouble_line, waiting_words
from tui.screens.lists.content import Content, ListContext
from tui.screens.lists.row_list import NONE, Heading, RowList
from tui.store.events import BoardChanged, BoardsChanged, StatusChanged, StoreEvent
from tui.text.fuzzy import rank
from tui.text.keyed import keyed
from tui.theme import stylesheet
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line


class Search(Action["ListScreen"]):
    """Searches while the user types."""

    id, keys, label, hint = "list.search", "slash", "Search", "search"

    async def run(self, on: "ListScreen") -> None:
        typed = LineInput("search", on.search, placeholder="part of a name")
        typed.add_class("filter-line")
        on.status.display = False
        on.mount(typed)
        typed.focus()


class Back(Action["ListScreen"]):
    """Cancels the first of: lift, marks, error message, search; else goes back."""

    id, keys, label, hint = "list.back", "escape", "Cancel, clear marks or search, go back", "back"
    while_moving = True

    async def run(self, on: "ListScreen") -> None:
        if on.row_list.put_back() or on.status.clear():
            on.status.draw()
        elif not on.clear_search() and not on.dialogs.says_it_submits():
            on.dismiss()


SCREEN_ACTIONS: tuple[Action["ListScreen"], ...] = (
    Search(),
    Do("list.refresh", "R", "Refresh", lambda on: on.refresh_rows()),
    Back(),
)


class ListScreen(CallboardScreen):
    """One list; subclasses give their bindings, and the content.

    With `heading`, lines with it stand above the first of several rows; a search keeps the order.
    """

    CSS_PATH = stylesheet("lists.tcss")
    BINDINGS: ClassVar[list[BindingType]] = bindings(SCREEN_ACTIONS)
    again: ClassVar[str] = "{list.refresh:R} tries again"

    def __init__(
        self,
        context: Context,
        board_id: int | None,
        content: Content[Any],
        actions: Iterable[Action[Any]],
        *,
        heading: Heading | None = None,
        screen_actions: Iterable[Action["ListScreen"]] = SCREEN_ACTIONS,
    ) -> None:
        super().__init__(context)
        self.content = content
        self.search = ""
        self.row_list = RowList(content, heading)
        self.list_context = ListContext(
            self, board_id or 0, content, lambda: self.row_list.chosen, self.load
        )
        self.actions.add(screen_actions, self)
        self.actions.add(actions, self.list_context)
        self.keys.enter_runs = content.opens
        self._board_id = board_id
        self._keeps_order = heading is not None
        self._problem: CallboardError | None = None
        self._is_loading = False
        self._count = 0

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.row_list
        yield self.status

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
    def board(self) -> Board | None:
        """The board whose list this is; None for lists of the whole service."""
        found = (one for one in self.store.boards() if one.id == self._board_id)
        return next(found, None)

    @property
    def role(self) -> Role:
        return Role.MANAGER if self.board is None else self.board.role_of(self.store.me)

    @property
    def waits_for(self) -> str:
        """How to end the move that blocks most keys while a row is lifted."""
        is_moving = self.row_list.lifted is not None
        keys = keyed("or press {list.back:esc}")
        return f"drop the {self.content.row} first, {keys}" if is_moving else ""

    def status_line(self) -> Line | None:
        """The lifted row, the number of marked rows, the loading, or the problem."""
        if self.row_list.lifted is not None:
            name = self.content.words(self.row_list.lifted)
            return (
                (f" MOVING “{name}”", "hand"),
                (f"  {self.row_list.cursor + 1}/{len(self.row_list.rows)}", "name"),
                *drop_or_cancel("{rows.open:↵}", "{list.back:esc}"),
            )
        if self.row_list.marks:
            marked = f" {len(self.row_list.marks)} marked"
            return ((marked, "hand"), (keyed("  {list.back:esc} clears the marks"), "quiet"))
        if self._problem is not None:
            hint = keyed(f"  {self._problem.hint or self.again}")
            return ((f" {self._problem.message}", "error"), (hint, "quiet"))
        return trouble_line(self.store.status(self._board_id), self.again)

    def clear_search(self) -> bool:
        """Clear what hides rows; whether there was anything."""
        had_search, self.search = bool(self.search), ""
        if had_search:
            self.show_rows()
        return had_search

    def load(self, select: Hashable = None) -> None:
        """Show the known rows, with the cursor on the row `select`, and fetch the others."""
        self._is_loading = True
        self.show_rows(select)
        loading: WorkType[None] = self._load  # not called yet: it may be cancelled before it starts
        self.run_worker(loading, group="load", exclusive=True)

    def refresh_rows(self) -> None:
        """Fetch the board, if it is the list of one, and the rows again."""
        if self._board_id is not None:
            self.run_worker(self._refresh(self._board_id), group="refresh", exclusive=True)
        self.load()

    async def _refresh(self, board_id: int) -> None:
        with ErrorsSaid(self):
            await self.store.refresh(board_id)

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        """Show the rows that match the search; see `RowList.show`."""
        rows: Sequence[Any] = self.content.rows()
        self._count = len(rows)
        if self.search.strip():
            hits = rank(self.search, [self.content.words(one) for one in rows])
            rows = [rows[at] for at in (sorted(hits) if self._keeps_order else hits)]
        self.row_list.is_searched = bool(self.search)
        self.row_list.empty = self._why_empty()
        self.row_list.show(rows, select=select, renamed=renamed)
        self.draw_bar()
        self.status.draw()

    def show_again(self) -> None:
        """Show the rows, unless the screen was closed meanwhile."""
        if self.is_attached:
            self.show_rows()

    def draw_bar(self) -> None:
        """Draw the bar: the title, the board and the number of rows."""
        board, shown = self.board, len(self.row_list.rows)
        self.bar.say(
            (
                (f" {self.content.title}", "name"),
                (f"   {board.title}" if board else "", "quiet"),
                (f"   {shown} of {self._count}" if self.search else f"   {self._count}", "quiet"),
                ("   loading …" if self._is_loading else "", "quiet"),
            ),
            self.bar_end(),
        )

    def bar_end(self, told: str = "") -> Line:
        """The right side of the bar: the search, what is told, and how the service does."""
        status = self.store.status(self._board_id)
        return (
            (f"{glyphs.SEARCH} {self.search} " if self.search else "", "warning"),
            (f"{told} " if told else "", "quiet"),
            *waiting_words(status),
            ("offline " if status.problem else "", "error"),
        )

    def _why_empty(self) -> tuple[str, str]:
        if self.search:
            return f"no {self.content.row} fits the search", "{list.back:esc} clears it"
        if self._is_loading:
            return "loading …", ""
        if self._problem is not None:
            return self._problem.message, self._problem.hint or self.again
        return self.content.empty()

    @on(RowList.Changed)
    def show_changed(self) -> None:
        self.status.draw()

    @on(RowList.NothingThere)
    def say_why_empty(self) -> None:
        why, hint = self.row_list.empty
        self.say(why, hint=hint)

    @on(RowList.NotMovable)
    def say_fixed(self) -> None:
        """Say that the rows cannot be moved while only some are shown."""
        self.say("nothing is moved while a search hides rows", hint="{list.back:esc} clears it")

    def why_not(self, key: str) -> str:
        """Explain the key that lifts rows where they have no order."""
        bound = self.keys.by_id().get("rows.lift")
        if self.content.move is None and bound is not None and key.lower() == bound[0]:
            return "this list has no order of its own"
        return super().why_not(key)

    @on(RowList.Opened)
    async def open_row(self) -> None:
        if self.content.opens:
            await self.actions.perform(self.content.opens)
        else:
            self.say(f"there is nothing to open in a {self.content.row}")

    @on(RowList.Dropped)
    async def drop_row(self, event: RowList.Dropped) -> None:
        if self.content.move is not None:
            await self.content.move(self.list_context, event.row, event.index)

    @on(LineInput.Typed)
    def follow_search(self, event: LineInput.Typed) -> None:
        self.search = event.text
        self.show_rows()
        self.row_list.go_to_first()

    @on(LineInput.Done)
    @on(LineInput.GivenUp)
    def end_search(self, event: LineInput.Done | LineInput.GivenUp) -> None:
        """Close the search input; Esc also clears the search."""
        if isinstance(event, LineInput.GivenUp):
            self.search = ""
        event.input.remove()
        self.status.display = True
        self.row_list.focus()
        self.show_rows()

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged | BoardsChanged):
            self.show_rows(renamed=event.renamed)
        elif isinstance(event, StatusChanged):
            self.status.draw()
            if self.list_context.has_undone and not self.store.status(self._board_id).pending:
                self.list_context.has_undone = False
                self.load()

    async def _load(self) -> None:
        try:
            await self.content.load()
            self._problem = None
        except CallboardError as error:
            self._problem = error
        finally:
            self._is_loading = False
        self.show_again()
