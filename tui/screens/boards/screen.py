"""The screen with the list of boards, the first one of the program.

It opens from the cache. Changes are shown at once and sent in the background, like all others.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from tui.actions.action import Action, bindings
from tui.actions.boards.all import BOARD_LIST_ACTIONS, BoardContext
from tui.actions.lists import LISTS_OF_SERVICE, ListsContext
from tui.actions.tasks.refresh import trouble_hint
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.people import Role, in_initials, initials_of
from tui.navigation import BoardRequested
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import trouble_line, waiting_words
from tui.store.events import BoardsChanged, StatusChanged, StoreEvent
from tui.text.cells import fit
from tui.text.dates import local
from tui.text.fuzzy import rank
from tui.theme import stylesheet
from tui.widgets import glyphs
from tui.widgets.line_input import LineInput
from tui.widgets.painted import Line
from tui.widgets.pick_list import PickList

BAR_WIDTH = 10
COUNT_WIDTH = 9
PEOPLE_WIDTH = 12
WIDE = 70
"""From this width on, a row also shows the members and the type of the board."""


class ListArchived(Action["BoardsScreen"]):
    """Shows or hides archived boards."""

    id, keys, label, hint = "boards.archived", "t", "Show or hide archived boards", "archived"

    async def run(self, on: "BoardsScreen") -> None:
        on.with_archived = not on.with_archived
        on.list_boards()
        on.say("archived boards too" if on.with_archived else "active boards only")


class SearchBoards(Action["BoardsScreen"]):
    """Searches while the user types."""

    id, keys, label, hint = "boards.search", "slash", "Search boards", "search"

    async def run(self, on: "BoardsScreen") -> None:
        typed = LineInput("search", on.search, placeholder="part of a title")
        typed.add_class("filter-line")
        on.status.display = False
        on.mount(typed)
        typed.focus()


class Back(Action["BoardsScreen"]):
    """Clears the message, else the search."""

    id, keys, label = "boards.back", "escape", "Clear search"

    async def run(self, on: "BoardsScreen") -> None:
        if on.status.clear():
            return
        if on.search:
            on.search = ""
            on.list_boards()
        else:
            on.say("this is the list of boards", hint="q quits")


LIST_ACTIONS: tuple[Action["BoardsScreen"], ...] = (ListArchived(), SearchBoards(), Back())


class BoardsScreen(CallboardScreen):
    """All boards with their progress."""

    CSS_PATH = stylesheet("lists.tcss")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        BOARD_LIST_ACTIONS, LIST_ACTIONS, LISTS_OF_SERVICE
    )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        chosen = BoardContext(self, lambda: self.current, self.list_boards)
        self.actions.add(BOARD_LIST_ACTIONS, chosen)
        self.actions.add(LIST_ACTIONS, self)
        self.actions.add(LISTS_OF_SERVICE, ListsContext(self, lambda: None))
        self.bar.say(((" Boards", "name"),))
        self.search = ""
        self.with_archived = False
        self._renamed: dict[int, int] = {}
        self._is_due = False

    def compose(self) -> ComposeResult:
        """The bar, the list and the status line."""
        yield self.bar
        yield PickList(id="boards")
        yield self.status

    def on_mount(self) -> None:
        """List the cached boards, close the last board and fetch updates."""
        self.list_boards()
        self.query_one(PickList).focus()
        self.status.draw()
        self.run_worker(self.store.close_board(), group="close")
        self.run_worker(self._fetch_updates(), group="refresh", exclusive=True)

    def on_resize(self) -> None:
        """Fit the rows to the new width."""
        self.call_after_refresh(self._list_again)

    @property
    def current(self) -> Board | None:
        """The board at the cursor."""
        chosen = self._chosen_id
        return next((each for each in self.store.boards() if each.id == chosen), None)

    @property
    def _chosen_id(self) -> int | None:
        """The current id of the board at the cursor; an option may hold its former local id."""
        options = self.query_one(PickList)
        if options.highlighted is None or not options.option_count:
            return None
        chosen = options.get_option_at_index(options.highlighted).id
        return None if chosen is None else self._renamed.get(int(chosen), int(chosen))

    @property
    def role(self) -> Role:
        return Role.MANAGER if self.current is None else self.current.role_of(self.store.me)

    def list_boards(self) -> None:
        """List the boards that match the search, keeping the cursor on its board."""
        options, held_id = self.query_one(PickList), self._chosen_id
        boards = fitting(self.store.boards(), self.search, archived=self.with_archived)
        waiting = Counter(each.board_id for each in self.store.pending())
        width = max(30, options.size.width or self.app.size.width) - 1
        now = self.context.now()
        options.clear_options()
        options.add_options(
            Option(board_row(each, width, now, waiting[each.id]), str(each.id)) for each in boards
        )
        if boards:
            ids = [each.id for each in boards]
            options.highlighted = ids.index(held_id) if held_id in ids else 0
        else:
            options.add_option(Option(Content(" · ".join(self._why_empty())), disabled=True))
        searched = f"⌕ {self.search} " if self.search else ""
        self.bar.say(
            ((" Boards", "name"), (f"   {len(boards)}", "quiet")),
            ((searched, "warning"), *waiting_words(self.store.status()), *self._freshness()),
        )

    def status_line(self) -> Line | None:
        """The connection problem, if any."""
        return trouble_line(self.store.status())

    def _why_empty(self) -> tuple[str, str]:
        """Why the list is empty, and what to press."""
        if self.search:
            return "no board fits the search", "esc clears it"
        archived = sum(board.archived_at is not None for board in self.store.boards())
        if archived:
            return "no active boards", f"t shows {archived} archived · n makes one"
        status = self.store.status()
        if status.problem:
            return f"no boards are cached yet: {status.problem}", trouble_hint(status)
        if status.checked_at is None:
            return "loading boards …", "n makes one"
        return "no boards yet", "n makes one"

    def _freshness(self) -> Line:
        """A note that the service cannot be reached, else nothing."""
        return (("offline ", "error"),) if self.store.status().problem else ()

    @on(PickList.OptionSelected)
    @on(PickList.NothingThere)
    def open_board(self) -> None:
        """Open the board at the cursor, or show why there is none to open."""
        if self.current is None:
            why, hint = self._why_empty()
            self.say(why, hint=hint)
        elif self.current.archived_at is not None:
            self.say("this board is archived", hint="A restores it")
        else:
            self.post_message(BoardRequested(self.current.id))

    @on(LineInput.Typed)
    def follow_search(self, event: LineInput.Typed) -> None:
        """Filter the list by the text so far."""
        self.search = event.text
        self.list_boards()

    @on(LineInput.Done)
    @on(LineInput.GivenUp)
    def end_search(self, event: LineInput.Done | LineInput.GivenUp) -> None:
        """Close the search input; Esc also clears the search."""
        if isinstance(event, LineInput.GivenUp):
            self.search = ""
            self.list_boards()
        event.input.remove()
        self.status.display = True
        self.query_one(PickList).focus()

    async def _fetch_updates(self) -> None:
        """Fetch updates; an error is ignored, because the user did not ask for them."""
        with suppress(CallboardError):
            await self.store.refresh()

    def _list_again(self) -> None:
        """Update the list, unless the screen was closed meanwhile."""
        self._is_due = False
        if self.query(PickList):
            self.list_boards()

    def hear(self, event: StoreEvent) -> None:
        """Update the list after a store event."""
        super().hear(event)
        if isinstance(event, BoardsChanged):
            self._renamed.update(event.renamed)
            self.list_boards()
        elif isinstance(event, StatusChanged) and not self._is_due:
            self._is_due = True
            self.call_after_refresh(self._list_again)
            self.status.draw()


def fitting(boards: Iterable[Board], search: str, *, archived: bool) -> list[Board]:
    """The boards that match the search, best first; archived ones last, or left out."""
    kept = [each for each in boards if archived or each.archived_at is None]
    kept.sort(key=lambda each: each.archived_at is not None)
    if not search.strip():
        return kept
    return [kept[index] for index in rank(search, [each.title for each in kept])]


def board_row(board: Board, width: int, now: datetime, waiting: int = 0) -> Content:
    """The row of a board: title, pending changes, progress, type, members and age."""
    wide = width >= WIDE
    extra = PEOPLE_WIDTH + COUNT_WIDTH + 7 if wide else 0
    room = max(8, width - BAR_WIDTH - COUNT_WIDTH - extra - 2)
    title = board.title or "(no title)"
    if board.archived_at is not None:
        title = f"[archived] {title}"
    pending = f" {glyphs.ON_THE_WAY}{waiting}" if waiting else ""
    share = board.completed_count / board.tasks_count if board.tasks_count else 0.0
    full = int(share * BAR_WIDTH)
    parts = [
        (fit(f" {title}", room - len(pending)), "bold"),
        (pending, "bold $warning"),
        (" ", ""),
        (glyphs.FULL * full, "$success"),
        (glyphs.EMPTY * (BAR_WIDTH - full), "$foreground-muted"),
        (f" {f'{board.completed_count}/{board.tasks_count}':>{COUNT_WIDTH - 1}}", ""),
    ]
    if wide:
        people = " ".join(in_initials(board.people[:4], initials_of(board.people)))
        parts.append((f" {board.type.value:<7}", "$foreground-muted"))
        parts.append((fit(f" {people}", PEOPLE_WIDTH), "$primary"))
        parts.append((f"{_age(board, now):>{COUNT_WIDTH}}", "$foreground-muted"))
    return Content.assemble(*parts)


def _age(board: Board, now: datetime) -> str:
    """The age of a board in days."""
    if board.created_at is None:
        return ""
    days = (now - local(board.created_at)).days
    return "today" if days <= 0 else f"{days}d"
