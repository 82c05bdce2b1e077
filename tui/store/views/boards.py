"""The boards in memory as drawn: the truth with pending changes applied.

A submitted change is drawn in the next frame, and so is the last accepted one. While several are in
flight, redrawing after each would take longer than sending it: accepted changes then stay drawn as
pending, under their new ids, and the board is redrawn a few times a second and at the end.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from tui.model.board import Board, BoardView
from tui.model.task import Task
from tui.runtime.input_priority import INPUT_PRIORITY
from tui.store.core import Core
from tui.store.documents.assemble import Assembler
from tui.store.documents.shapes import FirstPaint
from tui.store.events import BoardChanged, BoardsChanged
from tui.store.operations.base import Operation
from tui.store.views.board_state import BoardState, Truth, preview_of
from tui.store.views.projection import drawn_with_new_ids, project, without_made

_PAUSE = 0.5
_KEY_SECONDS = 0.01
_REST_PER_WORK = 20


class BoardViews:
    """Projects boards and the list of boards, and notifies listeners."""

    def __init__(self, core: Core) -> None:
        self._cache = core.loop_cache
        self._read_ahead = core.read_ahead
        self._queue = core.queue
        self._listeners = core.listeners
        self.assembler = Assembler()
        self._states: dict[int, BoardState] = {}
        self._stored: tuple[Board, ...] | None = None
        self._listed: tuple[Board, ...] = ()
        self._listed_at = -1
        self._announced: tuple[Board, ...] | None = None

    def state(self, board_id: int) -> BoardState:
        """What is in memory of a board."""
        return self._states.setdefault(board_id, BoardState())

    def view(self, board_id: int) -> BoardView | None:
        """A board as drawn; its preview if it is not loaded yet."""
        state = self.state(board_id)
        if state.view is None:
            first = self._read_ahead.pop(board_id, None) or self._cache.first_paint(board_id)
            if first is not None:
                state.preview, state.revision = preview_of(first, self.assembler), first.revision
            elif board_id < 0:
                state.preview = self.listed(board_id)
            self.draw(board_id)
        return state.view

    def truth(self, board_id: int) -> Truth | None:
        """A board without pending changes, if it is loaded."""
        return self.state(board_id).truth

    def in_memory(self) -> set[int]:
        """The ids of the boards that are drawn."""
        return {board_id for board_id, state in self._states.items() if state.view is not None}

    def known_ids(self) -> tuple[int, ...]:
        """The ids of the boards of which anything is in memory."""
        return tuple(self._states)

    def forget(self, board_id: int) -> None:
        """Remove a board that no longer exists."""
        self._states.pop(board_id, None)

    def all(self) -> tuple[Board, ...]:
        """The boards as drawn, newest first."""
        if self._stored is None or self._listed_at != self._queue.revision:
            if self._stored is None:
                self._stored = tuple(map(self.assembler.board, self._cache.board_summaries()))
            self._listed, self._listed_at = self._stored, self._queue.revision
            for entry in self._queue.all():
                if entry.is_drawn:
                    self._listed = entry.operation.apply_boards(self._listed)
        return self._listed

    def forget_list(self) -> None:
        """Drop the list of boards; it is read again when needed."""
        self._stored = None

    def reload_list(self) -> None:
        """Read the list of boards again, and notify listeners."""
        self.forget_list()
        self._listeners.notify(BoardsChanged())

    def listed(self, board_id: int) -> BoardView | None:
        """A board as the list of boards has it."""
        return next((BoardView(board) for board in self.all() if board.id == board_id), None)

    def follow_board(self, old: int, new: int) -> None:
        """Keep the view of a board created here under its assigned id."""
        preview = self.state(old).preview
        if preview is not None and self.truth(new) is None:
            self.state(new).preview = replace(preview, board=replace(preview.board, id=new))
            self.draw(new)

    def draw_preview(self, board_id: int, first: FirstPaint) -> None:
        """Draw a board that is not loaded with its first tasks, and notify listeners."""
        state = self.state(board_id)
        if state.truth is None:
            state.preview = preview_of(first, self.assembler)
            self.redraw(board_id)

    def draw(self, board_id: int) -> None:
        """Project a board."""
        started, state = perf_counter(), self.state(board_id)
        base = state.truth.view if state.truth is not None else state.preview
        if base is not None:
            entries = [entry for entry in self._queue.of(board_id) if entry.is_drawn]
            base = project(without_made(base, entries), [entry.operation for entry in entries])
        state.view, state.is_behind, state.took = base, False, perf_counter() - started

    def redraw(self, board_id: int, renamed: Mapping[int, int] | None = None) -> None:
        """Project a board, and notify listeners."""
        self.draw(board_id)
        self.announce(board_id, renamed)

    def draw_submitted(self, board_id: int, operations: Sequence[Operation]) -> None:
        """Apply operations just submitted, and notify listeners."""
        state = self.state(board_id)
        if state.view is None:
            self.draw(board_id)
        else:
            # On top of what is drawn, which has the older pending changes already.
            state.view = project(state.view, operations)
        self._announce_list()
        self._listeners.notify(BoardChanged(board_id))

    def draw_accepted(
        self, board_id: int, renamed: Mapping[int, int], tasks: Iterable[Task]
    ) -> None:
        """Redraw a board after a change of tasks was accepted, or later.

        Not later if the service closed or reopened one: the next key may be for its status.
        """
        state, view = self.state(board_id), self.state(board_id).view
        drawn = [(None if view is None else view.task(task.id), task) for task in tasks]
        is_surprise = any(old is not None and old.status is not new.status for old, new in drawn)
        if view is None or is_surprise or not self._queue.count(board_id):
            self.draw(board_id)
            return
        self.draw_later(board_id)
        # The board is drawn later, but its ids are right at once.
        if renamed:
            state.view = drawn_with_new_ids(view, renamed)

    def draw_later(self, board_id: int) -> None:
        """Redraw a board after a pause that grows with the work, unless it is drawn before."""
        state = self.state(board_id)
        if not state.is_behind:
            # Only the first call starts the timer; what is accepted meanwhile is drawn with it.
            self._catch_up_after(max(_PAUSE, _REST_PER_WORK * state.took), board_id)
        state.is_behind = True

    def _catch_up_after(self, seconds: float, board_id: int) -> None:
        # A recent key press postpones it again, so that the reaction to the key is drawn first.
        def draw_unless_a_key_waits() -> None:
            if INPUT_PRIORITY.is_input_recent:
                self._catch_up_after(_KEY_SECONDS, board_id)
            else:
                self.catch_up_drawing(board_id)

        asyncio.get_running_loop().call_later(seconds, draw_unless_a_key_waits)

    def catch_up_drawing(self, board_id: int) -> None:
        """Redraw a board now if that was postponed."""
        if self.state(board_id).is_behind:
            self.redraw(board_id)

    def announce(self, board_id: int, renamed: Mapping[int, int] | None) -> None:
        """Notify listeners that a board changed, and the list of boards if it did."""
        self._listeners.notify(BoardChanged(board_id, renamed or {}))
        self._announce_list({old: new for old, new in (renamed or {}).items() if new == board_id})

    def _announce_list(self, renamed: Mapping[int, int] | None = None) -> None:
        boards = self.all()
        if renamed or boards != self._announced:
            self._announced = boards
            self._listeners.notify(BoardsChanged(renamed or {}))
