"""What every change is: frozen data with five verbs.

The rule it keeps: an operation says what it looks like (`apply`), how it is sent (`deliver`), how
to tell that it took effect after a lost reply (`already_done`), what takes it back (`inverse`) and
what it is in words (`describe`). Outbox, undo, status and waiting list all derive from these.
"""

from collections.abc import Mapping
from typing import Protocol, Self

from tui.model.board import BoardView
from tui.store.remote import Document, Remote


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

    async def deliver(self, remote: Remote, view: BoardView) -> Document | None:
        """Send it. `view` is the service's last word; returns the task as it came back."""
        ...

    def already_done(self, truth: Document | None) -> bool | None:
        """Whether the task read back shows it took effect; None if that cannot be told."""
        ...

    def inverse(self, before: BoardView) -> "Operation | None":
        """What takes it back, given the board as it was before it; None if nothing can."""
        ...

    def describe(self) -> str:
        """What it does, in words, for people: “Move “Fix login” to Review”."""
        ...

    def renamed(self, ids: Mapping[int, int]) -> Self:
        """The same change with local ids replaced by those the service gave."""
        ...
