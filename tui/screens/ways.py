"""Where a person asks to go: from one main screen to another.

The rule it keeps: a screen says where to and the application goes there, so that no screen needs to
know the other.
"""

from dataclasses import dataclass

from textual.message import Message


@dataclass(eq=False, repr=False)
class BoardRequested(Message):
    """The user asked for a board."""

    board_id: int


class BoardsRequested(Message):
    """The user asked for the list of boards."""


class WaitingRequested(Message):
    """The user asked for the changes that wait."""
