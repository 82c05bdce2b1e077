"""The cursor on a board: a stage and a row of the shown cards, or the title of the stage.

It is always on the board. Under swimlanes, its stages are cells (`tui.model.moving.grid`).
"""

from tui.model.board import BoardView
from tui.model.task import Task
from tui.record import record

TITLE = -1
"""The row of the title."""


@record
class Cursor:
    """A stage index and a row index, from 0; the row is `TITLE` on the title of the stage.

    In an empty stage every row is on the title. It stays what it was for the next stage.
    """

    stage: int = 0
    row: int = 0

    def on(self, shown: BoardView) -> "Cursor":
        """The nearest cursor that is on the board."""
        if not shown.stages:
            return Cursor()
        stage = max(0, min(self.stage, len(shown.stages) - 1))
        last = len(shown.in_stage(shown.stages[stage].id)) - 1
        return Cursor(stage, max(TITLE, min(self.row, max(0, last))))

    def task(self, shown: BoardView) -> Task | None:
        """The task under the cursor; None on the title."""
        if self.stage >= len(shown.stages) or self.row == TITLE:
            return None
        lane = shown.in_stage(shown.stages[self.stage].id)
        return lane[self.row] if self.row < len(lane) else None


def find(shown: BoardView, task_id: int | None) -> Cursor | None:
    """The cursor on a task, wherever it is shown."""
    spot = None if task_id is None else shown.spot_of(task_id)
    return None if spot is None else Cursor(*spot)
