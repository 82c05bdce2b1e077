"""The store as screens know it.

The rule it keeps: a screen reads frozen views, submits operations and hears events; it never
learns how they are kept or sent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from tui.client.capabilities import Feature
from tui.errors import CallboardError
from tui.model.account import Account
from tui.model.board import Board, BoardView
from tui.model.news import CardNews
from tui.store.detail_protocol import DetailStore
from tui.store.operations.base import Difference, Operation

Resolution = Literal["mine", "theirs", "text"]
"""Whose value stays after a conflict: ours, theirs, or a text put together of both."""


class WaitingState(StrEnum):
    """Where an operation stands that the service has not accepted.

    What is refused, or in conflict with what somebody else did, is not drawn: the board shows
    what the service has. Both wait for a person to decide, as does what is unsure.
    """

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"
    CONFLICT = "conflict"
    REFUSED = "refused"


class Waiting(NamedTuple):
    """An operation that is on its way, or stuck, with the reason in words.

    `differences` tell of a conflict, field by field: what the person set, what somebody else set
    meanwhile, and what it was before. `keeps_failing` says that it was tried several times and
    failed by itself; it is tried again, after all others. `after` is what it waits for, in words,
    if another operation has to be accepted first.
    """

    id: int
    board_id: int
    operation: Operation
    state: WaitingState
    since: datetime
    attempts: int = 0
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    keeps_failing: bool = False
    after: str = ""

    @property
    def was_looked_for_again(self) -> bool:
        """Whether a person had the service looked at, which did not show whether it arrived."""
        return self.state is WaitingState.UNSURE and not self.attempts

    @property
    def needs_you(self) -> bool:
        """Whether it waits for a person to do something."""
        is_stuck = self.state not in (WaitingState.WAITING, WaitingState.SENDING)
        return is_stuck or self.keeps_failing


class Loading(NamedTuple):
    """How far a board is that is fetched for the first time: tasks, and bytes.

    It `is_stopped` if it failed; what came until then is shown.
    """

    tasks: int = 0
    size: int = 0
    is_stopped: bool = False


class SyncStatus(NamedTuple):
    """How fresh a board is: what the status line says.

    `checked_at` is when the service last answered for this board (aware, UTC); `problem` is why
    it cannot be reached, in words, or empty, and `remedy` what to do about it. While changes are
    being sent, `sent` of `to_send` are done; `conflicts` is how many wait for a person to decide
    whose value stays, `unsure` how many for one to look whether they arrived, `failing` how many
    fail again and again. Neither these nor those that were `refused` are `on_the_way`.
    `loading` is how far a board is that is not known here yet.
    """

    on_the_way: int = 0
    refused: int = 0
    checked_at: datetime | None = None
    busy: bool = False
    problem: str = ""
    to_send: int = 0
    sent: int = 0
    conflicts: int = 0
    remedy: str = ""
    unsure: int = 0
    failing: int = 0
    loading: Loading | None = None

    @property
    def need_you(self) -> int:
        """How many changes wait for a person: refused, in conflict, maybe there, or failing."""
        return self.refused + self.conflicts + self.unsure + self.failing


class BoardChanged(NamedTuple):
    """A board looks different; `renamed` maps local ids to those the service gave."""

    board_id: int
    renamed: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BoardsChanged:
    """The list of boards looks different; `renamed` maps local ids to those the service gave."""

    renamed: Mapping[int, int] = field(default_factory=dict)


class StatusChanged(NamedTuple):
    """What is on its way, or how fresh a board is, has changed; None for the list of boards."""

    board_id: int | None


class OperationRefused(NamedTuple):
    """The service refused a change; it is no longer drawn and waits to be looked at."""

    waiting: Waiting


class ConflictFound(NamedTuple):
    """Somebody else changed the same meanwhile; it is not drawn and waits for a decision."""

    waiting: Waiting


class NewsHeard(NamedTuple):
    """Other cards of a board are marked as changed by others; `news` is what was just heard."""

    board_id: int
    news: tuple[CardNews, ...] = ()


class DetailChanged(NamedTuple):
    """An opened task looks different, in what is around it."""

    board_id: int
    task_id: int


class UploadProgress(NamedTuple):
    """A picture is on its way: how many of its bytes are sent; `total` is None if not known.

    `image_id` is the local id; the last news of it is that the task's detail changed.
    """

    task_id: int
    image_id: int
    sent: int
    total: int | None


StoreEvent = (
    BoardChanged
    | BoardsChanged
    | StatusChanged
    | OperationRefused
    | ConflictFound
    | DetailChanged
    | NewsHeard
    | UploadProgress
)


class UndoAsks(CallboardError):
    """A step that is undone, or redone, only after a person was asked.

    `step` is what was done, in words, `at` when (aware, None if that is not known), and `why` says
    in sentences why it is asked; `differences` is what somebody else changed since. Nothing was
    changed; ask, and call again with `even_so=True`.
    """

    def __init__(
        self,
        step: str,
        differences: tuple[Difference, ...] = (),
        *,
        why: tuple[str, ...] = (),
        at: datetime | None = None,
    ) -> None:
        fields = list(dict.fromkeys(one.field for one in differences))
        listed = " and ".join(filter(None, (", ".join(fields[:-1]), *fields[-1:])))
        others = (f"Somebody else changed the {listed} since.",) if differences else ()
        self.step = step
        self.differences = differences
        self.why = (*others, *why)
        self.at = at
        super().__init__(f"{step}: {' '.join(self.why)}", hint="Nothing was changed.")


class Store(DetailStore, Protocol):
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

    async def undo(self, board_id: int, *, even_so: bool = False) -> str | None:
        """Take back the last step on a board; says what, or None if there is nothing.

        The words also tell what could not be brought back. Raises `UndoAsks` if a person is to be
        asked first, unless it is to be done `even_so`, and `tui.errors.CallboardError` if the last
        change was refused, so that it has nothing to undo.
        """
        ...

    async def redo(self, board_id: int, *, even_so: bool = False) -> str | None:
        """Do again what was taken back last; says what, or None if there is nothing.

        Raises `UndoAsks` as `undo` does.
        """
        ...

    async def refresh(self, board_id: int | None = None) -> None:
        """Ask the service now for a board, or for the list of boards.

        What it answers is told by the status. Raises `CallboardError` if there is no connection
        and none can be made.
        """
        ...

    async def retry(self, waiting_id: int, *, even_so: bool = False) -> None:
        """Send an operation again that was refused or is unsure, or now if it waits.

        An unsure one is looked for first. If that does not tell either, it is unsure again
        (`Waiting.was_looked_for_again`), and `even_so` sends it without another look.
        """
        ...

    async def discard(self, waiting_id: int) -> bool:
        """Forget an operation, with those that need what it makes; False if it had arrived.

        What may have arrived is looked for first; if it had, those that need it go on. Raises
        `CallboardError` if it is just being sent, or if there are such and nobody can be asked.
        """
        ...

    def depending_on(self, waiting_id: int) -> int:
        """How many operations need what one that waits makes, and go if it is forgotten."""
        ...

    async def resolve(self, waiting_id: int, how: Resolution, text: str | None = None) -> None:
        """Decide a conflict.

        “mine” is sent on top of what the service has now, “theirs” forgets our change, and “text”
        sends `text`, put together of both. Raises `CallboardError` if there is no such conflict.
        """
        ...

    def merge_draft(self, waiting_id: int) -> str | None:
        """What to start from to put both texts of a conflict together; None if it is no text."""
        ...

    def changed_by_others(self, board_id: int) -> Mapping[int, CardNews]:
        """The cards of a board that others changed since it was looked at, by their ids."""
        ...

    async def looked_at(self, board_id: int, task_id: int) -> None:
        """The person looked at a card: it is no news any more."""
        ...

    async def left_board(self, board_id: int) -> None:
        """The person looked at a board and goes elsewhere: nothing on it is news any more."""
        ...

    def seen(self, *, is_seen: bool) -> None:
        """Whether a person can see anything; nothing is asked for while not."""
        ...

    async def create_board(self, title: str, description: str = "") -> int:
        """Make a board; returns its id, a local one until the service has it."""
        ...

    async def rename_board(self, board_id: int, title: str) -> None:
        """Rename a board."""
        ...

    async def archive_board(self, board_id: int) -> None:
        """Archive a board."""
        ...

    async def restore_board(self, board_id: int) -> None:
        """Bring an archived board back."""
        ...

    async def delete_board(self, board_id: int) -> None:
        """Delete a board for good."""
        ...

    async def create_stage(self, board_id: int, title: str) -> None:
        """Add a stage at the end of a board."""
        ...

    async def rename_stage(self, board_id: int, stage_id: int, title: str) -> None:
        """Rename a stage."""
        ...

    async def archive_stage(self, board_id: int, stage_id: int) -> None:
        """Archive a stage with its tasks."""
        ...

    async def order_stages(self, board_id: int, stage_ids: list[int]) -> None:
        """Put the stages of a board into this order."""
        ...
