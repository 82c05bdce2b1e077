"""The screen with the list of boards, the first one of the program.

It opens from the cache. Changes are shown at once and sent in the background, like all others.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message

from tui.actions.action import action, bindings
from tui.actions.program import ListsOfService
from tui.actions.tasks.history import HistoryOfAllBoards
from tui.actions.tasks.refresh import trouble_hint
from tui.context import Context
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.people import Role, in_initials, initials_of
from tui.navigation import BoardRequested, ListRequested
from tui.screens.boards.actions import BoardActions, FolderActions
from tui.screens.boards.listing import ALL_FOLDERS, NO_FOLDER, SORTS, TYPES, Listing, share
from tui.screens.lists.table import TableScreen
from tui.store.events import StatusChanged, StoreEvent, UnseenChanged
from tui.text.cells import fit
from tui.text.dates import local
from tui.widgets import glyphs
from tui.widgets.keys import list_keys
from tui.widgets.line_list import LineList
from tui.widgets.painted import Line, fitted
from tui.widgets.row_list import NONE, Column

PANE_FROM = 80
"""The width from which on folders are shown at the left."""

_BAR = 10
"""The cells of the bar that shows how much of a board is done."""
_COLUMNS = (
    Column("", width=2, role="warn"),
    Column("board", gap=1),
    Column("", width=5, role="warn", gap=1),
    Column("done", width=_BAR + 1, gap=1, least=44),
    Column("", width=9, align="right", gap=2),
    Column("new", width=4, role="news", gap=1, least=56),
    Column("type", width=9, role="quiet", gap=1, least=70),
    Column("members", width=13, gap=1, least=70),
    Column("made", width=7, role="quiet", align="right", gap=1, least=70),
)
_FOLDER = Column(" folder", width=17, role="quiet", least=105)


class FolderRow(NamedTuple):
    """A folder with the number of its boards, or what stands for all boards, or those in none."""

    id: int
    title: str
    boards: int


class FolderFace(NamedTuple):
    """A folder as it is drawn."""

    line: Line

    def lines(self) -> list[Line]:
        return [self.line]


class FolderPane(LineList[FolderRow], can_focus=True):
    """All boards, those in no folder, and each folder; the one at the cursor is shown."""

    ground = "card"

    BINDINGS: ClassVar[list[BindingType]] = [
        *list_keys("folders", "folder"),
        Binding(
            "enter",
            "screen.run('boards.boards-pane')",
            "boards",
            id="folders.leave",
            tooltip="Go to the boards",
        ),
    ]

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """Another folder is at the cursor."""

        folder_id: int

    def show(self, rows: Sequence[FolderRow], chosen: int) -> None:
        self.rows = rows
        self.cursor = next((at for at, row in enumerate(rows) if row.id == chosen), 0)
        self.keep_in_sight()

    def face_of(self, row: int) -> FolderFace:
        folder, is_current = self.rows[row], self.is_current(row)
        is_lit = is_current and self.has_focus
        sign = glyphs.BAR if is_lit else glyphs.HERE if is_current else " "
        count, width = f" {folder.boards} ", max(1, self.drawn_size.width)
        title = fit(f"{sign} {folder.title}", max(1, width - len(count)))
        if is_lit:  # one style from edge to edge
            return FolderFace(((fit(f"{title}{count}", width), "cursor"),))
        line = ((title, "accent" if is_current else "text"), (count, "quiet"))
        return FolderFace(fitted(line, width, "text"))

    def go_to(self, row: int) -> None:
        super().go_to(row)
        if self.row is not None:
            self.post_message(self.Chosen(self.row.id))

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event.y)
        if row is not None:
            self.go_to(row)


class BoardsScreen(TableScreen[Board]):
    """All boards with their progress, and the folders they are in."""

    AUTO_FOCUS: ClassVar[str | None] = "RowList"
    BINDINGS: ClassVar[list[BindingType]] = bindings(BoardActions, HistoryOfAllBoards)
    actions_of = (FolderActions, ListsOfService)
    row_name, opens = "board", "boards.open"
    start = "boards"
    is_of_board = False
    again = "{boards.refresh:R} tries again"

    def __init__(self, context: Context) -> None:
        self.listing = Listing(context)
        super().__init__(context)
        self.actions.offer(BoardActions(self, self.listing))
        self.actions.offer(HistoryOfAllBoards(self, self.go_to))
        self.actions.offer(FolderActions(self, self.listing))
        self.actions.offer(ListsOfService(self))
        self.pane = FolderPane()
        self.pane.display = False
        self._pending: Counter[int] = Counter()

    def compose(self) -> ComposeResult:
        yield self.bar
        yield Horizontal(self.pane, self.row_list)
        yield self.status
        yield self.status.footer

    def on_mount(self) -> None:
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
        return self.listing.boards()

    def words(self, row: Board) -> str:
        return row.title

    @property
    def columns(self) -> Sequence[Column]:  # type: ignore[override]  # folders where they differ
        has_folders = self.listing.folders and self.listing.folder is None
        return (*_COLUMNS, _FOLDER) if has_folders else _COLUMNS

    def cells(self, row: Board) -> Sequence[str | Line]:
        count, news = self._pending[row.id], len(self.store.changed_by_others(row.id))
        done = int(share(row) * _BAR)
        age = ""
        if row.created_at is not None:
            days = (self.context.now() - local(row.created_at)).days
            age = "today" if days <= 0 else f"{days}d"
        folder = self.listing.folder_of(row.id)
        return (
            glyphs.PIN if row.id in self.listing.pinned else "",
            f"{'' if row.archived_at is None else '[archived] '}{row.title or '(no title)'}",
            f"{glyphs.ON_THE_WAY}{count}" if count else "",
            ((glyphs.FULL * done, "accent"), (glyphs.EMPTY * (_BAR - done), "line")),
            f"{row.completed_count}/{row.tasks_count}",
            f"{glyphs.NEWS}{news}" if news else "",
            row.type.value,
            " ".join(in_initials(row.people[:4], initials_of(row.people))),
            age,
            f" {folder.title}" if folder else "",
        )[: len(self.columns)]

    def empty(self) -> tuple[str, str]:
        listing, status = self.listing, self.store.status()
        if listing.folder_id != ALL_FOLDERS or listing.type:
            special = {ALL_FOLDERS: "", NO_FOLDER: " outside folders"}
            where = special.get(listing.folder_id, " in this folder")
            if listing.type:
                return f"no {listing.type} boards{where}", "{boards.type:T} shows all types"
            return f"no boards{where}", "{folders.choose:F f} chooses another folder"
        if archived := sum(board.archived_at is not None for board in self.store.boards()):
            hint = f"{{boards.archived:t}} shows {archived} archived · {{boards.new:n}} makes one"
            return "no active boards", hint
        if status.problem:
            hint = trouble_hint(status, self.again)
            return f"no boards are cached yet: {status.problem}", hint
        nothing = "loading boards …" if status.checked_at is None else "no boards yet"
        return nothing, "{boards.new:n} makes one"

    def load(self, select: Hashable = None) -> None:
        self.show_rows(select)

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        self.listing.rename(renamed)
        super().show_rows(select, renamed)
        self._show_pane()

    async def _fetch(self, *, is_asked: bool = False) -> None:
        try:
            await self.store.refresh()
            await self.listing.fetch_folders()
        except CallboardError as error:
            if is_asked:
                self.say(error.message, hint=error.hint, error=True)
            return
        self.show_again()
        if is_asked and not self.store.status().problem:
            self.say("up to date")

    def _show_pane(self) -> None:
        listing = self.listing
        is_shown = self.size.width >= PANE_FROM and bool(listing.folders)
        if self.pane.has_focus and not is_shown:
            self.row_list.focus()
        self.pane.display = is_shown
        titles = {ALL_FOLDERS: "All boards", NO_FOLDER: "No folder"}
        titles |= {folder.id: folder.title for folder in listing.folders}
        rows = [FolderRow(key, name, len(listing.in_folder(key))) for key, name in titles.items()]
        self.pane.show(rows, listing.folder_id)

    @on(FolderPane.Chosen)
    def show_folder(self, event: FolderPane.Chosen) -> None:
        if event.folder_id != self.listing.folder_id:
            self.listing.choose(folder=event.folder_id)
            self.show_rows()

    def hear(self, event: StoreEvent) -> None:
        super().hear(event)
        if isinstance(event, StatusChanged | UnseenChanged):
            self.show_soon()

    @action("boards.open", "", "Open board")
    def open_board(self) -> None:
        board = self.row_list.row
        if board is None:
            self.say_why_empty()
        elif board.archived_at is not None:
            self.say("this board is archived", hint="{boards.archive:A} restores it")
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
        from tui.dialogs.questions import Choice, ChooseDialog

        choices = [Choice(sort.letter, sort.label, name) for name, sort in SORTS.items()]
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
            self.say("you are at the boards", hint="{folders.choose:F f} chooses a folder")
        elif pane == "boards" or (pane == "other" and not is_at_boards):
            self.row_list.focus()
        elif self.pane.display:
            self.pane.focus()
        elif not self.actions.says_why_not("folders.choose"):
            if self.listing.folders:
                hint = "{folders.choose:F f} chooses a folder"
                self.say(f"folders are shown from {PANE_FROM} columns on", hint=hint)
            else:
                self.say("there are no folders", hint="{folders.new:F n} makes one")

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
            self.say("this is the list of boards", hint="{app.quit:q} quits")

    @action("go.my-work", "g m", "Go to my work", hint="my work")
    def show_my_work(self) -> None:
        self.post_message(ListRequested("my_work", None))
