"""Messages that request another screen, so that screens do not import each other."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from textual.message import Message

from tui.model.task import Person

if TYPE_CHECKING:
    from tui.model.work.saved_view import SavedView


@dataclass(eq=False, repr=False)
class BoardRequested(Message):
    """The user asked for a board; `task_id` is the card to put the cursor on, `said` why."""

    board_id: int
    task_id: int | None = None
    said: str = ""


@dataclass(eq=False, repr=False)
class BoardsRequested(Message):
    """The user asked for the list of boards, or left a board, which `said` and `hint` tell."""

    said: str = ""
    hint: str = ""


class PendingRequested(Message):
    """The user asked for the pending changes."""


class SettingsRequested(Message):
    """The user asked for the settings."""


class SettingsChanged(Message):
    """The user changed a setting."""


@dataclass(eq=False, repr=False)
class StandupRequested(Message):
    """The user asked for the standup: of these boards, since a day, by person, if that is told.

    `speaker` is the person whose turn it is.
    """

    board_ids: tuple[int, ...] = ()
    since: date | None = None
    by_person: bool = False
    speaker: Person | None = None


@dataclass(eq=False, repr=False)
class TaskRequested(Message):
    """The user asked for a task; `parent_id` is its parent, if it was opened as a subtask."""

    board_id: int
    task_id: int
    parent_id: int | None = None


@dataclass(eq=False, repr=False)
class ThreadRequested(Message):
    """The user asked for the comments of a task, with the cursor on `comment_id`."""

    board_id: int
    task_id: int
    comment_id: int | None = None


@dataclass(eq=False, repr=False)
class ListRequested(Message):
    """The user asked for a list such as labels or members; of a board, or of the whole service.

    `name` is the module of the list in `tui.screens.lists`.
    """

    name: str
    board_id: int | None


@dataclass(eq=False, repr=False)
class AgentLogRequested(Message):
    """The user asked what agents did on a board; an `agent`, if one is named."""

    board_id: int
    agent: str = ""


@dataclass(eq=False, repr=False)
class ViewListRequested(Message):
    """The user asked for a list of the cards of a saved view.

    `name` is the module of the list in `tui.screens.view_lists`.
    """

    name: str
    view: "SavedView"


@dataclass(eq=False, repr=False)
class PlaceRequested(Message):
    """The user goes back to a place: the requests that lead to its screens, the lowest first."""

    place: tuple[Message, ...]


@dataclass(eq=False, repr=False)
class ProfileRequested(Message):
    """The user asked for the boards of another profile.

    With `leaves` the profile that is open is logged out of first; `keeps_changes` says whether what
    was not sent is kept.
    """

    name: str
    leaves: bool = False
    keeps_changes: bool = True
