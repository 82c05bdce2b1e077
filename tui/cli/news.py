"""Reading the news of boards for commands, which go on with what is known if that fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from tui.errors import CallboardError, CannotGoOn
from tui.store.protocol import Store

_MOST_PARTS = 50
"""In how many parts a log is read at most."""


@contextmanager
def noted(problems: list[CallboardError]) -> Iterator[None]:
    """Note a problem, and go on with what is known."""
    try:
        yield
    except CannotGoOn:
        raise
    except CallboardError as error:
        problems.append(error)


async def refresh(store: Store, board_id: int | None) -> None:
    """Fetch the news of a board, or the list of boards. Raises `CallboardError`."""
    await store.refresh(board_id, only_changes=board_id is not None)
    status = store.status(board_id)
    if status.problem:
        raise CallboardError(status.problem, hint=status.remedy)


async def read_log(store: Store, board_id: int, since: datetime) -> datetime | None:
    """Read the activity of a board back to `since`; returns back to when it is known then."""
    back_to = None
    for _ in range(_MOST_PARTS):
        await store.read_history(board_id, since)
        before, back_to = back_to, (await store.history(board_id)).complete_since
        if back_to is None or back_to <= since or back_to == before:
            break
    return back_to
