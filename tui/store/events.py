"""What the store publishes: events, sync status, and pending changes."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from tui.errors import CallboardError
from tui.model.events.remote_changes import RemoteChange
from tui.record import record
from tui.store.operations.base import FieldDifference, Operation
from tui.text.clean import listed

logger = logging.getLogger(__name__)


class PendingState(StrEnum):
    """The state of an operation that the service has not accepted.

    Refused and conflicting operations are not drawn, so that the board shows the service's state.
    These and undetermined ones wait for the user to decide.
    """

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"
    CONFLICT = "conflict"
    REFUSED = "refused"


class PendingChange(NamedTuple):
    """An operation in the outbox as screens see it; `reason` is text for the user.

    `differences` describe a conflict field by field: ours, theirs and the base. `after` describes
    the operation that has to be accepted first, if there is one; `is_after_unsure` says that the
    user has to check that one. `origin` is what made it in place of the user, such as “mcp”, or
    empty.
    """

    id: int
    board_id: int
    operation: Operation
    state: PendingState
    since: datetime
    attempts: int = 0
    reason: str = ""
    differences: tuple[FieldDifference, ...] = ()
    after: str = ""
    origin: str = ""
    is_after_unsure: bool = False

    @property
    def was_checked_again(self) -> bool:
        """Whether the user had it read back once more, without a clear result."""
        return self.state is PendingState.UNSURE and not self.attempts

    @property
    def needs_attention(self) -> bool:
        """Whether the user has to decide about it."""
        return self.state not in (PendingState.WAITING, PendingState.SENDING)


class Loading(NamedTuple):
    """The progress of the first fetch of a board: tasks and bytes.

    It `is_stopped` if the fetch failed; the tasks received until then are shown.
    """

    tasks: int = 0
    size: int = 0
    is_stopped: bool = False


class SyncStatus(NamedTuple):
    """Freshness and pending changes of a board, for the status line.

    `checked_at` is when the service last responded for this board (aware, UTC); `problem` is why
    requests fail, in words, or empty, and `remedy` what to do about it; if the service `is_reached`
    all the same, it fails on some of them alone. While sending, `sent` of
    `to_send` changes are done. `pending` counts changes waiting or being sent, without `refused`,
    `conflicts` and `unsure` ones (not known whether they took effect). `losses` counts the damaged
    files with which changes may have been lost. `loading` is the progress of the first fetch.
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
    losses: int = 0
    loading: Loading | None = None
    is_reached: bool = False

    @property
    def need_attention(self) -> int:
        """How many changes are refused, in conflict, or undetermined, or may be lost."""
        return self.refused + self.conflicts + self.unsure + self.losses


class BoardChanged(NamedTuple):
    """A board looks different; `renamed` maps local ids to those the service assigned."""

    board_id: int
    renamed: Mapping[int, int] = MappingProxyType({})


@record
class BoardsChanged:
    """The list of boards looks different; `renamed` maps local ids to assigned ones."""

    renamed: Mapping[int, int] = field(default_factory=dict)


class CacheWritten(NamedTuple):
    """Another program wrote about boards that need not be in memory; None if it is not known which.

    Its ids may be those of boards about which this program wrote.
    """

    board_ids: frozenset[int] | None = None


class StatusChanged(NamedTuple):
    """The sync status of a board has changed; None for the list of boards."""

    board_id: int | None


class OperationRefused(NamedTuple):
    """The service refused a change; it is no longer drawn and waits for the user.

    So do `more` changes that depend on it.
    """

    change: PendingChange
    more: int = 0


class ConflictFound(NamedTuple):
    """A change conflicts with one of others; it is no longer drawn and waits for the user."""

    change: PendingChange


class OutcomeUncertain(NamedTuple):
    """Nobody can tell whether a change took effect; it stays drawn and waits for the user."""

    change: PendingChange


class UnseenChanged(NamedTuple):
    """The set of marked cards of a board has changed; `changes` are the marks just added."""

    board_id: int
    changes: tuple[RemoteChange, ...] = ()


class DetailChanged(NamedTuple):
    """An opened task looks different beyond its card."""

    board_id: int
    task_id: int


class UploadProgress(NamedTuple):
    """How many bytes of a picture are sent; `total` is None if not known.

    `image_id` is the local id. The end of the upload is announced by `DetailChanged`.
    """

    task_id: int
    image_id: int
    sent: int
    total: int | None


StoreEvent = (
    BoardChanged
    | BoardsChanged
    | CacheWritten
    | StatusChanged
    | OperationRefused
    | ConflictFound
    | OutcomeUncertain
    | DetailChanged
    | UnseenChanged
    | UploadProgress
)


class Undone(NamedTuple):
    """A step that was undone or redone, with current ids.

    `step` describes it, `lost` what undoing it could not restore.
    """

    step: str
    operations: tuple[Operation, ...]
    lost: str = ""


class Reversal(NamedTuple):
    """What undoes the changes of an agent: how many, by which operations, and what is left, why.

    Each reason in `kept` is a sentence.
    """

    changes: int = 0
    operations: tuple[Operation, ...] = ()
    kept: tuple[str, ...] = ()


class UndoNeedsConfirmation(CallboardError):
    """A step that is undone, or redone, only after the user confirmed.

    `step` is its description, `at` when it was done (aware, None if not known), `why` the reasons
    for asking as sentences, and `differences` the updates by others since. Nothing was changed;
    ask, and call again with `force=True`.
    """

    def __init__(
        self,
        step: str,
        differences: tuple[FieldDifference, ...] = (),
        *,
        why: tuple[str, ...] = (),
        at: datetime | None = None,
    ) -> None:
        fields = list(dict.fromkeys(difference.field for difference in differences))
        others = (f"Someone else has changed the {listed(fields)} since.",) if differences else ()
        self.step = step
        self.differences = differences
        self.why = (*others, *why)
        self.at = at
        super().__init__(f"{step}: {' '.join(self.why)}", hint="Nothing was changed.")


class Listeners:
    """Subscribed listeners, called on the event loop in the order of subscription."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[StoreEvent], None]] = []

    def subscribe(self, listener: Callable[[StoreEvent], None]) -> Callable[[], None]:
        """Add a listener; returns what ends the subscription."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def notify(self, event: StoreEvent) -> None:
        """Call every listener."""
        # A copy, because a listener may end its subscription when it is called.
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:  # an error in a listener must not stop the store
                logger.exception("A listener failed on %s", type(event).__name__)
