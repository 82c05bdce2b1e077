"""`callboard standup`: what happened on boards, for chat and cron.

On a terminal `callboard standup` opens the program in the standup.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tui.cli.output import ascii_only, say_beside, write, write_json
from tui.cli.scripts.chosen import chosen
from tui.cli.scripts.opened import How, Opened, active_boards, noted, refresh, run_opened
from tui.cli.terminal import check_terminal
from tui.client.errors import NotAllowed, NotOffered
from tui.config.stage_settings import with_own_settings
from tui.errors import CallboardError
from tui.model.board import Board
from tui.model.folder import Folder
from tui.model.standup.report import BoardSource, Standup, standup
from tui.model.standup.window import READ_BACK, midnight
from tui.model.standup.writing import Lens, document, markdown, plain, slack
from tui.store.clock import few_at_once
from tui.store.online.activity import read_back
from tui.store.protocol import Store
from tui.text.dates import LocalZone, parse_past_day

if TYPE_CHECKING:
    from tui.context import Context
    from tui.navigation import StandupRequested


class StandupOptions(NamedTuple):
    """What was asked for; `format` is md, slack, json, plain or empty."""

    boards: Sequence[str] = ()
    folder: str = ""
    only_me: bool = False
    since: str = ""
    by_person: bool = False
    format: str = ""

    @property
    def lens(self) -> Lens:
        """The lens of the texts."""
        return Lens.BY_PERSON if self.by_person or self.only_me else Lens.WALK


def hold_standup(wanted: StandupOptions, profile: str) -> int:
    """Open the program in the standup on a terminal, else or in a format print it."""
    if wanted.format or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return run_opened(How(profile), partial(_print_standup, wanted))
    check_terminal()
    from tui.cli.program import run

    return run(
        ascii_only=ascii_only.get(),
        boards=False,
        profile=profile,
        request=partial(request, wanted),
    )


def request(wanted: StandupOptions, context: "Context") -> "StandupRequested":
    """What the program is to show, of the boards that are cached."""
    from tui.navigation import StandupRequested
    from tui.screens.boards.listing import read_folders

    active = active_boards(context.store)
    boards = _named(wanted, active, read_folders(context.preferences))
    people = [person for board in boards or active for person in board.people]
    return StandupRequested(
        tuple(board.id for board in boards),
        parse_past_day(wanted.since, context.now().date()) if wanted.since else None,
        wanted.lens is Lens.BY_PERSON,
        context.store.me.among(people) if wanted.only_me else None,
    )


def _named(
    wanted: StandupOptions, active: Sequence[Board], folders: Sequence[Folder]
) -> list[Board]:
    boards = [chosen(words, active, "board") for words in wanted.boards]
    if wanted.folder:
        folder = chosen(wanted.folder, folders, "folder")
        boards += [board for board in active if board.id in folder.board_ids]
    return list(dict.fromkeys(boards))


async def standup_of(wanted: StandupOptions, opened: Opened) -> tuple[Standup, Sequence[Board]]:
    """The standup that was asked for, and all of its boards, some of which may not be known."""
    now = datetime.now(LocalZone())
    since = opened.settings.calendar.since(now)
    if wanted.since:
        since = midnight(parse_past_day(wanted.since, now.date()), now)
    folders = await opened.folders() if wanted.folder else ()
    boards = _named(wanted, opened.boards(), folders)
    if not (wanted.boards or wanted.folder):
        boards = opened.standup_boards()
    report = await read_standup(opened, boards, now, since)
    return report.only(opened.store.me) if wanted.only_me else report, boards


async def _print_standup(wanted: StandupOptions, opened: Opened) -> int:
    await opened.connect()
    report = await current_standup(wanted, opened)
    if wanted.format == "json":
        write_json(document(report))
    elif wanted.format == "slack":
        write(slack(report, wanted.lens, opened.card_url))
    else:
        write((markdown if wanted.format == "md" else plain)(report, wanted.lens))
    return 0


async def current_standup(wanted: StandupOptions, opened: Opened) -> Standup:
    """The standup that was asked for; says beside it what of it is not current, or not known."""
    report, boards = await standup_of(wanted, opened)
    if opened.problems:
        cached = {board.id for board in report.boards}
        opened.say_problem([board for board in boards if board.id in cached])
        if missing := [board.title for board in boards if board.id not in cached]:
            say_beside(f"           Not cached: {', '.join(missing)}.")
    return report


async def read_standup(
    opened: Opened, boards: Sequence[Board], now: datetime, since: datetime
) -> Standup:
    """The standup of those boards that are known, with the latest news if there is a connection.

    Raises `CannotGoOn` if none is known.
    """
    store, problems = opened.store, opened.problems
    if not problems:
        await few_at_once(lambda board: read_news(store, board.id, since, problems), boards)
    sources = []
    for board in boards:
        view = await store.load_board(board.id)
        if view is not None:
            view = with_own_settings(view, opened.preferences)
            history, archived = await store.history(board.id), await store.archived_tasks(board.id)
            sources.append(BoardSource(view, history, archived, store.relations()))
    if not sources:
        raise opened.nothing_known()
    return standup(sources, now, since, store.me)


async def read_news(
    store: Store,
    board_id: int,
    since: datetime,
    problems: list[CallboardError],
    *,
    has_ages: bool = True,
) -> None:
    """Read a board, and its activity back to `since`; what is wrong is added to `problems`.

    For the ages of cards also the archived ones, and earlier activity as far as it is short.
    """
    with noted(problems):
        await refresh(store, board_id)
        with suppress(NotAllowed, NotOffered):  # how far back the activity is known is said
            back_to = await read_back(store, board_id, since)
            if not has_ages:
                return
            await store.read_archived(board_id, since)
            if back_to is not None and back_to > since - READ_BACK:
                await store.read_history(board_id, since - READ_BACK)
