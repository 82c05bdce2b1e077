"""The store as screens know it.

The rule it keeps: a screen reads frozen views, submits operations and hears events; it never
learns how they are kept or sent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, Protocol

from tui.model.board import Board, BoardView
from tui.store.operations.base import Operation


class WaitingState(StrEnum):
    """Where an operation stands that the service has not accepted."""

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"
    REFUSED = "refused"


class Waiting(NamedTuple):
    """An operation that is on its way, or was refused, with the reason in words."""

    id: int
    board_id: int
    operation: Operation
    state: WaitingState
    since: datetime
    attempts: int = 0
    reason: str = ""


class SyncStatus(NamedTuple):
    """How fresh a board is: what the status line says.

    `checked_at` is when the service last answered for this board (aware, UTC); `problem` is why
    it cannot be reached, in words, or empty, and `remedy` what to do about it.
    """

    on_the_way: int = 0
    refused: int = 0
    checked_at: datetime | None = None
    busy: bool = False
    problem: str = ""
    remedy: str = ""


class BoardChanged(NamedTuple):
    """A board looks different; `renamed` maps local ids to those the service gave."""

    board_id: int
    renamed: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BoardsChanged:
    """The list of boards looks different."""


class StatusChanged(NamedTuple):
    """What is on its way, or how fresh a board is, has changed; None for the list of boards."""

    board_id: int | None


class OperationRefused(NamedTuple):
    """The service refused a change; it is no longer drawn and waits to be looked at."""

    waiting: Waiting


StoreEvent = BoardChanged | BoardsChanged | StatusChanged | OperationRefused


class Store(Protocol):
    """Boards kept locally, changed at once and brought to the service behind the scenes."""

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        """Hear every event, on the event loop; returns what ends the subscription."""
        ...

    def boards(self) -> tuple[Board, ...]:
        """The boards known, archived ones too, newest first."""
        ...

    def board(self, board_id: int) -> BoardView | None:
        """A board with pending changes applied; None if it is not known here yet."""
        ...

    def status(self, board_id: int | None = None) -> SyncStatus:
        """How fresh a board, or the list of boards, is and what is on its way."""
        ...

    def waiting(self, board_id: int | None = None) -> tuple[Waiting, ...]:
        """The operations not accepted yet, oldest first; of one board or of all."""
        ...

    async def open_board(self, board_id: int) -> None:
        """Keep this board fresh from now on, and its whole view in memory."""
        ...

    async def close_board(self) -> None:
        """No board is looked at any more."""
        ...

    async def submit(self, *operations: Operation) -> None:
        """Write these operations to disk, draw them and send them; they are one step to undo.

        Raises `tui.errors.CallboardError` if they could not be written: then nothing changed.
        """
        ...

    async def undo(self, board_id: int) -> str | None:
        """Take back the last step on a board; says what, or None if there is nothing."""
        ...

    async def redo(self, board_id: int) -> str | None:
        """Do again what was taken back last; says what, or None if there is nothing."""
        ...

    async def refresh(self, board_id: int | None = None) -> None:
        """Ask the service now for a board, or for the list of boards.

        What it answers is told by the status. Raises `CallboardError` if there is no connection
        and none can be made.
        """
        ...

    async def retry(self, waiting_id: int) -> None:
        """Send a refused or unsure operation again."""
        ...

    async def discard(self, waiting_id: int) -> None:
        """Forget a refused or unsure operation."""
        ...

    async def create_board(self, title: str, description: str = "") -> int:
        """Make a board, at the service, now. Raises `CallboardError` if it cannot be reached."""
        ...

    async def rename_board(self, board_id: int, title: str) -> None:
        """Rename a board, at the service, now."""
        ...

    async def archive_board(self, board_id: int) -> None:
        """Archive a board, at the service, now."""
        ...

    async def restore_board(self, board_id: int) -> None:
        """Bring an archived board back, at the service, now."""
        ...

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good, at the service, now."""
        ...

    async def create_stage(self, board_id: int, title: str) -> None:
        """Add a stage at the end of a board, at the service, now."""
        ...

    async def rename_stage(self, board_id: int, stage_id: int, title: str) -> None:
        """Rename a stage, at the service, now."""
        ...

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage with its tasks, at the service, now."""
        ...

    async def order_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order, at the service, now."""
        ...
