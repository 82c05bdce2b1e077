"""`callboard export`: an archive of a service, or one board of a profile in a format.

As a page there are also the standup, insight and the cards of a saved view.
"""

import json
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tui.cli.output import say, say_beside
from tui.cli.scripts.board_counts import without_templates
from tui.cli.scripts.documents import board_document, detail_document
from tui.cli.scripts.insight import read_insight
from tui.cli.scripts.lists import cards_of
from tui.cli.scripts.opened import How, Opened, run_opened
from tui.cli.scripts.reading import archived_cards, detail_of
from tui.cli.scripts.standup import StandupOptions, current_standup
from tui.cli.scripts.views import Wanted
from tui.cli.scripts.writing import SECONDS
from tui.cli.serving import export_to
from tui.config.saved_views import ViewStore
from tui.config.stage_settings import with_own_settings
from tui.errors import WrongInput, reason_of
from tui.model.blocked_by import joined
from tui.model.board import BoardView
from tui.model.detail import TaskDetail
from tui.model.task import Task
from tui.model.work.saved_view import view_named
from tui.text import clean
from tui.text.clean import counted, quoted
from tui.text.dates import wall_clock
from tui.text.markdown import to_markdown
from tui.transfer.exporting import sheet_of
from tui.transfer.formats.csv_writing import write_csv
from tui.transfer.formats.markdown_writing import write_markdown

_STDOUT = "-"
_LISTED = 10
"""The most cards that are named of those left out."""
_WEEKS = 4
"""As many weeks as `callboard insight` has by default."""


class BoardContents(NamedTuple):
    """A board with its archived cards, and by the ids of cards what is known of them.

    `sources` are the descriptions as the service has them.
    """

    view: BoardView
    archived: Sequence[Task]
    details: Mapping[int, TaskDetail]
    sources: Mapping[int, str]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """All cards, archived ones last."""
        return (*self.view.all_tasks(), *self.archived)


def export(
    how: How,
    file: Path | None,
    *,
    board: str,
    form: str,
    subject: str,
    view: str,
    size: tuple[int, int] | None,
    database: str,
    attachments: Path | None,
) -> int:
    """Write an archive of a service, or what a profile has in a format."""
    if (page := subject or (view and "view")) and form != "html":
        raise WrongInput(f"--{page} is written as a page: add --html.")
    if size and form != "svg":
        raise WrongInput("--size is that of a picture: add --svg.")
    if not form:
        if board:
            formats = ", ".join(f"--{name}" for name in (*_WRITERS, "svg"))
            raise WrongInput(f"choose a format: {formats}.")
        if file is None:
            raise WrongInput("name the file of the archive, or one --board with --md or --csv.")
        return export_to(file, database, attachments)
    if database or attachments:
        raise WrongInput(f"--{form} writes a board of a profile: --database does not belong to it.")
    if form == "svg":
        return _export_picture(how, file, board, size)
    if view:
        return run_opened(how, lambda opened: _write_view_page(opened, file, view, board))
    write = _PAGES[subject] if subject else _WRITERS[form]
    return run_opened(how, lambda opened: write(opened, file, board))


def _export_picture(how: How, file: Path | None, words: str, size: tuple[int, int] | None) -> int:
    from tui.cli.pages.picture import DEFAULT_SIZE, board_picture

    found: list[BoardView] = []

    async def read(opened: Opened) -> int:
        await opened.connect()
        if not opened.problems:
            await opened.sent(SECONDS)
        found.extend(await opened.views([opened.board(words)]))
        opened.say_problem([found[0].board])
        return 0

    # The files are copied for the picture once the profile is closed, and all is in them.
    code = run_opened(how, read)
    (view,) = found
    _write(file, board_picture(how.profile, view.board.id, size or DEFAULT_SIZE))
    if file is not None:
        say(f"{file} shows {quoted(view.board.title)}")
    return code


async def _contents(opened: Opened, words: str) -> BoardContents:
    await opened.connect()
    if not opened.problems:
        await opened.sent(SECONDS)
    (view,) = await opened.views([opened.board(words)])
    archived = await archived_cards(opened, view)
    details = {}
    for task in (*view.all_tasks(), *archived):
        has_more = task.subtasks_total or task.comments_count or view.fields
        if (
            has_more
            or task.id in view.pending
            or (task.archived_at is not None and not opened.problems)
        ):
            detail = await detail_of(opened, view, task.id)
            if detail is not None:
                details[task.id] = detail
    sources = {
        task.id: await opened.store.description_source(task.id)
        for task in (*view.all_tasks(), *archived)
    }
    return BoardContents(view, archived, details, sources)


async def _write_sheet(
    opened: Opened, file: Path | None, words: str, *, is_csv: bool = False
) -> int:
    contents = await _contents(opened, words)
    view, archived, details, _ = contents
    sheet = sheet_of(view, archived, _descriptions(contents, with_blockers=True), details)
    _write(file, write_csv(sheet) if is_csv else write_markdown(sheet))
    _say_written(opened, file, view, len(sheet.cards))
    reported = sum(task.comments_count for task in contents.tasks)
    _say_comments(max(reported, sum(len(card.comments) for card in sheet.cards)))
    return _say_missing(contents.tasks, details)


async def _write_json(opened: Opened, file: Path | None, words: str) -> int:
    contents = await _contents(opened, words)
    view, archived, details, _ = contents
    descriptions = _descriptions(contents)
    sheet = sheet_of(view, archived, descriptions, details)
    cards = [
        detail_document(details.get(task.id) or TaskDetail(task), view, descriptions[task.id])
        | {"is_archived": task.archived_at is not None}
        for task in contents.tasks
    ]
    stages = [{"title": stage.title, "closes": stage.closes} for stage in sheet.stages]
    (counted_board,) = await without_templates(opened.store, [view.board])
    board = board_document(counted_board) | {"stages": stages}
    _write(file, f"{json.dumps({'board': board, 'cards': cards}, indent=2)}\n")
    _say_written(opened, file, view, len(cards))
    return _say_missing(contents.tasks, details)


async def _write_board_page(opened: Opened, file: Path | None, words: str) -> int:
    from tui.cli.pages.board import board_page

    contents = await _contents(opened, words)
    view = with_own_settings(contents.view, opened.preferences)
    page = board_page(
        view,
        contents.sources,
        contents.details,
        wall_clock(),
        opened.card_url,
        relations=opened.store.relations(),
        boards=opened.store.boards(),
    )
    _write(file, page)
    tasks = [*view.all_tasks()]
    _say_written(opened, file, view, len(tasks))
    _say_comments(sum(task.comments_count for task in tasks))
    return _say_missing(tasks, contents.details)


async def _write_standup_page(opened: Opened, file: Path | None, words: str) -> int:
    from tui.cli.pages.standup import standup_page

    await opened.connect()
    report = await current_standup(StandupOptions([words] if words else []), opened)
    _write(file, standup_page(report, opened.card_url, relations=opened.store.relations()))
    if file is not None:
        opened.say(f"{file} holds the standup of {counted(len(report.boards), 'board')}")
    return 0


async def _write_insight_page(opened: Opened, file: Path | None, words: str) -> int:
    from tui.cli.pages.insight import insight_page

    await opened.connect()
    figures = await read_insight(opened, [words] if words else [], _WEEKS)
    _write(file, insight_page(figures))
    if file is not None:
        opened.say(f"{file} holds the insight of {counted(len(figures), 'board')}")
    return 0


async def _write_view_page(opened: Opened, file: Path | None, name: str, board: str) -> int:
    from tui.cli.pages.saved_view import view_page

    stored = ViewStore(opened.preferences).read()
    view = view_named(stored.views, name)
    wanted = Wanted(view, view.query, [board] if board else [])
    await opened.connect()
    if not opened.problems:
        await opened.sent(SECONDS)
    views = await opened.views(wanted.among(opened.boards()))
    rows = wanted.rows(cards_of(opened, views, wanted.words), opened.store.me)
    now, relations = wall_clock(), opened.store.relations()
    _write(file, view_page(view, rows, now, opened.card_url, relations=relations))
    opened.say_problem([view.board for view in views])
    if file is not None:
        opened.say(f"{file} holds {counted(len(rows), 'card')} of {quoted(view.name)}")
    return 0


async def _write_csv(opened: Opened, file: Path | None, words: str) -> int:
    return await _write_sheet(opened, file, words, is_csv=True)


_Writer = Callable[[Opened, Path | None, str], Coroutine[Any, Any, int]]
_WRITERS: Mapping[str, _Writer] = {
    "md": _write_sheet,
    "csv": _write_csv,
    "json": _write_json,
    "html": _write_board_page,
}
"""What writes a board in each format."""
_PAGES: Mapping[str, _Writer] = {"standup": _write_standup_page, "insight": _write_insight_page}
"""What writes a page about something else."""


def _descriptions(contents: BoardContents, *, with_blockers: bool = False) -> dict[int, str]:
    blockers = {task.id: task.blockers for task in contents.tasks if with_blockers}
    return {
        task_id: clean.text(to_markdown(joined(source, blockers.get(task_id, ()))))
        for task_id, source in contents.sources.items()
    }


def _write(file: Path | None, text: str) -> None:
    if file is None or str(file) == _STDOUT:
        sys.stdout.write(text)
        return
    try:
        # Never overwrites a file, even one that has just been created.
        with file.open("x", encoding="utf-8", newline="") as opened:
            opened.write(text)
    except FileExistsError as error:
        raise WrongInput(f"{clean.line(str(file))} already exists: nothing was written.") from error
    except OSError as error:
        raise WrongInput(
            f"{clean.line(str(file))} cannot be written: {reason_of(error)}."
        ) from error


def _say_written(opened: Opened, file: Path | None, view: BoardView, cards: int) -> None:
    opened.say_problem([view.board])
    if file is not None:
        opened.say(f"{file} holds {counted(cards, 'card')} of {quoted(view.board.title)}")


def _say_comments(count: int) -> None:
    if count:
        say_beside(f"callboard: left out: {counted(count, 'comment')}; --json has them too.")


def _say_missing(tasks: Sequence[Task], details: Mapping[int, TaskDetail]) -> int:
    # What is not cached is missing in the file; the exit code says so.
    without = [
        task
        for task in tasks
        if task.subtasks_total
        and ((detail := details.get(task.id)) is None or detail.groups is None)
    ]
    for task in without[:_LISTED]:
        say_beside(
            f"callboard: not cached, so not in the file: the subtasks of {quoted(task.title)}"
        )
    if len(without) > _LISTED:
        say_beside(f"callboard: nor those of {counted(len(without) - _LISTED, 'other card')}")
    return int(bool(without))
