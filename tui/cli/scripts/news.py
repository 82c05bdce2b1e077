"""Reading the news of boards for commands, which go on with what is known if that fails."""

from collections.abc import Iterator
from contextlib import contextmanager

from tui.errors import CallboardError, CannotGoOn
from tui.store.protocol import Store


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
