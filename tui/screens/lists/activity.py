"""The activity of a board, or of all boards, by day."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from tui.actions.old import Action, bindings
from tui.context import Context
from tui.model.activity import NO_DAY, day_title, what, what_on_board, who
from tui.model.activity_log import ActivityLog, Entry, kind, titles
from tui.navigation import TaskRequested
from tui.screens.lists.content import ListContext
from tui.screens.lists.row_list import RowList
from tui.screens.lists.screen import ListScreen
from tui.store.online import activity as online
from tui.text.cells import cut, fit, width as width_of
from tui.text.dates import local
from tui.widgets.painted import Line

_MOST_BOARDS = 12
"""Of how many boards the first page is fetched for the activity of all."""
_CLOCK = 7
_WIDE = 70
_WHO, _FIRST_NAME = 15, 7
_BOARD = 16


class Activities:
    """The activity of a board, else of the newest boards; filtered by person and kind."""

    row, opens = "activity", "activity.open"
    move = None

    def __init__(self, context: Context, board_id: int | None) -> None:
        self.log = ActivityLog()
        self.person = self.kind = ""
        self.wants_older = False
        self._context = context
        self._store = context.store
        self._board_id = board_id
        self._titles: Mapping[int, str] = {}

    @property
    def title(self) -> str:
        """“Activity”, with the boards that it covers, and the filter."""
        parts = ["Activity"]
        if self._board_id is None:
            count, known = len(self.log.board_ids), len(self._boards())
            parts.append(f"of {count} of {known} boards" if count < known else "of all boards")
        parts += [f"by {self.person}"] * bool(self.person) + [self.kind] * bool(self.kind)
        return " · ".join(parts)

    async def load(self) -> None:
        """Fetch the newest page of each board, or the next older page if that is wanted."""
        is_older, self.wants_older = self.wants_older, False
        remote = await self._store.service()
        page = self.log.next_page() if is_older else None
        if page is not None:
            self.log.add_older(page[0], await online.page(remote, *page))
            return
        boards = self._boards()[:_MOST_BOARDS] if self._board_id is None else [self._board_id]
        for board_id, newest in (await online.newest(remote, boards)).items():
            self.log.add_newest(board_id, newest)

    def rows(self) -> Sequence[Entry]:
        entries = self.log.entries()
        self._titles = self._known_titles(entries)
        return [entry for entry in entries if self._fits(entry)]

    def key(self, row: Entry) -> int:
        return row.activity.id

    def words(self, row: Entry) -> str:
        said = (who(row.activity), self.task_title(row), self._what(row), self._board_title(row))
        return " ".join(said)

    def line(self, row: Entry, width: int) -> Line:
        at, is_wide = row.activity.at, width >= _WIDE
        clock = f"{local(at):%H:%M}" if at is not None else ""
        name = who(row.activity)
        person = fit(name, _WHO - 1) if is_wide else fit(name.split()[0], _FIRST_NAME - 1)
        board = fit(self._board_title(row), _BOARD) if is_wide and self._board_id is None else ""
        room = max(8, width - _CLOCK - width_of(person) - 1 - width_of(board))
        title = cut(self.task_title(row), room // 2)
        done = self._what(row)
        said = fit(f"  {done}" if title else done, room - width_of(title))
        return (
            (f" {clock:<{_CLOCK - 1}}", "meta"),
            (f"{person} ", "people"),
            (title, "title"),
            (said, "meta" if title else "title"),
            (board, "count"),
        )

    def empty(self) -> tuple[str, str]:
        if self.person or self.kind:
            return (
                "nothing fits in what is loaded",
                "{rows.next:j} loads older · {list.back:esc} shows all",
            )
        return "no activity yet", ""

    def day(self, row: Entry) -> str:
        at = row.activity.at
        return NO_DAY if at is None else day_title(local(at).date(), self._context.now().date())

    def task_title(self, row: Entry) -> str:
        """The title of the task; empty for an activity of the board itself."""
        task_id = row.activity.task_id
        return "" if task_id is None else self._titles.get(task_id, "") or f"#{task_id}"

    def _what(self, row: Entry) -> str:
        return (what_on_board if row.activity.task_id is None else what)(row.activity)

    def _fits(self, row: Entry) -> bool:
        by = not self.person or who(row.activity) == self.person
        return by and (not self.kind or kind(row.activity) == self.kind)

    def _boards(self) -> list[int]:
        """The active boards, newest first."""
        return [board.id for board in self._store.boards() if board.archived_at is None]

    def _board_title(self, row: Entry) -> str:
        if self._board_id is not None:
            return ""
        return next((one.title for one in self._store.boards() if one.id == row.board_id), "")

    def _known_titles(self, entries: Sequence[Entry]) -> Mapping[int, str]:
        """The titles of the tasks: the present ones, else those in the activity."""
        wanted = {entry.activity.task_id for entry in entries}
        found = titles(entries)
        for board_id in self.log.board_ids:
            view = self._store.board(board_id)
            tasks = view.all_tasks() if view is not None else ()
            found |= {task.id: task.title for task in tasks if task.id in wanted}
        return found


class ActivityContext(ListContext[Entry]):
    """The activity that the actions run on."""

    content: Activities


class OpenTask(Action[ActivityContext]):
    """Opens the task of the activity."""

    id, keys, label = "activity.open", "o", "Open task"

    async def run(self, on: ActivityContext) -> None:
        row = on.need_row()
        if row is None:
            return
        task_id = row.activity.task_id
        if task_id is None:
            on.say("this is about the board, not about a card")
        elif on.content.log.is_deleted(task_id):
            on.say("that card was deleted")
        else:
            on.host.post_message(TaskRequested(row.board_id, task_id))


class Filter(Action["ActivityScreen"]):
    """Asks for the person and the kind of activity to show."""

    id, keys, label, hint = "activity.filter", "f", "Filter by person and kind", "filter"
    asks = True

    async def run(self, on: "ActivityScreen") -> None:
        from tui.dialogs.form import Choice, Field, FormDialog

        content = on.content
        entries = content.log.entries()
        people = sorted({who(entry.activity) for entry in entries} | {content.person} - {""})
        kinds = sorted({kind(entry.activity) for entry in entries} | {content.kind} - {""})
        fields = (
            Field("person", "Person", content.person,
                  [Choice("", "everybody"), *(Choice(one, one) for one in people)]),
            Field("kind", "Kind", content.kind,
                  [Choice("", "everything"), *(Choice(one, one) for one in kinds)]),
        )  # fmt: skip
        answer = await on.ask(FormDialog("Show activity", fields, verb="show"))
        if answer is not None:
            content.person, content.kind = answer["person"], answer["kind"]
            on.show_rows()


ACTIONS: tuple[Action[ActivityContext], ...] = (OpenTask(),)
SCREEN_ACTIONS: tuple[Action["ActivityScreen"], ...] = (Filter(),)


class ActivityScreen(ListScreen):
    """The activity by day; older pages are loaded near the end."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS, SCREEN_ACTIONS)
    content: Activities

    def __init__(self, context: Context, board_id: int | None) -> None:
        content = Activities(context, board_id)
        super().__init__(context, board_id, content, ACTIONS, heading=content.day)
        self.actions.add(SCREEN_ACTIONS, self)

    def clear_search(self) -> bool:
        if super().clear_search():
            return True
        if not (self.content.person or self.content.kind):
            return False
        self.content.person = self.content.kind = ""
        self.show_rows()
        return True

    @on(RowList.NearEnd)
    def load_older(self) -> None:
        """Load the next older page, unless something is being loaded."""
        is_idle = not self._is_loading and self._problem is None
        if is_idle and self.content.log.next_page() is not None:
            self.content.wants_older = True
            self.load()


SCREEN = ActivityScreen
