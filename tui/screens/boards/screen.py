"""The screen with the list of boards, the first one of the program.

It opens from the cache. Changes are shown at once and sent in the background, like all others.
"""

from collections.abc import Hashable, Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from tui.actions.lists import LISTS_OF_SERVICE, ListsContext
from tui.actions.old import Action, Do, bindings
from tui.actions.program import to_my_work
from tui.actions.tasks.history import ANYWHERE_ACTIONS, HISTORY_ACTIONS
from tui.context import Context
from tui.errors import CallboardError
from tui.model.people import Role
from tui.navigation import BoardRequested
from tui.screens.boards.actions import BOARD_LIST_ACTIONS
from tui.screens.boards.content import (
    AGAIN,
    ALL_FOLDERS,
    NO_FOLDER,
    SORTS,
    TYPES,
    Boards,
    BoardsContext,
)
from tui.screens.boards.folder_actions import FOLDER_ACTIONS
from tui.screens.boards.folder_pane import FolderPane, FolderRow
from tui.screens.lists.screen import ListScreen, Search
from tui.store.events import StatusChanged, StoreEvent
from tui.theme import stylesheet
from tui.widgets.row_list import NONE

PANE_FROM = 80
"""The width from which on folders are shown at the left."""


class OpenBoard(Action["BoardsScreen"]):
    """Opens the board at the cursor."""

    id, label = "boards.open", "Open board"

    async def run(self, on: "BoardsScreen") -> None:
        board = on.row_list.row
        if board is None:
            on.say_why_empty()
        elif board.archived_at is not None:
            on.say("this board is archived", hint="{boards.archive:A} restores it")
        else:
            on.post_message(BoardRequested(board.id))


class ListArchived(Action["BoardsScreen"]):
    """Shows or hides archived boards."""

    id, keys, label, hint = "boards.archived", "t", "Show or hide archived boards", "archived"

    async def run(self, on: "BoardsScreen") -> None:
        on.content.with_archived = not on.content.with_archived
        on.show_rows()
        on.say("archived boards too" if on.content.with_archived else "active boards only")


class SortBoards(Action["BoardsScreen"]):
    """Asks for the order of the boards; pinned ones always come first."""

    id, keys, label, asks = "boards.sort", "o", "Sort boards by …", True

    async def run(self, on: "BoardsScreen") -> None:
        from tui.dialogs.choose import Choice, ChooseDialog

        choices = [Choice(sort.letter, sort.label, name) for name, sort in SORTS.items()]
        answer = await on.ask(ChooseDialog("Sort the boards by …", choices, on.content.sort))
        if answer is not None:
            on.content.show(sort=answer)
            on.show_rows()


class FilterType(Action["BoardsScreen"]):
    """Shows the boards of the next type: to-do, roadmap, all."""

    id, keys, label = "boards.type", "T", "Show to-do boards, roadmaps, or all"

    async def run(self, on: "BoardsScreen") -> None:
        kind = TYPES[(TYPES.index(on.content.type) + 1) % len(TYPES)]
        on.content.show(type=kind)
        on.show_rows()
        on.say(f"{kind} boards only" if kind else "boards of all types")


class GoToPane(Action["BoardsScreen"]):
    """Goes to the folders or the boards; with neither named to the other of them."""

    def __init__(self, name: str, keys: str, label: str, *, to_folders: bool | None) -> None:
        self.id, self.keys, self.label = f"boards.{name}", keys, label
        self._to_folders = to_folders

    async def run(self, on: "BoardsScreen") -> None:
        to_folders = on.row_list.has_focus if self._to_folders is None else self._to_folders
        if not to_folders and on.row_list.has_focus:
            on.say("you are at the boards", hint="{folders.choose:F f} chooses a folder")
        elif not to_folders:
            on.row_list.focus()
        elif on.pane.display:
            on.pane.focus()
        elif not on.actions.says_why_not("folders.choose"):
            hint = (
                "{folders.choose:F f} chooses a folder"
                if on.content.folders
                else "{folders.new:F n} makes one"
            )
            why = f"folders are shown from {PANE_FROM} columns on"
            on.say(why if on.content.folders else "there are no folders", hint=hint)


class Back(Action["BoardsScreen"]):
    """Clears the marks, else the message, else the search."""

    id, keys, label = "boards.back", "escape", "Clear marks or search"

    async def run(self, on: "BoardsScreen") -> None:
        if on.row_list.put_back() or on.status.clear():
            on.status.draw()
        elif on.pane.has_focus:
            on.row_list.focus()
        elif on.search:
            on.search = ""
            on.show_rows()
        else:
            on.say("this is the list of boards", hint="{app.quit:q} quits")


VIEW_ACTIONS: tuple[Action["BoardsScreen"], ...] = (
    OpenBoard(),
    ListArchived(),
    Do("boards.search", "slash", "Search boards", Search().run, hint="search"),
    SortBoards(),
    FilterType(),
    GoToPane("folders-pane", "h,left", "Go to the folders at the left", to_folders=True),
    GoToPane("boards-pane", "l,right", "Go to the boards", to_folders=False),
    GoToPane("other-pane", "tab", "Switch between folders and boards", to_folders=None),
    Do(
        "boards.refresh",
        "R",
        "Refresh boards",
        lambda on: on.run_worker(on.fetch(is_asked=True), group="refresh", exclusive=True),
    ),
    Back(),
)


class BoardsScreen(ListScreen):
    """All boards with their progress, and the folders they are in."""

    CSS_PATH = stylesheet("lists.tcss")
    AUTO_FOCUS: ClassVar[str | None] = "RowList"
    again = AGAIN
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        (to_my_work("my work"),),
        BOARD_LIST_ACTIONS,
        HISTORY_ACTIONS,
        VIEW_ACTIONS,
        FOLDER_ACTIONS,
        LISTS_OF_SERVICE,
    )

    content: Boards

    def __init__(self, context: Context) -> None:
        content = Boards(context)
        super().__init__(context, None, content, (), screen_actions=())
        chosen = BoardsContext(self, 0, content, lambda: self.row_list.chosen, self.load)
        self.actions.add(BOARD_LIST_ACTIONS, chosen)
        self.actions.add(ANYWHERE_ACTIONS, chosen)
        self.actions.add(FOLDER_ACTIONS, chosen)
        self.actions.add(VIEW_ACTIONS, self)
        self.actions.add(LISTS_OF_SERVICE, ListsContext(self, lambda: None))
        self.pane = FolderPane()
        self.pane.display = False
        self._is_due = False

    def compose(self) -> ComposeResult:
        yield self.bar
        yield Horizontal(self.pane, self.row_list)
        yield self.status

    def on_mount(self) -> None:
        self.run_worker(self.store.close_board(), group="close")
        self.run_worker(self.fetch(), group="refresh", exclusive=True)

    def on_resize(self) -> None:
        self._show_pane()

    @property
    def role(self) -> Role:
        """The least of the user's roles on the chosen boards."""
        roles = (board.role_of(self.store.me) for board in self.row_list.chosen)
        return min(roles, default=Role.MANAGER)

    def load(self, select: Hashable = None) -> None:
        self.show_rows(select)

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        self._is_due = False
        self.content.rename(renamed)
        super().show_rows(select, renamed)
        self._show_pane()

    async def fetch(self, *, is_asked: bool = False) -> None:
        """Fetch the boards and the folders; tell how that went if the user asked for it."""
        try:
            await self.store.refresh()
            await self.content.load()
        except CallboardError as error:
            if is_asked:
                self.say(error.message, hint=error.hint, error=True)
            return
        self.show_again()
        if is_asked and not self.store.status().problem:
            self.say("up to date")

    def _show_pane(self) -> None:
        content = self.content
        is_shown = self.size.width >= PANE_FROM and bool(content.folders)
        if self.pane.has_focus and not is_shown:
            self.row_list.focus()
        self.pane.display = is_shown
        titles = {ALL_FOLDERS: "All boards", NO_FOLDER: "No folder"}
        titles |= {folder.id: folder.title for folder in content.folders}
        rows = [FolderRow(one, name, len(content.in_folder(one))) for one, name in titles.items()]
        self.pane.show(rows, content.folder_id)

    @on(FolderPane.Chosen)
    def show_folder(self, event: FolderPane.Chosen) -> None:
        if event.folder_id != self.content.folder_id:
            self.content.show(folder=event.folder_id)
            self.show_rows()

    def hear(self, event: StoreEvent) -> None:
        """Update the list after a change of pending changes or the connection, too."""
        super().hear(event)
        if isinstance(event, StatusChanged) and not self._is_due:
            self._is_due = True
            self.call_after_refresh(self.show_again)
