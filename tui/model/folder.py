"""Folders of boards (2.9)."""

from tui.errors import CallboardError
from tui.record import record

LONGEST_TITLE = 50


@record
class Folder:
    """A folder with the ids of its boards; a board is in one folder at most."""

    id: int
    title: str
    board_ids: frozenset[int] = frozenset()


def folder_title(words: str) -> str:
    """A title without superfluous blanks. Raises `CallboardError` if it is too long."""
    title = " ".join(words.split())
    if len(title) > LONGEST_TITLE:
        raise CallboardError(
            f"Too long: {len(title)} of {LONGEST_TITLE} characters.",
            hint="Shorten the folder’s title.",
        )
    return title
