"""A board that is not known here yet, drawn while its tasks come."""

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from tui.store.connection import Health
from tui.store.documents.shapes import Document, FirstPaint
from tui.store.events import Loading
from tui.store.views.boards import Boards

_DRAWN = 40
"""How many tasks of each stage are drawn until all are there."""
_GROWTH = 1.3
"""How many times more tasks must be there than were when it was drawn last."""
_Place = tuple[float, int]


class FirstLoad:
    """Draws the first tasks of each stage, and says how many came."""

    def __init__(self, board_id: int, boards: Boards, health: Health) -> None:
        self._board_id = board_id
        self._boards = boards
        self._health = health
        self._frame: Document = {}
        self._first: defaultdict[int, list[tuple[_Place, Document]]] = defaultdict(list)
        self._totals: Counter[int] = Counter()
        self._loading = Loading()
        self._next_at = 0.0
        self._health.loading(board_id, self._loading)

    def begin(self, frame: Document) -> None:
        """The board is there; it is drawn with its first tasks, for no column is empty for sure."""
        self._frame = frame

    def arrived(self, tasks: Sequence[Document], received: int) -> None:
        """These tasks came; with them so many bytes are there."""
        for task in tasks:
            self._keep(task)
        count = self._loading.tasks + len(tasks)
        self._loading = Loading(count, received)
        if count >= self._next_at:
            self._next_at = count * _GROWTH
            self._draw()
            self._health.loading(self._board_id, self._loading)

    def stopped(self) -> None:
        """No more will come."""
        self._health.loading(self._board_id, self._loading._replace(is_stopped=True))

    def finished(self) -> None:
        """All is there, and drawn."""
        self._health.loading(self._board_id, None)

    def _keep(self, task: Document) -> None:
        stage_id, position = task.get("stage_id"), _number(task.get("position"))
        if not isinstance(stage_id, int):
            return
        self._totals[stage_id] += 1
        first = self._first[stage_id]
        insort(first, ((position, task["id"]), task), key=itemgetter(0))
        del first[_DRAWN:]

    def _draw(self) -> None:
        tasks = [task for first in self._first.values() for _, task in first]
        self._boards.draw_sketch(
            self._board_id, FirstPaint(self._frame, tuple(tasks), dict(self._totals))
        )


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
