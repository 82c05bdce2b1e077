"""What each column shows, worked out from the board, the filter, the hand and the marks."""

from collections.abc import Collection
from typing import NamedTuple

from tui.model import lift as hand
from tui.model.board import BoardView
from tui.model.lift import Lift, Row, RowKind, Rows
from tui.model.task import Task
from tui.widgets.board.card import Look
from tui.widgets.board.column import ColumnFace


class Gap(NamedTuple):
    """Where a title is being typed: a stage and the row of the empty card."""

    stage_id: int
    row: int


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
) -> ColumnFace:
    """Everything the column of the stage with this index shows."""
    stage = shown.stages[index]
    rows = hand.rows(lifted, shown, stage.id)
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
    )
