"""How many cards of the listed boards are open, late or blocked."""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime

from tui.model.board import Board
from tui.model.lane import Tally
from tui.store.protocol import Store
from tui.text.clean import counted
from tui.widgets.painted import Line


class Tallies:
    """The tallies of boards as they were read last.

    Without one the list of boards itself still says how many cards are open.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[int, Tally | None] = {}

    async def read(self, board_ids: Iterable[int]) -> AsyncIterator[int]:
        """Read the tallies of these boards, one after the other."""
        for board_id in board_ids:
            self._read[board_id] = await self._store.tally(board_id)
            yield board_id

    def of(self, board: Board) -> Tally | None:
        return self._read.get(board.id)

    def was_read(self, board: Board) -> bool:
        return board.id in self._read

    def open_cards(self, board: Board) -> int:
        tally = self.of(board)
        return tally.open if tally else max(0, board.tasks_count - board.completed_count)

    def summary(self, boards: Sequence[Board], now: datetime) -> Line:
        """How many boards there are, and how their cards stand, for the bar."""
        tallies = [tally for board in boards if (tally := self.of(board))]
        counts = (
            (sum(map(self.open_cards, boards)), "open", "text"),
            (sum(tally.late(now) for tally in tallies), "overdue", "bad"),
            (sum(tally.blocked for tally in tallies), "blocked", "alert"),
        )
        words = ((f"{count} {word}", role) for count, word, role in counts if count)
        return ((counted(len(boards), "board"), "strong"), *words)
