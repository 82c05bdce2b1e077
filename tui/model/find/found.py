"""What can be found anywhere: boards, cards, subtasks, comments and people."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from tui.model.task import Person


class Thing(StrEnum):
    """What can be found; the values are the words for it."""

    BOARD = "board"
    CARD = "card"
    SUBTASK = "subtask"
    COMMENT = "comment"
    PERSON = "person"


class Found(NamedTuple):
    """Something that can be found, with what its row shows.

    `title` is the text that is searched: a title, a name, or the text of a comment in one line.
    `place` is the title of a card's stage, of the task of a comment or subtask, and of the boards
    of a person; `task_id` is the id of that task. `people` are assignees, the author, or the
    person. `at` is when it was changed last.
    """

    thing: Thing
    id: int
    title: str
    board_id: int = 0
    board: str = ""
    place: str = ""
    task_id: int = 0
    people: tuple[Person, ...] = ()
    at: datetime | None = None
    is_closed: bool = False
    is_archived: bool = False

    @property
    def key(self) -> str:
        """What identifies it among everything that can be found."""
        return key_of(self.thing, self.id)


def key_of(thing: Thing, own_id: int) -> str:
    """The key of a thing, see `Found.key`."""
    return f"{thing} {own_id}"
