"""The timeline of a board: its open cards as bars from start to due, and its agenda, by day.

Cards are moved in time like cards on a board: lifted, carried, dropped. Without lifting, what is
typed in quick succession becomes one change.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from datetime import date, timedelta
from typing import ClassVar

from textual import events, on

from tui.actions.action import action
from tui.actions.tasks.history import HistoryActions
from tui.context import Context
from tui.model.people import NO_INITIALS, initials_of
from tui.model.task import Person, Task
from tui.model.timeline.groups import board_groups, stage_places
from tui.model.timeline.rows import (
    DatedRow,
    DateKind,
    Groups,
    Places,
    agenda_rows,
    timeline_rows,
    undated_rows,
)
from tui.model.work.saved_view import ViewGroup
from tui.screens.lists.cards import LISTED, CardListScreen
from tui.screens.timeline import agenda, hints
from tui.screens.timeline.carrying import DateCarrying
from tui.screens.timeline.counts import counts_of
from tui.screens.timeline.days import TimelineDays
from tui.screens.timeline.drawing import WIDE, TimelineDrawing, spot_of_today
from tui.screens.timeline.timeline_list import TimelineList
from tui.store.events import BoardChanged, BoardsChanged, StoreEvent
from tui.store.operations.base import Operation
from tui.text.clean import counted
from tui.text.dates import local
from tui.widgets import glyphs
from tui.widgets.bars import Notice, key_line
from tui.widgets.painted import Line, line_width
from tui.widgets.row_list import NONE, Heading, ListColumn, RowList

_NARROW = 60
"""In a narrower terminal there is no timeline."""
_FRESH = timedelta(minutes=1)
"""A board that was checked more recently than this is not refreshed."""
_MOST_LINES = 400
"""How many rows are kept as they were drawn."""


class TimelineScreen(CardListScreen[DatedRow]):
    """The open cards of a board by date, as bars or as an agenda."""

    row_name, opens = "card", "card.open"
    # Before those of all cards, which have some of their keys.
    actions_of = (TimelineDays, DateCarrying, *LISTED)
    is_of_board = True
    keeps_order = True
    pause_seconds: ClassVar[float] = 0.8
    """After which pause dates that were moved without lifting are sent."""

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self.row_list = self.timeline_list = TimelineList(self, lambda: self.days.drawing)
        self.days = TimelineDays(self, self._draw_days)
        self.carrying = DateCarrying(self, self.days)
        self.actions.offer(self.days)
        self.actions.offer(self.carrying)
        self.actions.offer(HistoryActions(self, lambda: self.board_id, self.go_to))
        self.group = ViewGroup.STAGE
        """What the bars are grouped by."""
        self._wants_agenda: bool | None = None
        """Whether the user chose the agenda or the timeline; None for the one that fits."""
        self._shows_undated = False
        self._undated: Sequence[DatedRow] = ()
        self._in_group: Counter[object] = Counter()
        self._lines: dict[object, tuple[Task, Line]] = {}
        """The rows as they were drawn last, each with the card that it shows."""
        self._headings: dict[object, tuple[Heading, ...]] = {}
        self._agenda = agenda.AgendaDrawing(context.now(), self.store.me, NO_INITIALS)
        self._lines_of: TimelineDrawing | None = None
        """What drew the rows last."""
        self._width_of_lines = 0

    @property
    def heading(self) -> str:
        return "Agenda" if self.is_agenda else "Timeline"

    @property
    def is_agenda(self) -> bool:
        """Whether days are listed, as there is no room for a timeline or the user wants that."""
        width = self.size.width
        return width < _NARROW or (
            width < WIDE if self._wants_agenda is None else self._wants_agenda
        )

    @property
    def columns(self) -> Sequence[ListColumn]:  # type: ignore[override]  # those of the agenda
        return agenda.COLUMNS if self.is_agenda else ()

    def _draw_days(self) -> None:
        self.row_list.redraw()
        self.status.draw()

    async def load_rows(self) -> None:
        view = await self.store.load_board(self.board_id)
        self.show_again()
        checked = self.store.status(self.board_id).checked_at
        is_old = checked is None or self.context.now() - local(checked) > _FRESH
        # The service does not know a board with a local id yet.
        if self.board_id > 0 and (is_old or view is None or not view.complete):
            await self.store.refresh(self.board_id, only_changes=True)

    @property
    def groups(self) -> Groups:
        """The cards in their groups."""
        view, now = self.view, self.context.now()
        return () if view is None else board_groups(view, self.group, self.store.me, now)

    @property
    def places(self) -> Places | None:
        """Says where a card is, as the agenda shows it."""
        return None if self.view is None else stage_places(self.view)

    @property
    def people(self) -> tuple[Person, ...]:
        """The people whose initials are shown."""
        return () if self.view is None else self.view.people

    def rows(self) -> Sequence[DatedRow]:
        groups, now = self.groups, self.context.now()
        places = self.places
        self._undated = undated_rows(groups, places)
        rows = agenda_rows(groups, now, places) if self.is_agenda else timeline_rows(groups, places)
        if self._shows_undated:
            rows += self._undated
        self._in_group = Counter(row.group for row in rows)
        self._headings.clear()
        self._lines.clear()
        self._agenda = agenda.AgendaDrawing(
            now, self.store.me, initials_of(self.people), self.store.relations()
        )
        return rows

    def card(self, row: DatedRow) -> Task:
        return row.task

    def key(self, row: DatedRow) -> Hashable:
        return row.key

    def words(self, row: DatedRow) -> str:
        return f"#{row.task.id} {row.task.title} {row.place}"

    def sections(self, row: DatedRow) -> tuple[Heading, ...]:
        if row.group not in self._headings:
            count, now = self._in_group[row.group], self.context.now()
            self._headings[row.group] = (agenda.heading(row, count, now),)
        return self._headings[row.group]

    def line(self, row: DatedRow, width: int) -> Line:
        drawing, shifted = self.days.drawing, self.carrying.moves.of(row.task)
        if drawing is not self._lines_of or width != self._width_of_lines:
            self._lines_of, self._width_of_lines = drawing, width
            self._lines.clear()
        drawn = self._lines.get(row.key)
        # A changed card, or one that moves, is another object.
        if drawn is None or drawn[0] is not shifted:
            if len(self._lines) >= _MOST_LINES:
                self._lines.clear()
            line = (
                drawing.row(shifted, self.beside_title(row))
                if drawing
                else self._agenda.line(row, shifted, width)
            )
            drawn = self._lines[row.key] = shifted, line
        return drawn[1]

    def beside_title(self, row: DatedRow) -> str:
        """What follows the title of a bar; for subclasses."""
        del row
        return ""

    def empty(self) -> tuple[str, str]:
        if self.board_id and self.view is None:
            return "this board is not loaded", "{list.refresh:R} to fetch it"
        if self._undated:
            cards = counted(len(self._undated), "card")
            return "no cards with dates", f"{{timeline.undated:z}} to show {cards} without dates"
        return "no open cards", "{list.back:esc} to go back"

    def counts(self) -> Line:
        return counts_of((*self.known, *self._undated), self.context.now(), self.store.relations())

    def edge_line(self, width: int) -> tuple[Line, Line]:
        left, below = list[tuple[str, str]](), self.row_list.out_of_sight
        if below:
            left.append((f" {glyphs.DOWN} {below} more  ", "quiet"))
        if self._undated:
            cards = counted(len(self._undated), "card")
            verb = "hide" if self._shows_undated else "see"
            left += [
                (f" {cards} without dates", "text"),
                (" · ", "quiet"),
                *key_line(f"{{timeline.undated:z}} to {verb} them"),
            ]
        line, drawing = tuple(left), self.days.drawing
        if drawing is not None:
            line = spot_of_today(drawing, line, self.context.now(), width)
        return line, ()

    def hints(self) -> tuple[Line, Line]:
        if self.row_list.lifted is not None:
            ways = self.keys.hints(self.role)[1]
            return hints.carrying(self.size.width - line_width(ways)), ways
        if self.row_list.marks or not self.row_list.rows:
            return super().hints()
        return self.keys.hints(self.role, hints.OF_AGENDA if self.is_agenda else hints.OF_TIMELINE)

    def own_notice(self) -> Notice | None:
        notice = self.carrying.moves.notice()
        if notice is None or self.row_list.lifted is None:
            return notice or super().own_notice()
        return notice._replace(keys=key_line("{rows.open:↵} drop  {list.back:esc} cancel"))

    def why_not(self, key: str) -> str:
        return "new cards are added on the board" if key == "n" else super().why_not(key)

    def on_resize(self) -> None:
        # The other form may fit now, with other rows.
        self._show_other_rows()

    def _show_other_rows(self) -> None:
        """Show the rows of the other form, with the cursor on the same card."""
        row = self.row_list.row
        self.row_list.begin()
        self.show_rows()
        ids = [shown.task.id for shown in self.row_list.rows]
        if row is not None and row.task.id in ids:
            self.row_list.go_to(ids.index(row.task.id))

    @action("timeline.agenda", "tab", "Show timeline or agenda", hint="agenda")
    def switch(self) -> None:
        if self.size.width < _NARROW:
            self.say(f"a timeline needs {_NARROW} columns")
            return
        self._wants_agenda = not self.is_agenda
        self._show_other_rows()

    @on(TimelineList.ZoomClicked)
    def zoom_to(self, event: TimelineList.ZoomClicked) -> None:
        self.days.zoom_to(event.zoom)

    @action("timeline.today", "0", "Go to today")
    def go_to_today(self) -> None:
        self.days.go_to_today()
        if self.is_agenda:
            today = self.context.now().date()
            days = [
                isinstance(row.group, date) and row.group >= today for row in self.row_list.rows
            ]
            self.row_list.go_to(days.index(True) if True in days else 0)

    @property
    def groupings(self) -> tuple[ViewGroup, ...]:
        """What bars can be grouped by."""
        return ViewGroup.STAGE, ViewGroup.PERSON, ViewGroup.LABEL

    @action("timeline.group", "B", "Group bars by …", hint="group", words="swimlanes person",
            asks=True)  # fmt: skip
    async def ask_group(self) -> None:
        from tui.dialogs.questions import ChooseDialog, by_first_letter

        if self.is_agenda:
            self.say(
                "an agenda is grouped by day", hint="{timeline.agenda:tab} to show the timeline"
            )
            return
        choices = by_first_letter(self.groupings)
        answer = await self.ask(ChooseDialog("Group bars by …", choices, self.group))
        if answer is not None:
            self.group = ViewGroup(answer)
            self._show_other_rows()

    @action("timeline.undated", "z", "Show or hide cards without dates")
    def switch_undated(self) -> None:
        self._shows_undated = not self._shows_undated
        if self._shows_undated and not self._undated:
            self._shows_undated = False
            self.say("all open cards have dates")
            return
        self.show_rows()
        kinds = [row.kind for row in self.row_list.rows]
        if DateKind.UNDATED in kinds:
            self.row_list.go_to(kinds.index(DateKind.UNDATED))

    @action(
        "timeline.left",
        "h,left",
        "Go a week earlier, or carry cards",
        while_moving=True,
        arguments=(-1,),
    )
    @action(
        "timeline.right",
        "l,right",
        "Go a week later, or carry cards",
        while_moving=True,
        arguments=(1,),
    )
    def go(self, by: int) -> None:
        if self.row_list.lifted is not None:
            self.carrying.carry(by)
        elif self.is_agenda:
            self.timeline_list.go_to_group(by)
        else:
            self.days.scroll(by)

    @on(TimelineList.DropRequested)
    def drop(self) -> None:
        self.carrying.drop()

    def go_to(self, operation: Operation) -> str | None:
        where = super().go_to(operation)
        if where is not None:
            self.carrying.bring_into_sight(0)
            self._draw_days()
        return where

    def go_back(self) -> None:
        if self.carrying.moves.is_moving:
            self.carrying.put_down()
        else:
            super().go_back()

    async def on_key(self, event: events.Key) -> None:
        bound = self.active_bindings.get(event.key)
        await self.carrying.send_before(None if bound is None else bound.binding.id)

    @on(RowList.Moved)
    def send_moved(self) -> None:
        self.carrying.send_soon()

    def on_screen_suspend(self) -> None:
        self.carrying.send_soon()

    async def on_unmount(self) -> None:
        await self.carrying.send_at_end()

    @property
    def own_board(self) -> int | None:
        return self.board_id or None

    def hear(self, event: StoreEvent) -> None:
        if isinstance(event, BoardChanged | BoardsChanged) and event.renamed:
            self.board_id = event.renamed.get(self.board_id, self.board_id)
            self.carrying.follow_ids(event.renamed)
        super().hear(event)

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        was_lifting = self.row_list.lifted is not None
        super().show_rows(select, renamed)
        if was_lifting and self.row_list.lifted is None:
            self.carrying.put_down()
            self.say("the lifted card is no longer here: nothing was moved", error=True)


SCREEN = TimelineScreen
