"""The columns of a board side by side, with cursor, marks, and lifted cards or a lifted column.

What the user requests is posted as messages; no task is changed here.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from tui.model.board import BoardView
from tui.model.moving import lift, stage_lift
from tui.model.moving.cursor import TITLE, Cursor, find, keep
from tui.model.moving.lift import Lift, Row, RowKind, Rows
from tui.model.moving.stage_lift import StageLift
from tui.model.task import Task
from tui.screens.board.card import Look
from tui.screens.board.column import COLLAPSED_WIDTH, Column, ColumnFace

LEAST_WIDTH = 22
"""The least width of a column, unless it is shown alone."""


class Gap(NamedTuple):
    """The empty card in which a new title is typed: its stage and row."""

    stage_id: int
    row: int


def columns_in_view(widths: Sequence[int], room: int, first: int, over: int) -> range:
    """The columns to show: as many as fit into `room`, from `first` on unless that hides `over`.

    `widths` are the least widths of all columns.
    """
    first, end = min(first, over), over + 1
    while first < over and sum(widths[first:end]) > room:
        first += 1
    while end < len(widths) and sum(widths[first : end + 1]) <= room:
        end += 1
    while first > 0 and sum(widths[first - 1 : end]) <= room:
        first -= 1
    return range(first, end)


def column_face(
    index: int,
    whole: BoardView,
    shown: BoardView,
    *,
    look: Look,
    lifted: Lift | None,
    gap: Gap | None,
    marks: frozenset[int],
    news: Collection[int],
    is_lifted: bool,
    outside: tuple[int, int],
) -> ColumnFace:
    """The contents of the column at this index."""
    stage = shown.stages[index]
    rows = lift.rows(lifted, shown, stage.id)
    if gap is not None and gap.stage_id == stage.id:
        blank = Row(Task(0, stage.board_id, stage.id, ""), RowKind.GAP)
        rows = Rows(rows.lane, start=gap.row, end=gap.row, inserted=(blank,))
    total = whole.count(stage.id)
    seen = len(shown.in_stage(stage.id))
    count = str(total) if shown.tasks is whole.tasks else f"{seen} of {total}"
    over = stage.limit is not None and total > stage.limit
    if stage.limit is not None:
        count = f"{count}/{stage.limit}"
    return ColumnFace(
        number=index + 1,
        stage_id=stage.id,
        title=stage.title,
        count=count,
        rows=rows,
        look=look,
        marks=marks,
        pending=whole.pending,
        news=news,
        over_limit=over,
        color=stage.color,
        is_lifted=is_lifted,
        outside=outside,
    )


class BoardColumns(Horizontal):
    """The columns of a board and their state; as many columns as fit are shown."""

    @dataclass(eq=False, repr=False)
    class OpenRequested(Message):
        """The user wants to open a task."""

        task: Task

    @dataclass(eq=False, repr=False)
    class DropRequested(Message):
        """The user dropped the lifted cards, or moved cards by one step."""

        lift: Lift

    @dataclass(eq=False, repr=False)
    class ColumnDropRequested(Message):
        """The user dropped the lifted column."""

        lift: StageLift

    @dataclass(eq=False, repr=False)
    class LiftChanged(Message):
        """Something was lifted, moved or dropped; `lost` is what a remote change removed."""

        lost: str = ""

    @dataclass(eq=False, repr=False)
    class CursorMoved(Message):
        """The cursor is on another card, or on none."""

        task: Task | None

    @dataclass(eq=False, repr=False)
    class NothingThere(Message):
        """A key had no effect; `why` is the message for the user, `hint` what to press."""

        why: str
        hint: str = ""

    def __init__(self, whole: BoardView, shown: BoardView, look: Look) -> None:
        super().__init__()
        self.whole = whole
        self.shown = shown
        self.look = look
        self.cursor = Cursor().on(shown)
        self.lift: Lift | None = None
        self.stage_lift: StageLift | None = None
        self.marks: frozenset[int] = frozenset()
        self.news: Collection[int] = frozenset()
        self.collapsed: frozenset[int] = frozenset()
        self.is_zoomed = False
        self.gap: Gap | None = None
        self._awaited: int | None = None
        self._at_rest = shown  # as if no column was lifted
        self._in_view = range(len(shown.stages))

    def compose(self) -> ComposeResult:
        """One column for each stage."""
        for index in range(len(self.shown.stages)):
            yield Column(self._face(index))

    def on_mount(self) -> None:
        """Draw the columns with the cursor."""
        self.redraw()

    def on_resize(self) -> None:
        """Show as many columns as fit the new width."""
        self.redraw()

    @property
    def columns(self) -> list[Column]:
        """The columns from left to right."""
        return [child for child in self.children if isinstance(child, Column)]

    @property
    def current(self) -> Task | None:
        """The task under the cursor; None on a title, and in an empty or folded column."""
        if not self.shown.stages or self.is_folded(self.cursor.stage):
            return None
        return self.cursor.task(self.shown)

    @property
    def chosen(self) -> tuple[Task, ...]:
        """The selection: the marked tasks in board order, else the one at the cursor."""
        if self.marks:
            return tuple(task for task in self.whole.all_tasks() if task.id in self.marks)
        return (self.current,) if self.current else ()

    @property
    def stage_id(self) -> int | None:
        """The stage at the cursor; None on a board without stages."""
        return self.shown.stages[self.cursor.stage].id if self.shown.stages else None

    def show(
        self,
        whole: BoardView,
        shown: BoardView,
        look: Look,
        *,
        follow: int | None = None,
        renamed: Mapping[int, int] | None = None,
    ) -> None:
        """Draw a changed board; the cursor stays on its card, or moves to the task `follow`.

        `renamed` maps local ids to those of the service.
        """
        before, ids = self.shown, renamed or {}
        self._keep_lifted_column(shown, ids)
        self.whole, self._at_rest, self.look = whole, shown, look
        self.shown = shown = stage_lift.arranged(self.stage_lift, shown)
        present = {task.id for task in whole.all_tasks()} if self.marks else set()
        self.marks = frozenset(ids.get(mark, mark) for mark in self.marks) & present
        target = find(shown, self._awaited if follow is None else follow)
        self._awaited = None if target is not None else self._awaited
        self.cursor = target or keep(self.cursor, before, shown, ids)
        if self.lift is not None:
            self._keep_lifted(before, ids)
        if self.gap is not None:
            self.gap = self._gap_at_cursor()
        self.redraw()

    def redraw(self) -> None:
        """Update every column, adding or removing columns as needed."""
        columns, stages = self.columns, self.shown.stages
        for surplus in columns[len(stages) :]:
            surplus.remove()
        if len(columns) < len(stages):
            self.mount_all(Column(self._face(i)) for i in range(len(columns), len(stages)))
            self.call_after_refresh(self.redraw)
        seen = [column for index, column in enumerate(columns) if index in self._in_view]
        tops = {column.face.stage_id: column.top for column in seen}
        self._in_view = self._columns_to_show()
        self._share_width(columns[: len(stages)])
        for index, column in enumerate(columns[: len(stages)]):
            column.set_class(index not in self._in_view, "-aside")
            if index in self._in_view:
                is_folded = self.is_folded(index)
                column.top = tops.get(stages[index].id, column.top)
                column.show(self._face(index), self._cursor_in(index), collapsed=is_folded)

    def _columns_to_show(self) -> range:
        """The indexes of the columns to show."""
        stages = range(len(self.shown.stages))
        if self.is_zoomed:
            return stages[self.over : self.over + 1]
        widths = [COLLAPSED_WIDTH if self.is_folded(index) else LEAST_WIDTH for index in stages]
        return columns_in_view(widths, self._room, self._in_view.start, self.over)

    @property
    def _room(self) -> int:
        """The width available for columns; before the first layout that of the terminal."""
        return self.size.width or self.app.size.width

    def _share_width(self, columns: list[Column]) -> None:
        """Set the widths of the columns in view.

        If not all are in view, the widths are fixed, so that scrolling does not change them: a
        column whose width changes is drawn twice.
        """
        view = self._in_view
        unfolded = [index for index in range(len(columns)) if not self.is_folded(index)]
        count = sum(index in view for index in unfolded)
        room = self._room - COLLAPSED_WIDTH * (len(view) - count)
        for index, column in enumerate(columns[view.start : view.stop], view.start):
            share: int | None = None
            if index in unfolded and count < len(unfolded):
                nth = unfolded.index(index) % count
                share = room * (nth + 1) // count - room * nth // count
            column.take_width(share)

    def put_back(self) -> bool:
        """Cancel the lift, else clear the marks; whether there was either."""
        if self.stage_lift is not None:
            self.carry_column(None)
            return True
        if self.lift is not None:
            self.carry(None)
            return True
        had_marks, self.marks = bool(self.marks), frozenset()
        if had_marks:
            self.redraw()
        return had_marks

    def carry_to_stage(self, index: int) -> None:
        """Move the lifted column or cards, else the cursor, to a stage."""
        if self.stage_lift is not None:
            self.carry_column(stage_lift.to_index(self.stage_lift, self.shown, index))
        elif self.lift is not None:
            self.carry(lift.to_stage(self.lift, self.shown, index))
        else:
            self.move_cursor(self.cursor.at(self.shown, stage=index))

    def open_gap(self) -> Gap | None:
        """Insert an empty card below the cursor; None on a board without stages."""
        self.gap = self._gap_at_cursor()
        if self.gap is not None:
            self.collapsed -= {self.gap.stage_id}
            self.redraw()
        return self.gap

    def close_gap(self) -> None:
        """Remove the empty card."""
        self.gap = None
        self.redraw()

    @property
    def over(self) -> int:
        """The index of the stage of the lifted cards, else of the cursor."""
        if self.lift is None:
            return self.cursor.stage
        ids = [stage.id for stage in self.shown.stages]
        return ids.index(self.lift.stage_id) if self.lift.stage_id in ids else 0

    def is_folded(self, index: int) -> bool:
        """Whether a column is drawn folded; not if it holds the lifted cards or is zoomed."""
        stage_id = self.shown.stages[index].id
        holds_lift = self.lift is not None and self.lift.stage_id == stage_id
        return stage_id in self.collapsed and not holds_lift and not self.is_zoomed

    def move_cursor(self, cursor: Cursor) -> None:
        """Move the cursor; within a column only that one is redrawn."""
        self._awaited = None
        before, self.cursor = self.cursor, cursor
        if before.stage != cursor.stage:
            self.redraw()
        elif cursor.stage < len(self.columns):
            self.columns[cursor.stage].move_cursor(self._cursor_in(cursor.stage))
        self.post_message(self.CursorMoved(self.current))

    def changed(self) -> None:
        """Redraw after a change of marks, folds or zoom, and post the card at the cursor."""
        self.redraw()
        self.post_message(self.CursorMoved(self.current))

    def carry(self, lifted: Lift | None) -> None:
        """Lift cards, or move the lifted ones; None cancels the lift."""
        self.lift = lifted
        self.redraw()
        self.post_message(self.LiftChanged())

    def carry_column(self, lifted: StageLift | None) -> None:
        """Lift a column, or move the lifted one; None cancels the lift."""
        before, self.stage_lift = self.shown, lifted
        self.shown = stage_lift.arranged(lifted, self._at_rest)
        self.cursor = keep(self.cursor, before, self.shown, {})
        self.redraw()
        self.post_message(self.LiftChanged())

    def drop(self) -> None:
        """Drop the lifted column or cards at their current position."""
        column, lifted, self.lift = self.stage_lift, self.lift, None
        if column is not None:
            self.carry_column(None)
            self.post_message(self.ColumnDropRequested(column))
        elif lifted is not None:
            self.redraw()
            self.post_message(self.LiftChanged())
            self.post_message(self.DropRequested(lifted))

    def _face(self, index: int) -> ColumnFace:
        """The contents of the column at this index."""
        return column_face(
            index,
            self.whole,
            self.shown,
            look=self.look,
            lifted=self.lift,
            gap=self.gap,
            marks=self.marks,
            news=self.news,
            is_lifted=self.stage_lift is not None and index == self.stage_lift.index,
            outside=self._outside(index),
        )

    def _outside(self, index: int) -> tuple[int, int]:
        """How many columns are hidden next to this one, to the left and to the right."""
        view = self._in_view
        before = view.start if index == view.start else 0
        after = len(self.shown.stages) - view.stop if index == view.stop - 1 else 0
        return before, after

    def _cursor_in(self, index: int) -> int | None:
        """The row of the cursor, or of the lifted cards, in this column; None if in another."""
        if index != self.over or self.gap is not None:
            return None
        if self.stage_lift is not None:
            return TITLE
        if self.lift is None:
            return self.cursor.row
        return lift.rows(self.lift, self.shown, self.lift.stage_id).start

    def _gap_at_cursor(self) -> Gap | None:
        """The position of a new card below the cursor; None on a board without stages."""
        if self.stage_id is None:
            return None
        lane = self.shown.in_stage(self.stage_id)
        return Gap(self.stage_id, min(self.cursor.row + 1, len(lane)))

    def _keep_lifted(self, before: BoardView, ids: Mapping[int, int]) -> None:
        """Keep the lifted cards at their position after the board changed; post the result."""
        if self.lift is None:
            return
        tasks = tuple(replace(task, id=ids.get(task.id, task.id)) for task in self.lift.tasks)
        self.lift = lift.kept_between(replace(self.lift, tasks=tasks), before, self.shown)
        self.post_message(self.LiftChanged("" if self.lift else "card"))

    def _keep_lifted_column(self, shown: BoardView, ids: Mapping[int, int]) -> None:
        """Keep the lifted column beside the same one after the board changed; post the result."""
        if self.stage_lift is None:
            return
        self.stage_lift = stage_lift.settle(self.stage_lift, self._at_rest, shown, ids)
        self.post_message(self.LiftChanged("" if self.stage_lift else "stage"))
