"""`callboard standup`: opens the program in the standup, or prints it for chat and cron."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tui.cli.output import say_beside, write_json
from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.opened import Opened, active_boards, noted, refresh, run_opened
from tui.cli.terminal import check_terminal
from tui.client.errors import NotAllowed, NotOffered
from tui.config.preferences import LIMITS, Preferences
from tui.config.settings import Settings
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.folder import Folder
from tui.model.standup.report import standup
from tui.model.standup.rows import BoardSource
from tui.model.standup.window import READ_BACK, midnight
from tui.model.standup.writing import Lens, document, markdown, plain
from tui.store.clock import few_at_once
from tui.store.online.activity import read_back
from tui.store.protocol import Store
from tui.text.dates import LocalZone, parse_past_day

if TYPE_CHECKING:
    from tui.context import Context
    from tui.navigation import StandupRequested


class Wanted(NamedTuple):
    """What was asked for; `format` is md, json, plain or empty."""

    boards: Sequence[str] = ()
    folder: str = ""
    only_me: bool = False
    since: str = ""
    by_person: bool = False
    format: str = ""
    profile: str = ""
    ascii_only: bool = False

    @property
    def lens(self) -> Lens:
        """The lens of the texts."""
        return Lens.BY_PERSON if self.by_person or self.only_me else Lens.WALK

    def start(self, settings: Settings, now: datetime) -> datetime:
        """The beginning of the window. Raises `NotADate`."""
        if not self.since:
            return settings.calendar.since(now)
        return midnight(parse_past_day(self.since, now.date()), now)


def hold_standup(
    *,
    boards: Sequence[str],
    folder: str,
    only_me: bool,
    since: str,
    by_person: bool,
    format: str,  # noqa: A002 (the name of the argument)
    profile: str,
    ascii_only: bool,
) -> int:
    """Open the program in the standup on a terminal, else or in a format print it.

    Raises `CallboardError`, and `CannotGoOn` if nothing is known.
    """
    wanted = Wanted(boards, folder, only_me, since, by_person, format, profile, ascii_only)
    if format or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return run_opened(profile, partial(_printed, wanted))
    return _open_program(wanted)


def _open_program(wanted: Wanted) -> int:
    check_terminal()
    from tui.cli.program import run

    return run(
        ascii_only=wanted.ascii_only,
        boards=False,
        profile=wanted.profile,
        request=lambda context: request(wanted, context),
    )


def request(wanted: Wanted, context: "Context") -> "StandupRequested":
    """What the program is to show, of the boards that are cached. Raises `CallboardError`."""
    from tui.navigation import StandupRequested
    from tui.screens.boards.content import read_folders

    boards = active_boards(context.store)
    chosen = named(wanted, boards, read_folders(context.preferences))
    people = [person for board in chosen or boards for person in board.people]
    return StandupRequested(
        tuple(board.id for board in chosen),
        parse_past_day(wanted.since, context.now().date()) if wanted.since else None,
        wanted.lens is Lens.BY_PERSON,
        context.store.me.among(people) if wanted.only_me else None,
    )


async def _printed(wanted: Wanted, opened: Opened) -> int:
    """Print the standup with the latest news; without a connection, of what is known."""
    now = datetime.now(LocalZone())
    since = wanted.start(opened.settings, now)
    await opened.connect()
    store, problems = opened.store, opened.problems
    folders = await opened.folders() if wanted.folder else ()
    boards = named(wanted, opened.boards(), folders)
    if not (wanted.boards or wanted.folder):
        boards = opened.standup_boards()
    if not problems:
        await few_at_once(lambda one: _read_news(store, one.id, since, problems), boards)
    sources = [await _source(store, opened.preferences, board.id) for board in boards]
    known = [source for source in sources if source is not None]
    if not known:
        raise opened.nothing_known()
    held = standup(known, now, since)
    if problems:
        there = {board.id for board in held.boards}
        opened.say_problem([one for one in boards if one.id in there])
        if missing := [one.title for one in boards if one.id not in there]:
            say_beside(f"           Not cached: {', '.join(missing)}.")
    held = held.only(store.me) if wanted.only_me else held
    if wanted.format == "json":
        write_json(document(held))
    else:
        sys.stdout.write((markdown if wanted.format == "md" else plain)(held, wanted.lens))
    return 0


async def _read_news(
    store: Store, board_id: int, since: datetime, problems: list[CallboardError]
) -> None:
    """Read a board, and its activity back to `since`; earlier activity as far as it is short."""
    with noted(problems):
        await refresh(store, board_id)
        with suppress(NotAllowed, NotOffered):  # the standup says that not all activity is known
            back_to = await read_back(store, board_id, since)
            await store.read_archived(board_id, since)
            if back_to is not None and back_to > since - READ_BACK:
                await store.read_history(board_id, since - READ_BACK)


async def _source(store: Store, preferences: Preferences, board_id: int) -> BoardSource | None:
    view = await store.load_board(board_id)
    if view is None:
        return None
    return BoardSource(
        view.with_limits(preferences.numbers_by_id(board_id, LIMITS)),
        await store.history(board_id),
        await store.archived_tasks(board_id),
    )


def named(wanted: Wanted, active: Sequence[Board], folders: Sequence[Folder]) -> list[Board]:
    """The boards that are named. Raises `NothingFound` or `NotChosen`."""
    found = [chosen(one, active, "board") for one in wanted.boards]
    if wanted.folder:
        folder = chosen(wanted.folder, folders, "folder")
        found += [board for board in active if board.id in folder.board_ids]
    return list(dict.fromkeys(found))
