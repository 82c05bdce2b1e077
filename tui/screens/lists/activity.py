"""The activity of a board, or of all boards, by day; older pages are loaded near the end."""

from collections.abc import Sequence

from textual import on

from tui.actions.action import action
from tui.context import Context
from tui.model.events.activity import NO_DAY, day_title, what, what_on_board, who
from tui.model.work.activity_log import ActivityEntry, ActivityLog, kind, titles
from tui.navigation import TaskRequested
from tui.screens.lists.table import TableScreen
from tui.store.online import activity as online
from tui.text.dates import local
from tui.widgets.painted import Line, linked
from tui.widgets.row_list import Heading, ListColumn, RowList

_MOST_BOARDS = 12
"""Of how many boards the first page is fetched for the activity of all."""
_WIDE = 70
"""From this width on, there are whole names, and the boards."""


class ActivityScreen(TableScreen[ActivityEntry]):
    """The activity of a board, else of the newest boards; filtered by person and kind."""

    row_name, opens = "activity", "activity.open"
    keeps_order = True
    columns: Sequence[ListColumn] = (
        ListColumn("at", width=7, role="quiet"),
        ListColumn("who", width=15, gap=1, least=_WIDE),
        ListColumn("who", width=7, gap=1, most=_WIDE - 1),
        ListColumn("card", limit=44, gap=2, wide=70),
        ListColumn("what"),
    )

    def __init__(self, context: Context, board_id: int | None) -> None:
        super().__init__(context, board_id)
        self._log = ActivityLog()
        self._person = self._kind = ""
        self._wants_older = False
        self._titles: dict[int, str] = {}
        if not self.board_id:
            board = ListColumn("board", width=17, role="quiet", gap=1, least=_WIDE)
            self.columns = (*self.columns, board)

    @property
    def heading(self) -> str:
        parts = ["Activity"]
        if not self.board_id:
            count, total = len(self._log.board_ids), len(self.active_boards)
            parts.append(f"of {count} of {total} boards" if count < total else "of all boards")
        parts += [f"by {self._person}"] * bool(self._person) + [self._kind] * bool(self._kind)
        return " · ".join(parts)

    async def load_rows(self) -> None:
        # Reset at once: if this loading fails or is cancelled, the next one is of the newest page.
        is_older, self._wants_older = self._wants_older, False
        service = await self.store.service()
        page = self._log.next_page() if is_older else None
        if page is not None:
            self._log.add_older(page[0], await online.page(service, *page))
            return
        newest = [board.id for board in self.active_boards[:_MOST_BOARDS]]
        boards = [self.board_id] if self.board_id else newest
        for board_id, page_of_board in (await online.newest(service, boards)).items():
            self._log.add_newest(board_id, page_of_board)

    def rows(self) -> Sequence[ActivityEntry]:
        entries = self._log.entries()
        wanted = {entry.activity.task_id for entry in entries}
        self._titles = titles(entries)
        for board_id in self._log.board_ids:
            view = self.store.board(board_id)
            tasks = view.all_tasks() if view is not None else ()
            self._titles |= {task.id: task.title for task in tasks if task.id in wanted}
        return [
            entry
            for entry in entries
            if self._person in ("", who(entry.activity))
            if self._kind in ("", kind(entry.activity))
        ]

    def key(self, row: ActivityEntry) -> int:
        return row.activity.id

    def words(self, row: ActivityEntry) -> str:
        parts = (who(row.activity), self._task_title(row), _what(row), self._board_title(row))
        return " ".join(parts)

    def cells(self, row: ActivityEntry) -> Sequence[str | Line]:
        at, name = row.activity.at, who(row.activity)
        clock = f"{local(at):%H:%M}" if at is not None else ""
        title = self._task_title(row)
        what_role = "quiet" if title else "text"
        cells = (f" {clock}", name, name.split()[0], title, linked(_what(row), what_role))
        return cells if self.board_id else (*cells, self._board_title(row))

    def sections(self, row: ActivityEntry) -> tuple[Heading, ...]:
        at, today = row.activity.at, self.context.now().date()
        return (Heading(NO_DAY if at is None else day_title(local(at).date(), today)),)

    def empty(self) -> tuple[str, str]:
        if self._person or self._kind:
            return (
                "no matches in what is loaded",
                "{rows.next:j} to load older · {list.back:esc} to show all",
            )
        return "no activity yet", ""

    def _task_title(self, row: ActivityEntry) -> str:
        task_id = row.activity.task_id
        return "" if task_id is None else self._titles.get(task_id, "") or f"#{task_id}"

    def _board_title(self, row: ActivityEntry) -> str:
        if self.board_id:
            return ""
        return next((board.title for board in self.store.boards() if board.id == row.board_id), "")

    @action("activity.open", "o", "Open card")
    def open_task(self) -> None:
        row = self.need_row()
        if row is None:
            return
        task_id = row.activity.task_id
        if task_id is None:
            self.say("this is about the board, not a card")
        elif self._log.is_deleted(task_id):
            self.say("that card was deleted")
        else:
            self.post_message(TaskRequested(row.board_id, task_id))

    @action("activity.filter", "f", "Filter by person and kind", hint="filter", asks=True)
    async def ask_filter(self) -> None:
        from tui.dialogs.form import Choice, FormDialog, FormField

        entries = self._log.entries()
        people = sorted({who(entry.activity) for entry in entries} | {self._person} - {""})
        kinds = sorted({kind(entry.activity) for entry in entries} | {self._kind} - {""})
        fields = (
            FormField("person", "Person", self._person,
                  [Choice("", "everyone"), *(Choice(name, name) for name in people)]),
            FormField("kind", "Kind", self._kind,
                  [Choice("", "everything"), *(Choice(name, name) for name in kinds)]),
        )  # fmt: skip
        answer = await self.ask(FormDialog("Show activity", fields, verb="show"))
        if answer is not None:
            self._person, self._kind = answer["person"], answer["kind"]
            self.show_rows()

    def clear_search(self) -> bool:
        if super().clear_search():
            return True
        if not (self._person or self._kind):
            return False
        self._person = self._kind = ""
        self.show_rows()
        return True

    @on(RowList.NearEnd)
    def load_older(self) -> None:
        # After a failure scrolling does not ask again; a refresh does.
        is_idle = not self._is_loading and self._problem is None
        if is_idle and self._log.next_page() is not None:
            self._wants_older = True
            self.load()


def _what(row: ActivityEntry) -> str:
    return (what_on_board if row.activity.task_id is None else what)(row.activity)


SCREEN = ActivityScreen
