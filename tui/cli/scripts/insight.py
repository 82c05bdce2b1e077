"""`callboard insight`: the figures of boards, and by when their open cards will be closed."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from shutil import get_terminal_size

from tui.cli.output import say, write_json
from tui.cli.scripts.opened import Opened
from tui.cli.scripts.standup import read_news
from tui.config.stage_settings import with_own_settings
from tui.model.board import Board, BoardView
from tui.model.forecast.forecast import (
    WEEKS,
    Forecast,
    ForecastQuestion,
    document as forecast_document,
    forecast,
)
from tui.model.forecast.question import day_asked
from tui.model.forecast.words import why_not
from tui.model.query.language import QueryContext, check
from tui.model.query.matching import matcher
from tui.model.standup.insight import Insight, begins, document, insight
from tui.model.standup.report import BoardSource
from tui.model.task import Task
from tui.store.clock import few_at_once
from tui.text.clean import counted, line
from tui.text.dates import LocalZone, wall_clock

_WIDEST = 100
_WEEKS = 4


async def print_insight(
    opened: Opened,
    *,
    boards: Sequence[str],
    weeks: int | None,
    is_forecast: bool,
    query: str,
    cards: int | None,
    by: str,
) -> int:
    """Print the figures of each board, with the latest news if there is a connection.

    What is asked of a forecast prints that instead; the exit code is 1 if there is none.
    """
    if is_forecast or query or cards or by:
        check(query)
        day = day_asked(by, wall_clock()) if by else None
        question = ForecastQuestion(weeks or WEEKS, query, None, cards or 0, day)
        return await _print_forecasts(opened, boards, question)
    weeks = weeks or _WEEKS
    await opened.connect()
    figures = await read_insight(opened, boards, weeks)
    if opened.how.as_json:
        write_json({"weeks": weeks, "boards": [document(board) for board in figures]})
        return 0
    for board_figures in figures:
        for text in _figures_text(board_figures, _width()):
            say(text)
    return 0


async def read_insight(opened: Opened, names: Sequence[str], weeks: int) -> list[Insight]:
    """The figures of the boards that are named, else of those of the last standup.

    Those that are not known are left out; raises `CannotGoOn` if none is known.
    """
    now, boards = datetime.now(LocalZone()), _boards(opened, names)
    await _read(opened, boards, begins(now, weeks), has_archived=False)
    figures = []
    for board in boards:
        view, history = await _view(opened, board), await opened.store.history(board.id)
        if view is not None:
            figures.append(insight(view, history, now, weeks))
    if not figures:
        raise opened.nothing_known()
    opened.say_problem(boards)
    return figures


async def _print_forecasts(opened: Opened, names: Sequence[str], question: ForecastQuestion) -> int:
    await opened.connect()
    boards = _boards(opened, names)
    shown = await forecasts(opened, boards, question)
    opened.say_problem(boards)
    if opened.how.as_json:
        documents = [forecast_document(board, why_not(board)) for board in shown]
        write_json({"weeks": question.weeks, "boards": documents})
    else:
        from tui.screens.lists.forecast_rows import forecast_text

        for board in shown:
            of_filter = f", {line(question.filter)}" if question.filter else ""
            say(f"{board.title}{of_filter}")
            for text in ("", *forecast_text(board, _width()), ""):
                say(text)
    return 1 if all(board.outlook is None for board in shown) else 0


async def forecasts(
    opened: Opened, boards: Sequence[Board], question: ForecastQuestion
) -> list[Forecast]:
    """The forecast of each board that is known, with the latest news if there is a connection.

    Raises `CannotGoOn` if none is known, and `NotAQuery`.
    """
    now = datetime.now(LocalZone())
    since = begins(now, question.weeks + 1)
    await _read(opened, boards, since, has_archived=bool(question.filter))
    shown = []
    for board in boards:
        view = await _view(opened, board)
        if view is not None:
            history = await opened.store.history(board.id)
            archived = await opened.store.archived_tasks(board.id)
            asked = question._replace(matches=_matches(opened, view, question.filter))
            source = BoardSource(view, history, archived)
            shown.append(forecast(source, now, opened.settings.calendar, asked))
    if not shown:
        raise opened.nothing_known()
    return shown


def _matches(opened: Opened, view: BoardView, query: str) -> Callable[[Task], bool] | None:
    if not query.strip():
        return None
    changed = opened.store.changed_by_others(view.board.id)
    about = QueryContext.of([view], opened.store.me, wall_clock(), changed)
    return matcher(check(query, about), about)


def _boards(opened: Opened, names: Sequence[str]) -> Sequence[Board]:
    return opened.named(names) if names else opened.standup_boards()


async def _read(
    opened: Opened, boards: Sequence[Board], since: datetime, *, has_archived: bool
) -> None:
    problems = opened.problems
    if not problems:
        await few_at_once(
            lambda board: read_news(opened.store, board.id, since, problems, has_ages=has_archived),
            boards,
        )


async def _view(opened: Opened, board: Board) -> BoardView | None:
    view = await opened.store.load_board(board.id)
    return None if view is None else with_own_settings(view, opened.preferences)


def _width() -> int:
    return min(get_terminal_size().columns, _WIDEST)


def _figures_text(figures: Insight, width: int) -> Iterator[str]:
    from tui.screens.lists.insight_rows import known_words, text_lines

    extent = known_words(figures) or "all is known"
    yield f"{figures.title}, {counted(len(figures.weeks), 'week')}, {extent}"
    yield ""
    yield from text_lines(figures, width)
    yield ""
