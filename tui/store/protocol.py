"""The store as screens know it.

A screen reads frozen views, submits operations and hears events (`tui.store.events`). What is known
is told at once; what has to be asked for comes later, and an event says so.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Literal, Protocol

from tui.client.capabilities import Feature
from tui.model.board import Board, BoardView
from tui.model.detail import TaskDetail
from tui.model.people import Account
from tui.model.picture_names import KeptPicture
from tui.model.remote_changes import RemoteChange
from tui.store.events import PendingChange, StoreEvent, SyncStatus, Undone
from tui.store.operations.base import Operation

Resolution = Literal["mine", "theirs", "text"]
"""Whose value stays after a conflict: ours, theirs, or a text put together of both."""

FIRST_CARDS = 40
"""How many cards of each stage are drawn before a board is whole in memory."""
Pause = Callable[[], Awaitable[object]]
"""Waits for something."""


class Store(Protocol):
    """Boards kept locally, changed at once and brought to the service behind the scenes."""

    @property
    def me(self) -> Account:
        """The account of the person at the keyboard."""
        ...

    def offers(self, feature: Feature) -> bool | None:
        """Whether the service offers a feature; None if that is not known (yet)."""
        ...

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

    def pending(self, board_id: int | None = None) -> tuple[PendingChange, ...]:
        """The operations not accepted yet, oldest first; of one board or of all."""
        ...

    async def open_board(self, board_id: int, *, after: Pause | None = None) -> None:
        """Keep this board fresh from now on, and its whole view in memory.

        It is read into memory `after` that, if given; until then its first tasks are drawn.
        """
        ...

    async def close_board(self) -> None:
        """No board is looked at any more."""
        ...

    async def submit(self, *operations: Operation) -> None:
        """Write these operations to disk, draw them and send them; they are one step to undo.

        Raises `tui.errors.CallboardError` if they could not be written: then nothing changed.
        """
        ...

    async def undo(self, board_id: int, *, force: bool = False) -> Undone | None:
        """Undo the last step on a board; tells which, or None if there is nothing.

        Raises `UndoNeedsConfirmation` if the user has to confirm first, unless `force`, and
        `tui.errors.CallboardError` if the last change was refused: there is nothing to undo then.
        """
        ...

    async def redo(self, board_id: int, *, force: bool = False) -> Undone | None:
        """Redo what was undone last; tells which, or None if there is nothing.

        Raises `UndoNeedsConfirmation` as `undo` does.
        """
        ...

    async def refresh(self, board_id: int | None = None) -> None:
        """Ask the service now for a board, or for the list of boards.

        What it answers is told by the status. Raises `CallboardError` if there is no connection
        and none can be made.
        """
        ...

    async def retry(self, pending_id: int, *, force: bool = False) -> None:
        """Send an operation again that was refused or is unsure, or now if it waits.

        An unsure one is looked for first. If that does not tell either, it is unsure again
        (`PendingChange.was_checked_again`), and `force` sends it without another look.
        """
        ...

    async def discard(self, pending_id: int) -> bool:
        """Forget an operation, with those that need what it makes; False if it had arrived.

        What may have arrived is looked for first; if it had, those that need it go on. Raises
        `CallboardError` if it is just being sent, or if there are such and nobody can be asked.
        """
        ...

    def count_dependants(self, pending_id: int) -> int:
        """How many operations need what one that waits makes, and go if it is forgotten."""
        ...

    async def resolve(self, pending_id: int, how: Resolution, text: str | None = None) -> None:
        """Decide a conflict.

        “mine” is sent on top of what the service has now, “theirs” forgets our change, and “text”
        sends `text`, put together of both. Raises `CallboardError` if there is no such conflict.
        """
        ...

    def merge_draft(self, pending_id: int) -> str | None:
        """What to start from to put both texts of a conflict together; None if it is no text."""
        ...

    def changed_by_others(self, board_id: int) -> Mapping[int, RemoteChange]:
        """The cards of a board that others changed since it was looked at, by their ids."""
        ...

    async def mark_card_seen(self, board_id: int, task_id: int) -> None:
        """The person looked at a card: it is no news any more."""
        ...

    async def mark_board_seen(self, board_id: int) -> None:
        """The person looked at a board and goes elsewhere: nothing on it is news any more."""
        ...

    def set_visible(self, *, is_visible: bool) -> None:
        """Whether a person can see anything; nothing is asked for while not."""
        ...

    def detail(self, task_id: int) -> TaskDetail | None:
        """An opened task with pending changes applied; None if it was not opened lately."""
        ...

    async def open_task(self, board_id: int, task_id: int) -> None:
        """Show what is known of a task, and ask for the rest behind the scenes."""
        ...

    def close_task(self) -> None:
        """No task is looked at any more."""
        ...

    async def refresh_task(self, task_id: int) -> None:
        """Ask for an opened task now; problems are told by the board's status."""
        ...

    async def older_comments(self, task_id: int) -> None:
        """Ask for the comments before those that are known. Raises `CallboardError`."""
        ...

    async def older_activities(self, task_id: int) -> None:
        """Ask for what was done, or what was done before that. Raises `CallboardError`."""
        ...

    async def description_source(self, task_id: int) -> str:
        """The description of a task or subtask as it is stored, to start an edit from."""
        ...

    async def comment_source(self, task_id: int, comment_id: int) -> str:
        """The text of a comment or reply as it was typed, to start an edit from."""
        ...

    def unread_comments(self, task_id: int) -> frozenset[int]:
        """The comments and replies of others that the person has not seen yet."""
        ...

    async def mark_comments_read(self, task_id: int) -> None:
        """The person has looked at all comments of a task that are known here."""
        ...

    async def keep_picture(self, path: Path) -> KeptPicture:
        """Keep a picture until the service has it, for `UploadImage` and a comment that shows it.

        Raises `CallboardError` for what cannot be read, is no picture, or is too large.
        """
        ...

    async def picture(
        self, task_id: int, image_id: int, progress: Callable[[int, int | None], None] | None = None
    ) -> bytes:
        """The bytes of a picture in a comment, from here or from the service.

        `progress` hears of bytes so far and in all, if that is known. Raises `CallboardError`.
        """
        ...
