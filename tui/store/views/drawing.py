"""What is drawn: the truth with what is on its way on top, projected no more often than need be.

What the person does is drawn at once, and so is the last change that is accepted. With more of them
on their way, drawing everything again for each would take longer than sending it: then what was
accepted stays drawn as it was, under its new id, and everything is drawn again some times a second
and at the end.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from tui.model.board import Board, BoardView
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store.events import BoardChanged, BoardsChanged, Listeners
from tui.store.operations.base import Operation
from tui.store.outbox.queue import Queue
from tui.store.views.projection import drawn_also, drawn_with_new_ids, project, without_made

_PAUSE = 0.5
_KEY_SECONDS = 0.01
_REST_PER_WORK = 20


@dataclass(slots=True)
class Drawn:
    """A board as drawn, which took so many seconds.

    `is_behind` if something was accepted since that was not drawn again.
    """

    view: BoardView | None = None
    is_behind: bool = False
    took: float = 0.0


class Drawing:
    """Draws boards, and the list of boards, and tells everyone when they look different."""

    def __init__(self, queue: Queue, listeners: Listeners) -> None:
        self._queue = queue
        self._listeners = listeners
        self._drawn: dict[int, Drawn] = {}
        self._boards: tuple[Board, ...] = ()
        self._boards_of: tuple[tuple[Board, ...], int] | None = None
        self._told: tuple[Board, ...] | None = None

    def view(self, board_id: int) -> BoardView | None:
        """A board as it was drawn last."""
        drawn = self._drawn.get(board_id)
        return None if drawn is None else drawn.view

    def board_ids(self) -> set[int]:
        """The boards that are drawn."""
        return {board_id for board_id, drawn in self._drawn.items() if drawn.view is not None}

    def forget(self, board_id: int) -> None:
        """A board is not there any more."""
        self._drawn.pop(board_id, None)

    def draw(self, board_id: int, base: BoardView | None) -> None:
        """Project a board anew."""
        started = perf_counter()
        view = None
        if base is not None:
            entries = [entry for entry in self._queue.of(board_id) if entry.is_drawn]
            view = project(without_made(base, entries), [one.operation for one in entries])
        self._drawn[board_id] = Drawn(view, took=perf_counter() - started)

    def draw_also(self, board_id: int, operations: Sequence[Operation]) -> bool:
        """Draw operations that were just submitted; False if the board is not drawn yet."""
        drawn = self._drawn.get(board_id)
        if drawn is None or drawn.view is None:
            return False
        drawn.view = drawn_also(drawn.view, operations)
        return True

    def is_worth_drawing(self, board_id: int) -> bool:
        """Whether to draw a board anew now that a change was accepted, or to leave it for later."""
        drawn = self._drawn.get(board_id)
        return drawn is None or drawn.view is None or not self._queue.count(board_id)

    def leave_for_later(
        self, board_id: int, renamed: Mapping[int, int], catch_up: Callable[[int], None]
    ) -> None:
        """Keep what is drawn, with tasks by their new ids; `catch_up` is called in a moment."""
        drawn = self._drawn[board_id]
        if not drawn.is_behind:
            self._catch_up_after(max(_PAUSE, _REST_PER_WORK * drawn.took), board_id, catch_up)
        drawn.is_behind = True
        if drawn.view is not None and renamed:
            drawn.view = drawn_with_new_ids(drawn.view, renamed)

    def _catch_up_after(
        self, seconds: float, board_id: int, catch_up: Callable[[int], None]
    ) -> None:
        """Have it drawn after so many seconds; not while a key waits to be drawn."""

        def draw_unless_a_key_waits() -> None:
            if INPUT_PRIORITY.is_input_recent:
                self._catch_up_after(_KEY_SECONDS, board_id, catch_up)
            else:
                catch_up(board_id)

        asyncio.get_running_loop().call_later(seconds, draw_unless_a_key_waits)

    def is_behind(self, board_id: int) -> bool:
        """Whether something was accepted that was not drawn again."""
        drawn = self._drawn.get(board_id)
        return drawn is not None and drawn.is_behind

    def boards(self, known: tuple[Board, ...]) -> tuple[Board, ...]:
        """The list of boards with what is on its way on top; `known` is what the service said."""
        if self._boards_of is None or (
            self._boards_of[0] is not known or self._boards_of[1] != self._queue.revision
        ):
            boards = known
            for entry in self._queue.all():
                boards = entry.operation.apply_boards(boards) if entry.is_drawn else boards
            self._boards, self._boards_of = boards, (known, self._queue.revision)
        return self._boards

    def announce(self, board_id: int, renamed: Mapping[int, int] | None = None) -> None:
        """Tell everyone that a board looks different."""
        self._listeners.tell(BoardChanged(board_id, renamed or {}))

    def announce_boards(
        self, known: tuple[Board, ...], renamed: Mapping[int, int] | None = None
    ) -> None:
        """Tell everyone if the list of boards looks different from what was told last."""
        boards = self.boards(known)
        if renamed or boards != self._told:
            self._told = boards
            self._listeners.tell(BoardsChanged(renamed or {}))
