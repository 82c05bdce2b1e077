"""What the store tells: events, how fresh a board is, and what waits to be sent."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from tui.errors import CallboardError
from tui.model.remote_changes import RemoteChange
from tui.store.operations.base import Difference, Operation

logger = logging.getLogger(__name__)


class PendingState(StrEnum):
    """Where an operation stands that the service has not accepted.

    What is refused, or in conflict with what somebody else did, is not drawn: the board shows
    what the service has. Both wait for a person to decide, as does what is unsure.
    """

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"
    CONFLICT = "conflict"
    REFUSED = "refused"


class PendingChange(NamedTuple):
    """An operation that is on its way, or stuck, with the reason in words.

    `differences` tell of a conflict, field by field: what the person set, what somebody else set
    meanwhile, and what it was before. `keeps_failing` says that it was tried several times and
    failed by itself; it is tried again, after all others. `after` is what it waits for, in words,
    if another operation has to be accepted first.
    """

    id: int
    board_id: int
    operation: Operation
    state: PendingState
    since: datetime
    attempts: int = 0
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    keeps_failing: bool = False
    after: str = ""

    @property
    def was_checked_again(self) -> bool:
        """Whether a person had the service looked at, which did not show whether it arrived."""
        return self.state is PendingState.UNSURE and not self.attempts

    @property
    def needs_attention(self) -> bool:
        """Whether it waits for a person to do something."""
        is_stuck = self.state not in (PendingState.WAITING, PendingState.SENDING)
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
    fail again and again. Neither these nor those that were `refused` are `pending`.
    `loading` is how far a board is that is not known here yet.
    """

    pending: int = 0
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
    def need_attention(self) -> int:
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

    change: PendingChange


class ConflictFound(NamedTuple):
    """Somebody else changed the same meanwhile; it is not drawn and waits for a decision."""

    change: PendingChange


class UnseenChanged(NamedTuple):
    """Other cards of a board are marked as changed by others; `changes` is what was just heard."""

    board_id: int
    changes: tuple[RemoteChange, ...] = ()


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
    | UnseenChanged
    | UploadProgress
)


class Undone(NamedTuple):
    """A step that was undone or redone: what it did, by the ids that things have now.

    `step` says so in words, and `lost` what undoing it could not bring back.
    """

    step: str
    operations: tuple[Operation, ...]
    lost: str = ""


class UndoNeedsConfirmation(CallboardError):
    """A step that is undone, or redone, only after a person was asked.

    `step` is what was done, in words, `at` when (aware, None if that is not known), and `why` says
    in sentences why it is asked; `differences` is what somebody else changed since. Nothing was
    changed; ask, and call again with `force=True`.
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


class Listeners:
    """Those who subscribed, in the order they did; events are told on the event loop."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[StoreEvent], None]] = []

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        """Hear every event; returns what ends the subscription."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def notify(self, event: StoreEvent) -> None:
        """Tell everyone."""
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:  # whatever a listener does wrong, the store must go on
                logger.exception("A listener failed on %s", type(event).__name__)
