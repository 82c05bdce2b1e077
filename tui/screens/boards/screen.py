"""The screen with the list of boards, the first one of the program.

It opens from the cache. Changes are shown at once and sent in the background, like all others.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.worker import WorkType

from tui.actions.action import action, bindings
from tui.actions.program import ListsOfService
from tui.actions.tasks.history import HistoryOfAllBoards
from tui.actions.tasks.refresh import trouble_hint
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.people import Role
from tui.navigation import BoardRequested, BoardsRequested
from tui.screens.board_lines import WIDE
from tui.screens.boards.actions import BoardActions, FolderActions
from tui.screens.boards.folder_pane import FolderPane, FolderRow
from tui.screens.boards.listing import ALL_FOLDERS, NO_FOLDER, SORTS, TYPES, BoardListing, share
from tui.screens.boards.tallies import Tallies
from tui.screens.keys import MORE, Hints
from tui.screens.lists.table import TableScreen
from tui.store.events import BoardChanged, BoardsChanged, StatusChanged, StoreEvent, UnseenChanged
from tui.text.clean import counted
from tui.text.dates import ago
from tui.text.keyed import keyed
from tui.widgets import glyphs
from tui.widgets.bars import hint_line
from tui.widgets.painted import Line, line_width
from tui.widgets.row_list import NONE, Guide, Heading, ListColumn, number

PANE_FROM = 100
"""The width from which on folders are shown at the left."""

_BAR = 10
"""The cells of the bar that shows how much of a board is done."""
_NONE_YET = "no boards yet"
_BOARDS_ARE = "A board has stages, and cards that move from left to right."
_FIRST_STEPS = (
    ("boards.new", "{boards.new:n}", "add a board", "new board"),
    ("go.profiles", "{go.profiles:g p}", "log in to a service", "log in"),
    ("app.tour", "{app.palette::}tour", "show the tutorial", ""),
)
"""Where there are no boards: actions with their keys, what they do, and that in the footer."""


class BoardsScreen(TableScreen[Board]):
    """All boards with their progress, and the folders they are in."""

    AUTO_FOCUS: ClassVar[str | None] = "RowList"
    BINDINGS: ClassVar[list[BindingType]] = bindings(BoardActions, HistoryOfAllBoards)
    actions_of = (FolderActions, ListsOfService)
    row_name, opens = "board", "boards.open"
    columns = (
        ListColumn("", width=2, role="warn"),
        ListColumn("board", gap=1),
        ListColumn("done", width=_BAR + 2, gap=2, least=64),
        ListColumn("open", width=8, align="right", gap=3),
        ListColumn("overdue", width=11, role="bad", gap=1),
        ListColumn("blocked", width=8, role="alert", gap=1, least=50),
        ListColumn("new", width=6, role="news", gap=1, least=50),
        ListColumn("seen", width=10, role="quiet", align="right", gap=1, least=84),
    )
    first_hints: ClassVar[Hints] = {
        "boards.open": "",
        "boards.new": "",
        "boards.pin": "",
        "folders.choose": f"folder{MORE}",
        "boards.search": "",
        "boards.sort": "sort",
        "boards.archive": "",
        "board.undo": "",
    }
    empty_hints: ClassVar[Hints] = {
        "boards.new": "",
        "folders.choose": f"folder{MORE}",
        "boards.archived": "",
        "boards.refresh": "refresh",
    }
    start = "boards"
    is_of_board = False
    again = "{boards.refresh:R} try now"

    def __init__(self, context: Context) -> None:
        self.listing = BoardListing(context)
        super().__init__(context)
        self.actions.offer(BoardActions(self, self.listing))
        self.actions.offer(HistoryOfAllBoards(self, self.go_to))
        self.actions.offer(FolderActions(self, self.listing))
        self.actions.offer(ListsOfService(self))
        self.pane = FolderPane()
        self.pane.display = False
        self._pending: Counter[int] = Counter()
        self.tallies = Tallies(context.store)
        self._seen: Mapping[int, datetime] = {}

    @property
    def request_here(self) -> BoardsRequested:
        return BoardsRequested()

    def compose(self) -> ComposeResult:
        yield self.bar
        yield Horizontal(self.pane, self.row_list)
        yield self.status
        yield self.status.footer

    def on_mount(self) -> None:
        # The board that was left is not polled any more.
        self.run_worker(self.store.close_board(), group="close")
        self.run_worker(self._fetch(), group="refresh", exclusive=True)

    def on_resize(self) -> None:
        self._show_pane()

    @property
    def heading(self) -> str:
        listing = self.listing
        folder = "no folder" if listing.folder_id == NO_FOLDER else ""
        folder = listing.folder.title if listing.folder else folder
        order = f"by {SORTS[listing.sort].label}" if listing.sort else ""
        return " · ".join(filter(None, ("Boards", folder, listing.type, order)))

    @property
    def own_board(self) -> int | None:
        board = self.row_list.row
        return None if board is None else board.id

    @property
    def role(self) -> Role:
        roles = (board.role_of(self.store.me) for board in self.row_list.chosen)
        return min(roles, default=Role.MANAGER)

    def rows(self) -> Sequence[Board]:
        self._pending = Counter(change.board_id for change in self.store.pending())
        self._seen = self.listing.seen
        return self.listing.boards()

    def words(self, row: Board) -> str:
        return row.title

    def sections(self, row: Board) -> tuple[Heading, ...]:
        title = "" if self.search else self.listing.groups.get(row.id)
        return (Heading(title),) if title else ()

    def cells(self, row: Board) -> Sequence[str | Line]:
        now, tally = self.context.now(), self.tallies.of(row)
        waiting, news = self._pending[row.id], len(self.store.changed_by_others(row.id))
        done, late = int(share(row) * _BAR), tally.late(now) if tally else 0
        is_pinned = row.id in self.listing.pinned and not self.sections(row)
        none = number(0) if tally is None and self.tallies.was_read(row) else ""
        new: Line = ((f"{glyphs.NEWS}{news}" if news else "", "news"),)
        if waiting:
            new = ((f"{glyphs.ON_THE_WAY}{waiting}", "warn"),)
        return (
            glyphs.PIN if is_pinned else "",
            f"{'' if row.archived_at is None else '[archived] '}{row.title or '(no title)'}",
            ((glyphs.FULL * done, "good"), (glyphs.FRAME.across * (_BAR - done), "line")),
            str(self.tallies.open_cards(row)),
            f"{late} overdue" if late else none,
            f"{glyphs.BLOCKED} {tally.blocked}" if tally and tally.blocked else none,
            new,
            ago(self._seen[row.id], now) if row.id in self._seen else "",
        )

    def counts(self) -> Line:
        if not self.store.boards():
            return ((_NONE_YET, "quiet"),) if self._has_no_boards else ()
        return self.tallies.summary(self.known, self.context.now())

    def bar_end(self, message: str = "") -> Line:
        news = sum(len(self.store.changed_by_others(board.id)) for board in self.known)
        words = f" {news} new" if self.size.width >= WIDE else str(news)
        end = super().bar_end(message)
        return ((f"{glyphs.NEWS}{words}  ", "news"), *end) if news else end

    def edge_words(self) -> str:
        hidden = 0 if self.search else self.listing.hidden
        shows = keyed("{boards.archived:t} to show them")
        return f"{counted(hidden, 'archived board')} · {shows}" if hidden else ""

    def hints(self) -> tuple[Line, Line]:
        hints, ways = super().hints()
        if not self._has_no_boards or not hints:
            return hints, ways
        first = [(keyed(key), hint) for _, key, _, hint in self._first_steps if hint]
        return hint_line(first, self.size.width - line_width(ways)), ways

    @property
    def _first_steps(self) -> Sequence[tuple[str, str, str, str]]:
        return [step for step in _FIRST_STEPS if not self.actions.unavailable(step[0])]

    @property
    def _has_no_boards(self) -> bool:
        return not (self.known or self.search) and self.empty()[0] == _NONE_YET

    def empty(self) -> tuple[str, str]:
        listing, status = self.listing, self.store.status()
        if listing.folder_id != ALL_FOLDERS or listing.type:
            special = {ALL_FOLDERS: "", NO_FOLDER: " outside folders"}
            where = special.get(listing.folder_id, " in this folder")
            if listing.type:
                return f"no {listing.type} boards{where}", "{boards.type:T} to show all types"
            return f"no boards{where}", "{folders.choose:F f} to choose another folder"
        if archived := sum(board.archived_at is not None for board in self.store.boards()):
            hint = (
                f"{{boards.archived:t}} to show {archived} archived · {{boards.new:n}} to add one"
            )
            return "no active boards", hint
        if status.problem:
            hint = trouble_hint(status, self.again)
            return f"no boards are loaded yet: {status.problem}", hint
        nothing = "loading boards …" if status.checked_at is None else _NONE_YET
        return nothing, "{boards.new:n} to add one"

    def load(self, select: Hashable = None) -> None:
        self.show_rows(select)
        self._count(self._uncounted(), "count new")

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        self.listing.rename(renamed)
        super().show_rows(select, renamed)
        if self._has_no_boards:
            ways = tuple((keyed(key), does) for _, key, does, _ in self._first_steps)
            self.row_list.guide = Guide(_BOARDS_ARE, ways)
        self._show_pane()

    def _count(self, boards: Iterable[Board], group: str = "count") -> None:
        async def count(board_ids: Sequence[int]) -> None:
            async for _ in self.tallies.read(board_ids):
                self.show_soon()

        counting: WorkType[None] = partial(count, [board.id for board in boards])
        self.run_worker(counting, group=group, exclusive=True)

    def _uncounted(self) -> list[Board]:
        return [board for board in self.known if not self.tallies.was_read(board)]

    async def _fetch(self, *, is_asked: bool = False) -> None:
        try:
            await self.store.refresh()
            await self.listing.fetch_folders()
        except CallboardError as error:
            if is_asked:
                self.say(error.message, hint=error.hint, error=True)
            return
        self.show_again()
        if is_asked:
            self._count(self.known)
        if is_asked and not self.store.status().problem:
            self.say("up to date")

    def _show_pane(self) -> None:
        listing = self.listing
        is_shown = self.size.width >= PANE_FROM and bool(listing.folders)
        if self.pane.has_focus and not is_shown:
            self.row_list.focus()
        self.pane.display = is_shown
        titles = {ALL_FOLDERS: "All boards"}
        titles |= {folder.id: folder.title for folder in listing.folders}
        titles[NO_FOLDER] = "No folder"
        rows = [FolderRow(key, name, len(listing.in_folder(key))) for key, name in titles.items()]
        self.pane.show(rows, listing.folder_id)

    @on(FolderPane.Chosen)
    def show_folder(self, event: FolderPane.Chosen) -> None:
        if event.folder_id != self.listing.folder_id:
            self.listing.choose(folder=event.folder_id)
            self.show_rows()

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, BoardChanged):
            changed = [board for board in self.known if board.id == event.board_id]
            # A group of its own: a newer change of a board ends the count for its older one only.
            self._count(changed, f"count {event.board_id}")
        elif isinstance(event, BoardsChanged):
            self._count(self._uncounted(), "count new")
        elif isinstance(event, StatusChanged | UnseenChanged):
            self.show_soon()

    @action("boards.open", "", "Open board")
    def open_board(self) -> None:
        board = self.row_list.row
        if board is None:
            self.say_why_empty()
        elif board.archived_at is not None:
            self.say("this board is archived", hint="{boards.archive:A} to restore it")
        else:
            self.post_message(BoardRequested(board.id))

    @action("boards.archived", "t", "Show or hide archived boards", hint="archived")
    def switch_archived(self) -> None:
        self.listing.with_archived = not self.listing.with_archived
        self.show_rows()
        self.say("archived boards too" if self.listing.with_archived else "active boards only")

    @action("boards.search", "slash", "Search boards", hint="search")
    def ask_search(self) -> None:
        super().ask_search()

    @action("boards.sort", "o", "Sort boards by …", asks=True)
    async def ask_order(self) -> None:
        from tui.dialogs.questions import ChooseDialog, QuestionChoice

        choices = [QuestionChoice(sort.letter, sort.label, name) for name, sort in SORTS.items()]
        dialog = ChooseDialog("Sort the boards by …", choices, self.listing.sort)
        answer = await self.ask(dialog)
        if answer is not None:
            self.listing.choose(sort=answer)
            self.show_rows()

    @action("boards.type", "T", "Show to-do boards, roadmaps, or all")
    def show_next_type(self) -> None:
        kind = TYPES[(TYPES.index(self.listing.type) + 1) % len(TYPES)]
        self.listing.choose(type=kind)
        self.show_rows()
        self.say(f"{kind} boards only" if kind else "boards of all types")

    @action(
        "boards.folders-pane", "h,left", "Go to the folders at the left", arguments=("folders",)
    )
    @action("boards.boards-pane", "l,right", "Go to the boards", arguments=("boards",))
    @action("boards.other-pane", "tab", "Switch between folders and boards", arguments=("other",))
    def go_to_pane(self, pane: str) -> None:
        is_at_boards = self.row_list.has_focus
        if pane == "boards" and is_at_boards:
            self.say("you are at the boards", hint="{folders.choose:F f} to choose a folder")
        elif pane == "boards" or (pane == "other" and not is_at_boards):
            self.row_list.focus()
        elif self.pane.display:
            self.pane.focus()
        elif not self.actions.says_why_not("folders.choose"):
            if self.listing.folders:
                hint = "{folders.choose:F f} to choose a folder"
                self.say(f"folders need {PANE_FROM} columns", hint=hint)
            else:
                self.say("no folders", hint="{folders.new:F n} to add one")

    @action("boards.refresh", "R", "Refresh boards")
    def refresh_rows(self) -> None:
        self.run_worker(self._fetch(is_asked=True), group="refresh", exclusive=True)

    @action("boards.back", "escape", "Clear marks or search")
    def go_back(self) -> None:
        if self.row_list.put_back() or self.status.clear():
            self.status.draw()
        elif self.pane.has_focus:
            self.row_list.focus()
        elif not self.clear_search():
            self.say("you are already at the boards", hint="{app.quit:q} to quit")
