"""`callboard insight`: figures of boards over weeks, printed."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from shutil import get_terminal_size
from typing import NamedTuple

from tui.cli.chosen import chosen
from tui.cli.news import noted, refresh
from tui.cli.output import say, say_beside, write_json
from tui.cli.standup import active_boards
from tui.client.errors import NotAllowed, NotOffered
from tui.config.paths import Places
from tui.config.preferences import Preferences
from tui.config.settings import chosen_name, load_settings
from tui.errors import CallboardError, CannotGoOn
from tui.model.history import BEGINNING
from tui.model.insight import Insight, begins, document, insight
from tui.screens.lists.insight_rows import day_of, heading_of, line_of, rows_of
from tui.store.online.history import read_back
from tui.store.protocol import Store
from tui.text.clean import counted
from tui.text.dates import LocalZone
from tui.widgets.glyphs import ASCII
from tui.workspace import Workspace

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
    places = Places.find()
    settings = load_settings(places.settings)
    profile = settings.profile(chosen_name(wanted.profile, settings))
    workspace = Workspace.open(places, profile)
    shown = asyncio.run(_shown(workspace, wanted, datetime.now(LocalZone())))
    if wanted.as_json:
        write_json({"weeks": wanted.weeks, "boards": [document(one) for one in shown]})
        return 0
    width = min(get_terminal_size().columns, _WIDEST)
    for line in (line for one in shown for line in text_of(one, width)):
        say(line.translate(ASCII) if wanted.ascii_only else line)
    return 0


async def _shown(workspace: Workspace, wanted: Wanted, now: datetime) -> list[Insight]:
    """The figures of each board, with the latest news if there is a connection."""
    store, problems = workspace.store, list[CallboardError]()
    try:
        with noted(problems):
            await workspace.connect()
            await refresh(store, None)
        active = active_boards(store)
        boards = [chosen(one, active, "board") for one in wanted.boards]
        if not boards:
            preferences = Preferences(workspace.preferences)
            ids = preferences.standup_boards([board.id for board in active])
            boards = [board for board in active if board.id in ids]
        since = begins(now, wanted.weeks)
        if not problems:
            await asyncio.gather(*(_read(store, one.id, since, problems) for one in boards))
        found = []
        for board in dict.fromkeys(boards):
            view, history = await store.load_board(board.id), await store.history(board.id)
            if view is not None:
                found.append(insight(view, history, now, wanted.weeks))
    finally:
        await workspace.aclose()
    if not found:
        raise CannotGoOn(
            problems[0].message if problems else "there are no boards.",
            hint="None of the boards is cached." if problems else "",
        )
    if problems:
        say_beside(f"callboard: {problems[0].message} What is known is shown.")
    return found


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
