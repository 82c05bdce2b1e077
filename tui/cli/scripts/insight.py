"""`callboard insight`: figures of boards over weeks, printed."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from shutil import get_terminal_size

from tui.cli.output import say, write_json
from tui.cli.scripts.opened import Opened, noted, refresh, run_opened
from tui.client.errors import NotAllowed, NotOffered
from tui.errors import CallboardError
from tui.model.standup.insight import Insight, begins, document, insight
from tui.screens.lists.insight_rows import heading_of, known_words, line_of, rows_of
from tui.store.clock import few_at_once
from tui.store.online.activity import read_back
from tui.store.protocol import Store
from tui.text.clean import counted
from tui.text.dates import LocalZone

_WIDEST = 100


def print_insight(
    *, boards: Sequence[str], weeks: int, profile: str, as_json: bool, ascii_only: bool
) -> int:
    """Print the figures of each board, with the latest news if there is a connection.

    Raises `CallboardError`, and `CannotGoOn` if nothing is known.
    """

    async def printed(opened: Opened) -> int:
        now = datetime.now(LocalZone())
        await opened.connect()
        store, problems = opened.store, opened.problems
        shown = opened.named(boards) if boards else opened.standup_boards()
        since = begins(now, weeks)
        if not problems:
            await few_at_once(lambda one: _read(store, one.id, since, problems), shown)
        found = []
        for board in shown:
            view, history = await store.load_board(board.id), await store.history(board.id)
            if view is not None:
                found.append(insight(view, history, now, weeks))
        if not found:
            raise opened.nothing_known()
        opened.say_problem(shown)
        if as_json:
            write_json({"weeks": weeks, "boards": [document(one) for one in found]})
            return 0
        width = min(get_terminal_size().columns, _WIDEST)
        for line in (line for one in found for line in text_of(one, width)):
            say(line, ascii_only=ascii_only)
        return 0

    return run_opened(profile, printed)


async def _read(
    store: Store, board_id: int, since: datetime, problems: list[CallboardError]
) -> None:
    with noted(problems):
        await refresh(store, board_id)
        with suppress(NotAllowed, NotOffered):  # since when the history is known is said
            await read_back(store, board_id, since)


def text_of(shown: Insight, width: int) -> Iterator[str]:
    """The figures of a board as lines of text."""
    known = known_words(shown) or "all is known"
    yield f"{shown.title}, {counted(len(shown.weeks), 'week')}, {known}"
    heading = ""
    for row in rows_of(shown):
        before, heading = heading, heading_of(shown, row, width)
        if heading != before:
            yield ""
            yield heading
        yield "".join(text for text, _ in line_of(shown, row, width))
    yield ""
