"""The timeline of a board: its open cards as bars from start to due, and its agenda, by day.

Cards are moved in time like cards on a board: lifted, carried, dropped. Without lifting, what is
typed in quick succession becomes one change.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import ClassVar

from textual import events, on
from textual.timer import Timer

from tui.actions.action import action, board_action
from tui.actions.tasks.cards import named
from tui.actions.tasks.history import HistoryActions
from tui.context import Context
from tui.model.people import NO_INITIALS, initials_of
from tui.model.task import Person, Task
from tui.model.timeline.bars import bar_of
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
from tui.model.timeline.scale import Scale, Zoom, first_day, scrolled
from tui.model.work.saved_view import ViewGroup
from tui.screens.lists.cards import CardListScreen
from tui.screens.timeline import agenda, hints
from tui.screens.timeline.counts import counts_of
from tui.screens.timeline.drawing import WIDE, TimelineDrawing, left_width, spot_of_today
from tui.screens.timeline.moving import DateMoves
from tui.screens.timeline.timeline_list import LIFT, TimelineList
from tui.store.events import BoardChanged, BoardsChanged, StoreEvent
from tui.store.operations.base import Operation
from tui.text.clean import counted
from tui.text.dates import FIRST_YEAR, LAST_YEAR, local
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
_KEEPS_MOVING = frozenset(("timeline.earlier", "timeline.later", "list.back"))
"""The actions before which what is moved without lifting is not sent."""


class TimelineScreen(CardListScreen[DatedRow]):
    """The open cards of a board by date, as bars or as an agenda."""

    row_name, opens = "card", "card.open"
    is_of_board = True
    keeps_order = True
    pause_seconds: ClassVar[float] = 0.8
    """After which pause dates that were moved without lifting are sent."""

    def __init__(self, context: Context, board_id: int | None = None) -> None:
        super().__init__(context, board_id)
        self.row_list = self.timeline_list = TimelineList(self, lambda: self._drawing)
        self.actions.offer(HistoryActions(self, lambda: self.board_id, self.go_to))
        self.group = ViewGroup.STAGE
        """What the bars are grouped by."""
        self._zoom = Zoom.WEEKS
        self._first: date | None = None
        """The first day in sight, if the user has scrolled."""
        self._wants_agenda: bool | None = None
        """Whether the user chose the agenda or the timeline; None for the one that fits."""
        self._shows_undated = False
        self._undated: Sequence[DatedRow] = ()
        self._in_group: Counter[object] = Counter()
        self._lines: dict[object, tuple[Task, Line]] = {}
        """The rows as they were drawn last, each with the card that it shows."""
        self._headings: dict[object, tuple[Heading, ...]] = {}
        self._agenda = agenda.AgendaDrawing(context.now(), self.store.me, NO_INITIALS)
        self._moves = DateMoves(lambda: self.chosen_cards)
        self._pause: Timer | None = None
        self._drawn: tuple[object, TimelineDrawing] | None = None

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

    @property
    def _scale(self) -> Scale:
        width = self.size.width
        today = self.context.now().date()
        scale = Scale(today, self._zoom, max(0, width - left_width(width)), width < WIDE)
        first = self._first or first_day(today, scale)
        return Scale(first, scale.zoom, scale.width, scale.is_narrow)

    @property
    def _drawing(self) -> TimelineDrawing | None:
        if self.is_agenda or not self.size.width:
            return None
        now = self.context.now().replace(second=0, microsecond=0)
        width, settings = self.size.width, self.context.settings
        relations = self.store.relations()
        looks = width, self._zoom, self._first, now, settings, relations
        if self._drawn is None or self._drawn[0] != looks:
            is_working_day = settings.calendar.include
            drawing = TimelineDrawing(
                self._scale,
                now,
                width,
                is_free=lambda day: not is_working_day(day),
                relations=relations,
            )
            self._drawn = looks, drawing
            self._lines.clear()
        return self._drawn[1]

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
        drawing, shifted = self._drawing, self._moves.of(row.task)
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
        line, drawing = tuple(left), self._drawing
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
        notice = self._moves.notice()
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

    @action("timeline.zoom-in", "plus,equals_sign", "Zoom in", arguments=(1,))
    @action("timeline.zoom-out", "minus", "Zoom out", arguments=(-1,))
    def zoom(self, by: int) -> None:
        if self.is_agenda:
            self.say("an agenda has no zoom", hint="{timeline.agenda:tab} to show the timeline")
            return
        zoom = self._zoom.step(by)
        if zoom is self._zoom:
            self.say(f"{zoom} are the {'closest' if by > 0 else 'farthest'} view")
        else:
            self._show_zoom(zoom)

    @on(TimelineList.ZoomClicked)
    def zoom_to(self, event: TimelineList.ZoomClicked) -> None:
        self._show_zoom(event.zoom)

    def _show_zoom(self, zoom: Zoom) -> None:
        scale, self._zoom = self._scale, zoom
        if self._first is not None:
            # The day in the middle stays there.
            middle = scale.day_at(scale.width // 2)
            self._first = middle - timedelta(days=self._scale.day_count // 2)
        self.row_list.redraw()
        self.status.draw()

    @action("timeline.today", "0", "Go to today")
    def go_to_today(self) -> None:
        self._first = None
        if self.is_agenda:
            today = self.context.now().date()
            days = [
                isinstance(row.group, date) and row.group >= today for row in self.row_list.rows
            ]
            self.row_list.go_to(days.index(True) if True in days else 0)
        else:
            self.row_list.redraw()
            self.status.draw()

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
            self._carry(by)
        elif self.is_agenda:
            self._go_to_day(by)
        else:
            self._first = scrolled(self._scale.first, by)
            self.row_list.redraw()
            self.status.draw()

    def _go_to_day(self, by: int) -> None:
        groups = [row.group for row in self.row_list.rows]
        starts = [at for at, group in enumerate(groups) if not at or group != groups[at - 1]]
        cursor = self.row_list.cursor
        passed = [at for at in starts if (at > cursor if by > 0 else at < cursor)]
        if passed:
            self.row_list.go_to(passed[0] if by > 0 else passed[-1])

    @board_action(
        "timeline.earlier",
        "H,shift+left",
        "Move dates a day earlier",
        while_moving=True,
        arguments=(-1,),
    )
    @board_action(
        "timeline.later",
        "L,shift+right",
        "Move dates a day later",
        while_moving=True,
        arguments=(1,),
    )
    def move_dates(self, by: int) -> None:
        if not self._moves.is_moving and not self._begin():
            return
        self._carry(by)
        if self.row_list.lifted is None:
            self._stop_pause()
            self._pause = self.set_timer(self.pause_seconds, self._send_soon)

    def _begin(self) -> frozenset[int]:
        """Begin to move the chosen cards that have dates; say so if there is none."""
        tasks = self.chosen_tasks
        ids = self._moves.begin(tasks)
        if not tasks:
            self.say_why_empty()
        elif not ids:
            hint = "{task.due:d} to set a due date, {task.start:s} a start date"
            self.say("no dates to move", hint=hint)
        return ids

    @LIFT
    def lift_or_drop(self) -> None:
        if self.row_list.lifted is not None:
            self.drop()
            return
        ids, rows = self._begin(), self.row_list.rows
        if not ids:
            return
        # With marked cards the cursor may be on another one.
        if self.row_list.row is None or self.row_list.row.task.id not in ids:
            self.row_list.go_to([row.task.id in ids for row in rows].index(True))
        self.row_list.lifted = self.row_list.row
        self._bring_into_sight(0)
        self._draw_moved()

    @on(TimelineList.DropRequested)
    def drop(self) -> None:
        self.dialogs.run(self._drop, asks=False)

    async def _drop(self) -> None:
        tasks, days = self._moves.tasks, self._moves.days
        await self._send()
        if tasks and not days:
            self.say(f"nothing was moved: {named(tasks)}")

    def _carry(self, days: int) -> None:
        if self._moves.carry(days):
            self._bring_into_sight(days)
            self._draw_moved()
        else:
            self.say(f"dates can be in the years {FIRST_YEAR} to {LAST_YEAR}")

    def _draw_moved(self) -> None:
        self.status.make_room()
        self.row_list.redraw()
        self.status.draw()

    def _bring_into_sight(self, direction: int) -> None:
        """Scroll by weeks to the end of the bar at the cursor that moves ahead."""
        row, scale = self.row_list.row, self._scale
        bar = None if row is None else bar_of(self._moves.of(row.task), scale, self.context.now())
        if bar is None or self.is_agenda or scale.width <= 0:
            return
        cell = bar.end if direction > 0 else bar.begin
        edge = 0 if cell < 0 else min(cell, scale.width - 1)
        days = (scale.day_at(cell) - scale.day_at(edge)).days
        if days:
            self._first = scrolled(scale.first, days // 7 + (days > 0))

    def go_to(self, operation: Operation) -> str | None:
        where = super().go_to(operation)
        if where is not None:
            self._bring_into_sight(0)
        return where

    def go_back(self) -> None:
        if self._moves.is_moving:
            self._put_down()
        else:
            super().go_back()

    def _put_down(self) -> None:
        self._moves.end()
        self._stop_pause()
        self.timeline_list.put_down()
        self.status.draw()

    def _stop_pause(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None

    async def _send(self) -> None:
        """Submit where the cards are now; what is carried is dropped."""
        if self._moves.is_moving:
            self._stop_pause()
            sending = self._moves.send()
            self.timeline_list.put_down()
            await sending

    def _send_soon(self) -> None:
        if self._moves.is_moving and self.row_list.lifted is None:
            self.dialogs.run(self._send, asks=False)

    async def on_key(self, event: events.Key) -> None:
        # What was moved without lifting is one change, and comes before what another key does.
        if not self._moves.is_moving or self.row_list.lifted is not None:
            return
        bound = self.active_bindings.get(event.key)
        if bound is None or bound.binding.id not in _KEEPS_MOVING:
            await self._send()

    @on(RowList.Moved)
    def send_moved(self) -> None:
        self._send_soon()

    def on_screen_suspend(self) -> None:
        self._send_soon()

    async def on_unmount(self) -> None:
        if self.row_list.lifted is None:
            await self._send()

    @property
    def own_board(self) -> int | None:
        return self.board_id or None

    def hear(self, event: StoreEvent) -> None:
        if isinstance(event, BoardChanged | BoardsChanged) and event.renamed:
            self._follow_ids(event.renamed)
        super().hear(event)

    def _follow_ids(self, ids: Mapping[int, int]) -> None:
        self.board_id = ids.get(self.board_id, self.board_id)
        lifted = self.row_list.lifted
        self._moves.renamed(ids)
        if lifted is not None and lifted.task.id in ids:
            task = replace(lifted.task, id=ids[lifted.task.id])
            self.row_list.lifted = lifted._replace(task=task)

    def show_rows(self, select: Hashable = None, renamed: Mapping[int, int] = NONE) -> None:
        was_lifting = self.row_list.lifted is not None
        super().show_rows(select, renamed)
        if was_lifting and self.row_list.lifted is None:
            self._put_down()
            self.say("the lifted card is no longer here: nothing was moved", error=True)


SCREEN = TimelineScreen
