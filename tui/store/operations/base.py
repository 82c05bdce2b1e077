"""What every change is: frozen data with five verbs.

The rule it keeps: an operation says what it looks like (`apply`), how it is sent (`deliver`), how
to tell that it took effect after a lost reply (`already_done`), what takes it back (`inverse`) and
what it is in words (`describe`). Outbox, undo, status and waiting list all derive from these.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, Self

from tui.model.board import BoardView
from tui.store.remote import Document, Remote


class Footing(NamedTuple):
    """What was known when an operation was first sent; what a read-back is compared with.

    `task` is the task as the service last said it, None if it was not known; `newest_id` is the
    highest task id known on the board.
    """

    task: Document | None = None
    newest_id: int = 0


class Finding(NamedTuple):
    """What reading back showed: whether the operation took effect, and the task as it is now.

    `done` is None if it cannot be told; then only a person can decide.
    """

    done: bool | None
    task: Document | None = None


class Operation(Protocol):
    """One change to one board. Implementations are frozen, slotted dataclasses."""

    @property
    def board_id(self) -> int:
        """The board it changes."""
        ...

    @property
    def task_id(self) -> int:
        """The task it changes; negative while the service has not given it an id."""
        ...

    def apply(self, view: BoardView) -> BoardView:
        """The board as it looks with this change; unchanged where it no longer applies."""
        ...

    async def deliver(self, remote: Remote, truth: BoardView) -> Document | None:
        """Send it; `truth` is the service's last word.

        Returns the task as it came back, or None if there is no such task any more.
        """
        ...

    async def already_done(self, remote: Remote, footing: Footing) -> Finding:
        """Read back whether it took effect, after a reply was lost."""
        ...

    def inverse(self, before: BoardView) -> "tuple[Operation, ...]":
        """What takes it back, in order, given the board as it was before it; may be empty."""
        ...

    def describe(self) -> str:
        """What it does, in words, for people: “Move “Fix login” to Review”."""
        ...

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with local ids replaced by those the service gave."""
        ...
