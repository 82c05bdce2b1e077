"""The list of boards: the home of the program.

It opens from the cache, and what is changed here shows at once and waits for the service like every
other change.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets.option_list import Option

from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.people import in_initials, initials_of
from tui.screens.base import CallboardScreen
from tui.screens.board_lines import trouble_hint, trouble_line, waiting_words
from tui.screens.navigation import BoardRequested
from tui.store import operations as change
from tui.store.events import BoardsChanged, StatusChanged, StoreEvent
from tui.store.operations.base import Operation
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
"""From so many cells on a row also says who is on a board and what kind it is."""


class BoardsScreen(CallboardScreen):
    """Every board, with how far its work is."""

    CSS_PATH = stylesheet("lists.tcss")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "new", id="boards.new", tooltip="Make a board"),
        Binding("e", "rename", "rename", id="boards.rename", tooltip="Rename the board"),
        Binding(
            "A", "archive", "archive", id="boards.archive", tooltip="Archive the board, or restore"
        ),
        Binding("D", "delete", "Delete", id="boards.delete", show=False, tooltip="Delete (asks)"),
        Binding("t", "archived", "archived", id="boards.archived", tooltip="Archived ones too"),
        Binding("slash", "search", "search", id="boards.search", tooltip="Search by title"),
        Binding("R", "refresh_boards", "Refresh", id="boards.refresh", show=False, tooltip="Ask"),
        Binding("escape", "back", "Back", id="boards.back", show=False, tooltip="Clear the search"),
    ]  # fmt: skip

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.bar.say(((" Boards", "name"),))
        self._search = ""
        self._with_archived = False
        self._renamed: dict[int, int] = {}
        self._is_due = False

    def compose(self) -> ComposeResult:
        """The list between its lines."""
        yield self.bar
        yield PickList(id="boards")
        yield self.status

    def on_mount(self) -> None:
        """List what is known, and ask for news."""
        self.list_boards()
        self.query_one(PickList).focus()
        self.show_status()
        self.run_worker(self.store.close_board(), group="close")
        self.run_worker(self._ask(quietly=True), group="refresh", exclusive=True)

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
        """The id of the board at the cursor, the one it has now."""
        options = self.query_one(PickList)
        if options.highlighted is None or not options.option_count:
            return None
        chosen = options.get_option_at_index(options.highlighted).id
        return None if chosen is None else self._renamed.get(int(chosen), int(chosen))

    @property
    def is_read_only(self) -> bool:
        """Whether the person is a viewer of the board at the cursor."""
        board = self.current
        return board is not None and board.is_read_only_for(self.store.me)

    def list_boards(self) -> None:
        """List the boards that fit the search, keeping the cursor on its board."""
        options, held_id = self.query_one(PickList), self._chosen_id
        boards = fitting(self.store.boards(), self._search, archived=self._with_archived)
        waiting = Counter(each.board_id for each in self.store.waiting())
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
            options.add_option(Option(Content(self._why_empty()), disabled=True))
        searched = f"⌕ {self._search} " if self._search else ""
        self.bar.say(
            ((" Boards", "name"), (f"   {len(boards)}", "quiet")),
            ((searched, "warning"), *waiting_words(self.store.status()), *self._freshness()),
        )

    def status_line(self) -> Line | None:
        """Why the service does not answer, if it does not."""
        return trouble_line(self.store.status())

    def _why_empty(self) -> str:
        """Why there is nothing in the list, and what to press."""
        if self._search:
            return "no board fits the search"
        status = self.store.status()
        if status.problem:
            return f"no boards are kept here yet: {status.problem}\n{trouble_hint(status)}"
        if status.checked_at is None:
            return "asking for the boards …"
        return "no boards yet · n makes one"

    def _freshness(self) -> Line:
        """That the list is from the cache, where the service does not answer."""
        return (("offline ", "error"),) if self.store.status().problem else ()

    @on(PickList.OptionSelected)
    def open_board(self) -> None:
        """Open the board that was chosen."""
        self.action_open()

    def action_open(self) -> None:
        """Open the board at the cursor."""
        if self.current is None:
            self.say("there is no board here", hint="n makes one")
        elif self.current.archived_at is not None:
            self.say("this board is archived", hint="A restores it")
        else:
            self.post_message(BoardRequested(self.current.id))

    def action_archived(self) -> None:
        """List archived boards too, or no longer."""
        self._with_archived = not self._with_archived
        self.list_boards()
        self.say("archived boards too" if self._with_archived else "active boards only")

    def action_back(self) -> None:
        """Clear what is said, or the search."""
        if not self.clear_message() and self._search:
            self._search = ""
            self.list_boards()

    def action_search(self) -> None:
        """Search as you type."""
        typed = LineInput("search", self._search, placeholder="part of a title")
        typed.add_class("filter-line")
        self.status.display = False
        self.mount(typed)
        typed.focus()

    @on(LineInput.Typed)
    def follow_search(self, event: LineInput.Typed) -> None:
        """List what fits so far."""
        self._search = event.text
        self.list_boards()

    @on(LineInput.Done)
    @on(LineInput.GivenUp)
    def end_search(self, event: LineInput.Done | LineInput.GivenUp) -> None:
        """Go back to the list; Esc lists every board again."""
        if isinstance(event, LineInput.GivenUp):
            self._search = ""
            self.list_boards()
        event.input.remove()
        self.status.display = True
        self.query_one(PickList).focus()

    @work(exclusive=True, group="dialog")
    async def action_new(self) -> None:
        """Ask for a title and make a board."""
        title = await self._ask_title("A new board is called …", "")
        if title:
            await self._try(change.CreateBoard.new(title), f"made “{title}”")

    @work(exclusive=True, group="dialog")
    async def action_rename(self) -> None:
        """Ask for a new title for the board at the cursor."""
        board = self._need_board()
        if board is None:
            return
        title = await self._ask_title(f"“{board.title}” is now called …", board.title)
        if title and title != board.title:
            await self._try(change.rename_board(board, title), f"renamed to “{title}”")

    @work(exclusive=True, group="dialog")
    async def action_archive(self) -> None:
        """Archive the board at the cursor, or restore it."""
        board = self._need_board()
        if board is None:
            return
        if board.archived_at is None:
            await self._try(
                change.archive_board(board),
                f"archived “{board.title}”: t lists archived boards, A restores",
            )
        else:
            await self._try(change.restore_board(board), f"restored “{board.title}”")

    @work(exclusive=True, group="dialog")
    async def action_delete(self) -> None:
        """Ask, then delete the board at the cursor."""
        from tui.dialogs.confirm import ConfirmDialog

        board = self._need_board()
        if board is None:
            return
        text = "All its stages, tasks and comments go with it, for good.\nA archives instead."
        if await self.app.push_screen_wait(ConfirmDialog(f"Delete “{board.title}”?", text)):
            await self._try(change.DeleteBoard.on(board), f"deleted “{board.title}”")
        else:
            self.say("nothing was deleted")

    def action_refresh_boards(self) -> None:
        """Ask the service for news now."""
        self.run_worker(self._ask(quietly=False), group="refresh", exclusive=True)

    async def _ask(self, *, quietly: bool) -> None:
        """Ask for news; what goes wrong is said unless nobody asked."""
        try:
            await self.store.refresh()
        except CallboardError as error:
            if not quietly:
                self.say(error.message, hint=error.hint, error=True)
            return
        if not quietly and not self.store.status().problem:
            self.say("up to date")

    async def _ask_title(self, question: str, value: str) -> str:
        """Ask for a title; empty for none."""
        from tui.dialogs.ask import AskDialog

        answer = await self.app.push_screen_wait(AskDialog(question, value, placeholder="title"))
        return " ".join((answer or "").split())

    async def _try(self, operation: Operation, said: str) -> None:
        """Make a change and say it, or what went wrong."""
        try:
            await self.store.submit(operation)
        except CallboardError as error:
            self.say(error.message, hint=error.hint, error=True)
            return
        self.list_boards()
        offline = self.store.status().problem
        self.say(said, hint="it waits here until the service answers · g u" if offline else "")

    def _need_board(self) -> Board | None:
        """The board at the cursor; where there is none, that is said."""
        if self.current is None:
            self.say("there is no board here", hint="n makes one")
        return self.current

    def _list_again(self) -> None:
        """List once for all that happened, unless the screen was left meanwhile."""
        self._is_due = False
        if self.query(PickList):
            self.list_boards()

    def hear(self, event: StoreEvent) -> None:
        """List again what has changed."""
        super().hear(event)
        if isinstance(event, BoardsChanged):
            self._renamed.update(event.renamed)
            self.list_boards()
        elif isinstance(event, StatusChanged) and not self._is_due:
            self._is_due = True
            self.call_after_refresh(self._list_again)
            self.show_status()


def fitting(boards: Iterable[Board], search: str, *, archived: bool) -> list[Board]:
    """The boards that fit a search, best first; archived ones last, or not at all."""
    kept = [each for each in boards if archived or each.archived_at is None]
    kept.sort(key=lambda each: each.archived_at is not None)
    if not search.strip():
        return kept
    return [kept[index] for index in rank(search, [each.title for each in kept])]


def board_row(board: Board, width: int, now: datetime, waiting: int = 0) -> Content:
    """A board on one line: title, changes that wait, how much is done, kind, people, age."""
    wide = width >= WIDE
    extra = PEOPLE_WIDTH + COUNT_WIDTH + 7 if wide else 0
    room = max(8, width - BAR_WIDTH - COUNT_WIDTH - extra - 2)
    title = board.title or "(no title)"
    if board.archived_at is not None:
        title = f"[archived] {title}"
    waits = f" {glyphs.ON_THE_WAY}{waiting}" if waiting else ""
    share = board.completed_count / board.tasks_count if board.tasks_count else 0.0
    full = int(share * BAR_WIDTH)
    parts = [
        (fit(f" {title}", room - len(waits)), "bold"),
        (waits, "bold $warning"),
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
    """How long ago a board was made, in days."""
    if board.created_at is None:
        return ""
    days = (now - local(board.created_at)).days
    return "today" if days <= 0 else f"{days}d"
