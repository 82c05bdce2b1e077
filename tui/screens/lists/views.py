"""Views: cards of all boards by saved filters, as a table with tabs."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult

from tui.actions.action import Method, action
from tui.actions.tasks.refresh import trouble_hint
from tui.config.preferences import ALL_BOARDS
from tui.config.saved_views import ViewStore
from tui.context import Context
from tui.model.people import Role, initials_of
from tui.model.task import Task
from tui.model.work.saved_view import FIRST_VIEWS, SavedView, ViewGroup, ViewSort
from tui.model.work.view_rows import DueGroup, ViewRow, ViewRows
from tui.screens.keys import Hints
from tui.screens.lists.cards import CardListScreen
from tui.screens.views.cells import CellContext, cells_of, columns_of, head_of, sort_of
from tui.screens.views.live import LiveViews
from tui.screens.views.tabs import ViewTabs
from tui.store.events import (
    BoardChanged,
    BoardsChanged,
    StatusChanged,
    StoreEvent,
    SyncStatus,
)
from tui.text.clean import counted, line, quoted
from tui.widgets.bars import Tab
from tui.widgets.painted import Line
from tui.widgets.row_list import Heading, ListColumn

_OPENED = "view"
"""The preference with the name of the view that was open last."""
_ROOMY = 30
"""From this height on a line is blank below the tabs."""
_ROLES = {DueGroup.OVERDUE.value: "bad", DueGroup.TODAY.value: "warn"}
_HINTS: Hints = {
    "view.open-card": "open",
    "task.close": "",
    "task.assign": "",
    "list.sort": "",
    "view.group": "group",
    "list.search": "filter",
    "view.next": "next view",
    "view.edit": "edit view",
}


def _numbered(method: Method) -> Method:
    # A key for each of the first views.
    for index in reversed(range(9)):
        number = index + 1
        method = action(f"view.{number}", f"{number}", f"Go to view {number}", arguments=(index,))(
            method
        )
    return method


class ViewsScreen(CardListScreen[ViewRow]):
    """The cards of the view whose tab is open."""

    row_name, opens = "card", "view.open-card"
    first_hints: ClassVar[Hints] = _HINTS
    keeps_order = True

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self.saved = ViewStore(context.preferences)
        self.tabs = ViewTabs()
        self.live = LiveViews(self, "views")
        self.results = self.live.results
        self.views: tuple[SavedView, ...] = FIRST_VIEWS
        self.current: SavedView = FIRST_VIEWS[0]
        self._in_group: Mapping[str, int] = {}
        self._overdue = 0
        self._lines: dict[tuple[int, int], Line] = {}
        """The rows as they are drawn, by card and width, until they are shown anew."""
        self._cells = CellContext(context.now(), context.store.me, {}, is_of_board=False)
        self._broken = ""
        self._read_views(context.preferences.text(ALL_BOARDS, _OPENED))

    def compose(self) -> ComposeResult:
        yield self.bar
        yield self.tabs
        yield self.row_list
        yield self.status
        yield self.status.footer

    def on_resize(self) -> None:
        self.set_class(self.size.height >= _ROOMY, "-roomy")

    async def on_unmount(self) -> None:
        await self.live.end()

    @property
    def heading(self) -> str:
        return "Views"

    @property
    def columns(self) -> Sequence[ListColumn]:  # type: ignore[override]
        return columns_of(self.current)

    def head_of(self, column: ListColumn) -> Line:
        return head_of(column, self.current)

    def card(self, row: ViewRow) -> Task:
        return row.task

    def key(self, row: ViewRow) -> int:
        return row.task.id

    def keys_of(self, rows: Sequence[ViewRow]) -> Sequence[Hashable]:
        # Without reading the cards.
        return rows.ids if isinstance(rows, ViewRows) else super().keys_of(rows)

    def words(self, row: ViewRow) -> str:
        return f"#{row.task.id} {row.task.title}"

    def rows(self) -> Sequence[ViewRow]:
        now = self.context.now()
        rows = self.results.rows(self.current, now)
        about = self.results.about(self.current)
        people = () if about is None else about.people
        by_board = self.current.group is ViewGroup.BOARD
        self._cells = CellContext(
            now, self.store.me, initials_of(people), by_board, self.store.relations()
        )
        self._in_group = rows.in_group
        # Once for these rows, as the bar is drawn at each mark.
        self._overdue = self.results.overdue(self.current, now)
        self._lines.clear()
        return rows

    def matching(self, rows: Sequence[ViewRow]) -> Sequence[ViewRow]:
        from tui.model.query.language import parse
        from tui.model.query.matching import matcher

        about = self.results.about(self.current)
        if about is None:
            return rows
        matches = matcher(parse(self.search), about)
        found = [row for row in rows if matches(row.task)]
        self._in_group = Counter(row.group for row in found)
        return found

    def sections(self, row: ViewRow) -> tuple[Heading, ...]:
        if not row.group:
            return ()
        role = "strong"
        if self.current.group is ViewGroup.DUE:
            role = _ROLES.get(row.group, role)
        return (Heading(row.group, (), role, str(self._in_group[row.group])),)

    def line(self, row: ViewRow, width: int) -> Line:
        key = row.task.id, width
        if key not in self._lines:
            self._lines[key] = super().line(row, width)
        return self._lines[key]

    def cells(self, row: ViewRow) -> Sequence[str | Line]:
        return cells_of(row, self.current, self._cells)

    def counts(self) -> Line:
        name: Line = ((line(self.current.name), "strong"),)
        if self.results.cards(self.current) is None:
            return name
        boards = len(self.results.boards_with_cards(self.current))
        cards = f"{counted(len(self.known), 'card')} on {counted(boards, 'board')}"
        late: Line = ((f"{self._overdue} overdue", "bad"),) if self._overdue else ()
        if not boards:
            cards = "no cards"
        progress: Line = ((self.live.progress, "quiet"),) if self.live.progress else ()
        return (*name, (cards, "quiet"), *late, *progress)

    def empty(self) -> tuple[str, str]:
        boards, status = self.results.boards_of(self.current), self.store.status()
        if not self.active_boards:
            return "no boards yet", "{go.boards:g b} to list boards"
        if not boards:
            return "the boards of this view are gone", "{view.edit:V} to edit the view"
        if len(self.results.missing(self.current)) == len(boards):
            problem = f": {status.problem}" if status.problem else ""
            return f"no boards are loaded yet{problem}", trouble_hint(
                status, "{list.refresh:R} try now"
            )
        return "no cards match", "{view.edit:V} edit view"

    def draw_bar(self) -> None:
        super().draw_bar()
        tabs = [Tab(line(view.name), self._note(view)) for view in self.views]
        self.tabs.show(tabs, self.views.index(self.current) if self.current in self.views else 0)

    def _note(self, view: SavedView) -> str:
        count = self.results.count(view)
        return "" if count is None else str(count)

    @property
    def role(self) -> Role:
        return self.live.role

    @property
    def sync_status(self) -> SyncStatus:
        return self.live.sync_status

    def _read_views(self, name: str) -> None:
        stored = self.saved.read()
        self.views = stored.views or FIRST_VIEWS
        self._broken = stored.problem
        named = (view for view in self.views if view.name == name)
        self.current = next(named, self.views[0])
        self.results.keep(self.views)

    async def load_rows(self) -> None:
        await self.live.load()
        if self._broken:
            self.say(self._broken, hint="it is in preferences.json as it was", error=True)
            self._broken = ""

    @property
    def view_here(self) -> SavedView:
        return self.current

    @property
    def views_wanted(self) -> Sequence[SavedView]:
        return [self.current, *(view for view in self.views if view != self.current)]

    @property
    def boards_in_sight(self) -> Iterable[int]:
        first, last = self.row_list.in_sight
        shown = (row.task.board_id for row in self.row_list.rows[first : last + 1])
        return (*shown, *self.results.boards_with_cards(self.current))

    def came_back(self) -> None:
        self._read_views(self.current.name)
        super().came_back()

    def refresh_rows(self) -> None:
        self.live.all_are_stale()
        super().refresh_rows()

    def follow_store(self, event: StoreEvent) -> None:
        if isinstance(event, BoardChanged | BoardsChanged) and event.renamed:
            if isinstance(event, BoardChanged):
                self.show_rows(renamed=event.renamed)
            else:
                self._read_views(self.current.name)
        self.live.hear(event)
        if isinstance(event, StatusChanged):
            super().follow_store(event)

    def action_run(self, action_id: str) -> None:
        if action_id.startswith(("task.", "card.")):
            self.live.run_with_boards(lambda: self.actions.run(action_id))
        else:
            super().action_run(action_id)

    @action("view.open-card", "", "Open card", hint="open")
    def open_card(self) -> None:
        from tui.navigation import TaskRequested

        row = self.row_list.row
        if row is None:
            self.say_why_empty()
        else:
            self.post_message(TaskRequested(row.task.board_id, row.task.id))

    @action("view.next", "tab", "Next view", hint="next view", arguments=(1,))
    @action("view.previous", "shift+tab", "Previous view", arguments=(-1,))
    def step(self, by: int) -> None:
        at = self.views.index(self.current) if self.current in self.views else 0
        self.open_view(self.views[(at + by) % len(self.views)])

    @_numbered
    def go(self, index: int) -> None:
        if index >= len(self.views):
            self.say(f"there are {counted(len(self.views), 'view')}")
        elif self.views[index] == self.current:
            self.say("you are already here")
        else:
            self.open_view(self.views[index])

    @on(ViewTabs.Chosen)
    def click_tab(self, event: ViewTabs.Chosen) -> None:
        if event.index is None:
            self.actions.perform("view.new")
        else:
            self.open_view(self.views[event.index])

    def open_view(self, view: SavedView, *, again: bool = False) -> None:
        """Show another view."""
        if view == self.current and not again:
            return
        self.current = view
        self.search = ""
        self.row_list.marks = frozenset()
        self.row_list.begin()
        self.context.preferences.keep(ALL_BOARDS, **{_OPENED: view.name})
        self.load()

    @action("view.new", "+", "New view", words="add tab", asks=True)
    async def add(self) -> None:
        await self._fill_in("New view", SavedView("", self.search or "is:open"), "")

    @action("view.edit", "V", "Edit view", hint="edit view", words="columns boards filter",
            asks=True)  # fmt: skip
    async def edit(self) -> None:
        await self._fill_in("Edit view", self.current, self.current.name)

    @action("view.delete", "", "Delete view", words="remove tab", asks=True)
    async def delete(self) -> None:
        view = self.current
        if len(self.views) == 1:
            self.say("this is the only view", hint="{view.edit:V} to edit the view")
        elif await self.confirm(f"Delete the view {quoted(line(view.name))}?",
                                "No card is changed.", verb="delete"):  # fmt: skip
            at = self.views.index(view)
            self.saved.remove(view.name)
            self._read_views("")
            self.open_view(self.views[min(at, len(self.views) - 1)], again=True)
            self.say(f"deleted the view {quoted(line(view.name))}")

    async def _fill_in(self, title: str, view: SavedView, name: str) -> None:
        from tui.screens.views.form import ViewForm

        others = [other.name for other in self.views if other.name != name]
        dialog = ViewForm(title, view, others, self.active_boards, self.context)
        answer = await self.ask(dialog)
        if answer is not None:
            saved = self.saved.put(answer, name)
            self._read_views(saved.name)
            self.open_view(saved, again=True)
            self.say(f"saved the view {quoted(line(saved.name))}")

    @action("view.group", "B", "Group cards of view by …", hint="group", words="swimlanes",
            asks=True)  # fmt: skip
    async def group(self) -> None:
        from tui.dialogs.questions import ChooseDialog, by_first_letter

        group = self.current.group
        answer = await self.ask(ChooseDialog("Group cards by …", by_first_letter(ViewGroup), group))
        if answer is not None:
            self._change(replace(self.current, group=ViewGroup(answer)))

    @action("list.sort", "O", "Sort cards by …", hint="sort", words="order",
            asks=True)  # fmt: skip
    async def sort(self) -> None:
        from tui.dialogs.questions import ChooseDialog, by_first_letter

        sort = self.current.sort
        answer = await self.ask(ChooseDialog("Sort cards by …", by_first_letter(ViewSort), sort))
        if answer is not None:
            self._sort_by(ViewSort(answer))

    def head_clicked(self, column: ListColumn) -> None:
        sort = sort_of(column)
        if sort is None:
            self.say(f"cards cannot be sorted by {column.name}")
        else:
            self._sort_by(sort)

    def _sort_by(self, sort: ViewSort) -> None:
        view = self.current.sorted_by(sort)
        self._change(view)
        order = " in reverse" if view.is_reversed else ""
        self.say(f"sorted by {sort.value}{order}")

    def _change(self, view: SavedView) -> None:
        """Keep how the cards of the view are shown."""
        view = self.saved.put(view, self.current.name)
        self._read_views(view.name)
        self.current = view
        self.show_rows()

    def why_not(self, key: str) -> str:
        return "new cards are added on a board" if key == "n" else super().why_not(key)


SCREEN = ViewsScreen
"""The screen of this list."""
