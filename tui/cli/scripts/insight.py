"""`callboard insight`: figures of boards over weeks, printed."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from shutil import get_terminal_size
from typing import NamedTuple

from tui.cli.output import say, say_beside, write_json
from tui.cli.scripts.news import noted, refresh
from tui.cli.scripts.opened import Opened, run_opened
from tui.client.errors import NotAllowed, NotOffered
from tui.errors import CallboardError
from tui.model.history import BEGINNING
from tui.model.standup.insight import Insight, begins, document, insight
from tui.screens.lists.insight_rows import day_of, heading_of, line_of, rows_of
from tui.store.online.activity import read_back
from tui.store.protocol import Store
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.widgets.glyphs import ASCII

_WIDEST = 100


class Wanted(NamedTuple):
    """What was asked for."""

    boards: Sequence[str] = ()
    weeks: int = 4
    profile: str = ""
    as_json: bool = False
    ascii_only: bool = False


def print_insight(wanted: Wanted) -> int:
    """Print the figures. Raises `CallboardError`, and `CannotGoOn` if nothing is known."""
    return run_opened(wanted.profile, partial(_printed, wanted))


async def _printed(wanted: Wanted, opened: Opened) -> int:
    """Print the figures of each board, with the latest news if there is a connection."""
    now = datetime.now(LocalZone())
    await opened.connect()
    store, problems = opened.store, opened.problems
    boards = opened.named(wanted.boards) if wanted.boards else opened.standup_boards()
    since = begins(now, wanted.weeks)
    if not problems:
        await asyncio.gather(*(_read(store, one.id, since, problems) for one in boards))
    found = []
    for board in boards:
        view, history = await store.load_board(board.id), await store.history(board.id)
        if view is not None:
            found.append(insight(view, history, now, wanted.weeks))
    if not found:
        raise opened.nothing_known()
    if problems:
        say_beside(f"callboard: {problems[0].message} What is known is shown.")
    if wanted.as_json:
        write_json({"weeks": wanted.weeks, "boards": [document(one) for one in found]})
        return 0
    width = min(get_terminal_size().columns, _WIDEST)
    for line in (line for one in found for line in text_of(one, width)):
        say(line.translate(ASCII) if wanted.ascii_only else line)
    return 0


async def _read(
    store: Store, board_id: int, since: datetime, problems: list[CallboardError]
) -> None:
    with noted(problems):
        await refresh(store, board_id)
        with suppress(NotAllowed, NotOffered):  # since when the history is known is said
            await read_back(store, board_id, since)


def text_of(shown: Insight, width: int) -> Iterator[str]:
    """The figures of a board as lines of text."""
    yield f"{shown.title}, {counted(len(shown.weeks), 'week')}, {_known(shown)}"
    heading = ""
    for row in rows_of(shown):
        before, heading = heading, heading_of(shown, row, width)
        if heading != before:
            yield ""
            yield heading
        yield "".join(text for text, _ in line_of(shown, row, width))
    yield ""


def _known(shown: Insight) -> str:
    since = shown.known_since
    if since is None:
        return "nothing is known of the past"
    if since == BEGINNING:
        return "all is known"
    return f"known since {day_of(since.astimezone(shown.now.tzinfo))}"
