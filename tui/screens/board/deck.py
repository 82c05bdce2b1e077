"""The columns of a board with their key bindings and mouse handling.

The keys that move the cursor move the lifted cards while there are any. A key that has no effect
says why.
"""

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region
from textual.message import Message

from tui.model.moving import lift, stage_lift
from tui.model.moving.cursor import TITLE, Cursor, find
from tui.model.moving.lift import Lift
from tui.model.moving.stage_lift import StageLift
from tui.model.task import Task
from tui.navigation import TaskRequested
from tui.screens.board.column import GAP, HEADING_LINES
from tui.screens.board.columns import BoardColumns
from tui.store.operations.base import Operation
from tui.widgets.dragging import MouseDrag
from tui.widgets.keys import quiet_keys
from tui.widgets.painted import DrawnLines

CARRY_KEYS = "{cursor.left:h} {cursor.right:l} {cursor.first-column:0} {cursor.last-column:$} 1–9"
"""The keys that move a lifted column, for hints."""

DOUBLE = 2
"""How many clicks open a task."""


class Deck(BoardColumns, MouseDrag, can_focus=True, inherit_bindings=False):
    """All columns of a board as one focusable widget."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "lift_or_drop", "lift", id="task.lift", tooltip="Lift or drop card"),
        Binding("enter", "open_or_drop", "open", id="task.open", tooltip="Open card"),
        *quiet_keys(
            "task",
            ("move-left", "H,shift+left", "shift(-1, 0)", "Move card left"),
            ("move-down", "J,shift+down", "shift(0, 1)", "Move card down"),
            ("move-up", "K,shift+up", "shift(0, -1)", "Move card up"),
            ("move-right", "L,shift+right", "shift(1, 0)", "Move card right"),
            ("mark", "v", "mark", "Mark or unmark card"),
            ("mark-range", "V", "mark_range", "Mark cards from the last mark"),
        ),
        *quiet_keys(
            "cursor",
            ("left", "h,left,shift+tab", "go(-1, 0)", "Column on the left"),
            ("down", "j,down", "go(0, 1)", "Next card"),
            ("up", "k,up", "go(0, -1)", "Previous card"),
            ("right", "l,right,tab", "go(1, 0)", "Column on the right"),
            ("first", "home", "end(0)", "First card"),
            ("top", "g g", "end(0)", "First card"),
            ("last", "G,end", "end(-1)", "Last card"),
            ("first-column", "0", "column(0)", "First column"),
            ("last-column", "$", "column(-1)", "Last column"),
            *(
                (f"column-{n}", str(n), f"column({n - 1})", "Column by number")
                for n in range(1, 10)
            ),
            ("next-news", "]", "news(1)", "Next update by others"),
            ("previous-news", "[", "news(-1)", "Previous update by others"),
            ("page-down", "ctrl+d,pagedown", "page(1)", "Half a page down"),
            ("page-up", "ctrl+u,pageup", "page(-1)", "Half a page up"),
        ),
        *quiet_keys(
            "column",
            ("collapse", "z", "collapse", "Fold or unfold column"),
            ("zoom", "Z", "zoom", "Show column alone or all"),
            ("fold-lane", "minus", "fold_lane", "Fold or unfold swimlane"),
        ),
    ]

    def watch_has_focus(self, _has_focus: bool) -> None:
        # Focus changes no style here; Textual would match the styles of all columns again.
        return

    @dataclass(eq=False, repr=False)
    class DropRequested(Message, bubble=False):
        """The user dropped what was lifted, or moved cards by one step."""

        lift: Lift | StageLift

    _last_mark: int | None = None
    _lane_of_mark: int | None = None
    _pressed_task: Task | None = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        del parameters
        waiting = {"mark", "mark_range", "collapse", "zoom", "news", "fold_lane"}
        return None if self.is_lifting and action in waiting else True

    def on_key(self) -> None:
        # From the first key on, the cursor stays on its card while others arrive.
        self._is_at_start = False

    @property
    def why_no_card(self) -> tuple[str, str]:
        if self.stage_id is None:
            return "this board has no stages yet", "{stage.new-right:S n} to add one"
        column, lane = self.grid.place_of(self.cursor.stage)
        if self.is_folded(column):
            return "the column is folded", "{column.collapse:z} to unfold it"
        if self.cursor.row == TITLE and self.shown.in_stage(self.stage_id):
            hint = "{cursor.down:j} to go to its first card"
            return "the cursor is on the title of the column", hint
        if self.grid.is_folded(lane):
            return "the swimlane is folded", "{column.fold-lane:-} to unfold it"
        return "no card here", "{task.new:n} to add one"

    @property
    def drawn_card(self) -> DrawnLines | None:
        """The card at the cursor as it is drawn; None if there is none."""
        if self.current is None:
            return None
        index, row = self.drawn_at(self.cursor)
        column = self.columns[index]
        y, density = column.region_of(row).y, column.face.look.density
        return column.drawn_region(Region(0, y, column.size.width - GAP, density))

    def why_hidden(self, task_id: int) -> tuple[str, str] | None:
        """Why a card that the cursor was put on is not drawn, and what to press; None if it is."""
        if find(self.grid.cells, task_id) is None:
            return "hidden by the filter", "{board.back:esc} to clear it"
        return self.why_no_card if self.current is None else None

    def _awaits_lifted_column(self) -> bool:
        # On a board that is loading, a view may lack the stage that is lifted.
        is_awaited = self.stage_lift and self.shown.stage(self.stage_lift.stage_id) is None
        if is_awaited:
            self.cards.say("the board is still loading: try again in a moment")
        return bool(is_awaited)

    def action_go(self, stages: int, rows: int) -> None:
        if self._awaits_lifted_column():
            return
        if self.stage_lift is not None and stages:
            self.carry_to_stage(self.stage_lift.index + stages)
        elif self.stage_lift is not None:
            self.cards.say("a column moves left and right only", hint=CARRY_KEYS)
        elif self.lift is None:
            self.move_cursor(self.grid.step(self.cursor, stages=stages, rows=rows))
        else:
            self.carry(self.grid.step_lift(self.lift, stages=stages, rows=rows))

    def action_end(self, row: int) -> None:
        if self.stage_lift is not None:
            self.action_column(row)
        elif self.lift is None:
            self.move_cursor(self.grid.end(self.cursor, last=row != 0))
        else:
            self.carry(self.grid.lift_end(self.lift, last=row != 0))

    def action_column(self, index: int) -> None:
        stages = len(self.shown.stages)
        if self._awaits_lifted_column():
            return
        if index >= stages:
            self.cards.say(f"this board has {stages} columns")
        else:
            self.carry_to_stage(index if index >= 0 else stages - 1)

    def action_news(self, direction: int) -> None:
        cursor = self.grid.next_among(self.news, self.cursor, direction)
        if cursor is not None:
            self.go_to(cursor)
        elif not self.news:
            self.cards.say("nothing has changed since you last looked")
        elif self.current is not None and self.current.id in self.news:
            self.cards.say("this is the only updated card")
        else:
            self.cards.say("the updated cards are not shown here")

    def go_to(self, cursor: Cursor) -> None:
        """Move the cursor to a card, unfolding its column and its lane."""
        column, lane = self.grid.place_of(cursor.stage)
        stage_id = self.shown.stages[column].id
        if stage_id in self.collapsed or self.grid.is_folded(lane):
            self.collapsed -= {stage_id}
            if self.grid.lanes:
                self.fold_lanes(self.folded_lanes - {self.grid.lanes[lane].id})
            self.cursor = cursor
            self.changed()
        else:
            self.move_cursor(cursor)

    def go_to_task(self, task_id: int) -> None:
        """Move the cursor to a card, or as soon as it is shown unless the user moves it before."""
        cursor = self.cursor_on(task_id)
        if cursor is None:
            self._awaited = task_id
        else:
            self.go_to(cursor)

    def go_to_changed(self, operation: Operation) -> str | None:
        """Move the cursor to what an operation changed, see `HistoryActions`."""
        kind, own_id = operation.subject
        if kind == "stage":
            return "" if self.go_to_stage(own_id) else None
        for task_id in (own_id if kind == "task" else None, operation.task_id):
            if task_id is None or self.whole.task(task_id) is None:
                continue
            cursor = self.cursor_on(task_id)
            if cursor is None:
                return "hidden by the filter"
            self.go_to(cursor)
            return ""
        return None

    def go_to_stage(self, stage_id: int) -> bool:
        """Move the cursor to the title of a stage; whether the board has it."""
        column = stage_lift.lift(self.shown, stage_id)
        if column is not None:
            self.move_cursor(Cursor(column.index * self.grid.depth, TITLE).on(self.grid.cells))
        return column is not None

    def action_page(self, direction: int) -> None:
        if self.over < len(self.columns):
            step = max(1, self.columns[self.over].window // 2)
            self.action_go(0, direction * step)

    def action_lift_or_drop(self) -> None:
        if self.is_lifting:
            self.drop()
        elif self.current is not None:
            ids = [task.id for task in self.chosen]
            self.carry(self.grid.lift(ids, self.cursor))
        elif self.grid.lanes and self.cursor.row != TITLE:
            self._say_no_card()
        else:
            self.lift_column()

    def drop(self) -> None:
        if self.lift is not None and (why := self.grid.why_not(self.lift)):
            self.cards.say(why, hint="{board.back:esc} to cancel the move")
            return
        if self._awaits_lifted_column():
            return
        # The lift ends before the message is handled, so that it carries what was lifted.
        lifted = self.stage_lift or self.lift
        self.carry(None)
        if lifted is not None:
            self.screen.post_message(self.DropRequested(lifted))

    def lift_column(self) -> None:
        lifted = stage_lift.lift(self.shown, self.stage_id)
        if lifted is None:
            self._say_no_card()
        else:
            self.carry(lifted)

    def action_open_or_drop(self) -> None:
        if self.is_lifting:
            self.drop()
        elif self.current is None:
            self._say_no_card()
        else:
            self.post_message(TaskRequested(self.cards.board_id, self.current.id))

    def action_shift(self, stages: int, rows: int) -> None:
        if self.stage_lift is not None:
            self.action_go(stages, rows)
        elif self.lift is not None and stages:
            self.carry(self.grid.lift_at(self.lift, self.over + stages, 0))
        elif self.lift is not None:
            self.action_end(0 if rows < 0 else -1)
        elif self.current is None:
            self._say_no_card()
        else:
            self._move_chosen(self.current, stages, rows)

    def _move_chosen(self, current: Task, stages: int, rows: int) -> None:
        ids = [task.id for task in self.chosen]
        # The marked cards may all be elsewhere; they move from the place of the first one.
        at = self.cursor if current.id in ids else self.cursor_on(ids[0])
        lifted = self.grid.lift(ids, at)
        if lifted is None:
            self.cards.say("the marked cards are hidden by the filter")
            return
        if stages and not 0 <= self.grid.over(lifted)[0] + stages < len(self.shown.stages):
            self.cards.say("no column on that side")
            return
        lifted = self.grid.step_lift(lifted, stages=stages, rows=rows)
        if why := self.grid.why_not(lifted):
            self.cards.say(why)
        else:
            self.screen.post_message(self.DropRequested(lifted))

    def action_mark(self) -> None:
        if self.current is None:
            self._say_no_card()
            return
        self.marks ^= {self.current.id}
        self._last_mark, self._lane_of_mark = self.current.id, self.lane_id
        self.cursor = self.grid.step(self.cursor, rows=1)
        self.changed()

    def action_mark_range(self) -> None:
        if self.current is None or self.stage_id is None:
            self._say_no_card()
            return
        start = self.grid.find(self._last_mark, self._lane_of_mark)
        self.marks |= set(self.grid.task_ids(start, self.cursor))
        self._last_mark, self._lane_of_mark = self.current.id, self.lane_id
        self.changed()

    def action_collapse(self) -> None:
        if self.stage_id is not None:
            self.collapsed ^= {self.stage_id}
            self.is_zoomed = False
            self.changed()

    def action_fold_lane(self) -> None:
        if self.lane is None:
            self.cards.say("no swimlanes", hint="{board.swimlanes:B} to group the cards")
        else:
            self.fold_lanes(self.folded_lanes ^ {self.lane.id})
            self.changed()

    def action_zoom(self) -> None:
        self.is_zoomed = not self.is_zoomed
        self.changed()

    def pressed_at(self, point: Offset) -> bool:
        cursor, is_heading = self._card_at(point)
        # Cards that the keyboard lifted can be carried on with the mouse from anywhere.
        if self.is_lifting or cursor is None:
            return self.is_lifting
        self._is_at_start = False
        self.cursor = cursor.on(self.grid.cells)
        if is_heading:
            self.action_fold_lane()
            return False
        self.changed()
        self._pressed_task = cursor.task(self.grid.cells)
        return cursor.row == TITLE or self._pressed_task is not None

    def drag_started(self) -> None:
        if self.is_lifting:
            return
        if self._pressed_task is None:
            self.lift_column()
        else:
            pressed = self._pressed_task.id
            # Dragging a marked card takes all marked ones along.
            ids = self.marks if pressed in self.marks else {pressed}
            self.carry(self.grid.lift(ids, self.cursor_on(pressed)))

    def dragged_to(self, point: Offset) -> None:
        index = self._column_at(point)
        if index is None:
            return
        if self.stage_lift is not None:
            if index != self.stage_lift.index:
                self.action_column(index)
        elif self.lift is not None:
            column = self.columns[index]
            to, _ = self.drawn_in(index, column.slot_at(point.y - column.region.y))
            self.carry(lift.to_drawn_row(self.lift, self.grid.cells, to.stage, to.row))

    def drag_ended(self) -> None:
        if self.is_lifting:
            self.drop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_column(event, 3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_column(event, -3)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self.action_go(-1, 0)
        event.stop()

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self.action_go(1, 0)
        event.stop()

    def on_click(self, event: events.Click) -> None:
        cursor, _ = self._card_at(event.screen_offset)
        is_card = cursor is not None and cursor.task(self.grid.cells) is not None
        if event.chain == DOUBLE and is_card and not self.is_lifting:
            self.action_open_or_drop()

    def _column_at(self, point: Offset) -> int | None:
        under = (i for i, column in enumerate(self.columns) if column.region.contains_point(point))
        return next(under, None)

    def _card_at(self, point: Offset) -> tuple[Cursor | None, bool]:
        # The cursor at a point, and whether it is on a lane heading (then on its first card).
        index = self._column_at(point)
        if index is None:
            return None, False
        column = self.columns[index]
        if point.y - column.region.y < HEADING_LINES or column.face.is_folded:
            return Cursor(index * self.grid.depth, TITLE), False
        row = column.row_at(point.y - column.region.y)
        return (None, False) if row is None else self.drawn_in(index, row)

    def _scroll_column(self, event: events.MouseEvent, rows: int) -> None:
        index = self._column_at(event.screen_offset)
        if index is not None:
            self.columns[index].scroll(rows)
            self.scroll_together(index)
        event.stop()
        # Else Textual also runs the handler of the base class, which scrolls the deck itself.
        event.prevent_default()

    def _say_no_card(self) -> None:
        why, hint = self.why_no_card
        self.cards.say(why, hint=hint)
